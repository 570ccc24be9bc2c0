//! The errors of kernels. The caller adds the op and the source line.

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
    /// An error that the caller's program reports. The message is complete and in that program's terms.
    #[error("{0}")]
    Program(String),
}
