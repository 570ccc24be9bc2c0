//! What a kernel can fail with. The caller adds which op it was and on which line.

/// Why a kernel could not compute its output.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// Operand shapes that don't fit each other.
    #[error("{0}")]
    Shape(String),
    /// An operand of a dtype the kernel isn't defined for.
    #[error("{0}")]
    DType(String),
    /// A value that the operation isn't defined for: an index out of range, a zero divisor.
    #[error("{0}")]
    Value(String),
    /// Something that the program around the operation can't go on with. The message is in the program's terms and complete.
    #[error("{0}")]
    Program(String),
}
