//! The definition of an op, which is a row of the op table. Gradient rules aren't part of it: they use tensors, which this crate doesn't know.

use std::fmt;

use graph_kernels::{Array, Behind, ElementOp, KernelError, ReduceOp};

use super::attrs::Attrs;
use crate::types::TensorType;

/// A kernel that updates its first operand in place; its arguments are that operand, the other operands, and the attributes.
pub type InPlace = fn(&mut Array, &[&Array], &Attrs) -> Result<(), KernelError>;

/// The kernel of a product, with what stands behind it; its arguments are the operands, the attributes, that, and the output.
pub type ProductKernel = fn([&Array; 2], &Attrs, Behind, &mut Array) -> Result<(), KernelError>;

/// What can make an op fail after its type rule has accepted the operands. (Running out of memory for the result doesn't count.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// Nothing.
    Never,
    /// Shapes that are known only at run time.
    OnShapes,
    /// The values of operands, possibly.
    OnValues,
}

/// The definition of one op.
pub struct OpDef {
    /// The name in graph text, such as `reduce_sum`.
    pub name: &'static str,
    /// The attributes it takes, in order.
    pub attrs: &'static [&'static str],
    /// The type rule: computes the output's type from the operands' types and the attributes, or says what doesn't fit.
    pub infer: fn(&[TensorType], &Attrs) -> Result<TensorType, String>,
    /// The kernel: reads the operands, resizes and writes the output. Called only with operands and attributes
    /// that the type rule accepted.
    pub kernel: fn(&[&Array], &Attrs, &mut Array) -> Result<(), KernelError>,
    /// The elementwise function that `kernel` applies to numeric or boolean operands, if it is one.
    pub element: fn(&Attrs) -> Option<ElementOp>,
    /// The reduction by the attributes `axes` and `keep_dims` that `kernel` does, if it is one.
    pub reduction: Option<ReduceOp>,
    /// What can make it fail; ignored for elementwise ops and reductions, where `element` and `reduction` decide.
    pub fails: Fails,
    /// A kernel that computes the same as `kernel` but replaces the first operand by the result, for an operand that is dead
    /// afterwards. It gets the other operands separately.
    pub in_place: Option<InPlace>,
    /// For a product of two operands, whose values are rows: `kernel` with a chain behind it, and with a right operand that may be packed.
    pub product: Option<ProductKernel>,
    /// Whether the op is linear in all its float operands together: applied to changes of the operands, it returns the result's change.
    pub linear: bool,
    /// The equivalent TensorFlow op, if there is one.
    pub tf: Option<&'static str>,
    /// The equivalent ONNX operator (opset 18), if there is one.
    pub onnx: Option<&'static str>,
    /// A one-sentence description with shapes.
    pub doc: &'static str,
}

impl OpDef {
    /// The error message for a kernel's error: it names the op and the types of its operands, unless the error is in the program's terms.
    pub fn failure(
        &self,
        error: &KernelError,
        operands: impl Iterator<Item = TensorType>,
    ) -> String {
        if let KernelError::Program(message) = error {
            return message.clone();
        }
        let types: Vec<String> = operands.map(|ty| ty.to_string()).collect();
        format!("{error} (in `{}` of {})", self.name, types.join(", "))
    }
}

impl PartialEq for OpDef {
    fn eq(&self, other: &OpDef) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for OpDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
