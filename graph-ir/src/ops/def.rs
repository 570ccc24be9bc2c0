//! What an op is: a row of the op table. Gradient rules are not in it, for they are made of tensors, which this crate doesn't know.

use std::fmt;

use graph_kernels::{Array, ElementOp, KernelError, ReduceOp};

use super::attrs::Attrs;
use crate::graph::TensorType;

/// A kernel that updates its first operand: called with that, the other operands, and the attributes.
pub type InPlace = fn(&mut Array, &[&Array], &Attrs) -> Result<(), KernelError>;

/// What can make an op fail whose type rule accepted its operands, besides a result that there is no memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fails {
    /// Nothing.
    Never,
    /// Shapes that the type rule didn't know.
    OnShapes,
    /// The values of operands, perhaps.
    OnValues,
}

/// One operation: everything the project knows of it.
pub struct OpDef {
    /// The name in graph text, such as `reduce_sum`.
    pub name: &'static str,
    /// The attributes it takes, in order.
    pub attrs: &'static [&'static str],
    /// The type rule: from the operands' types and the attributes to the output's type, or what doesn't fit.
    pub infer: fn(&[TensorType], &Attrs) -> Result<TensorType, String>,
    /// The kernel: reads the operands, resizes and writes the output. Called only with operands and attributes
    /// that the type rule accepted.
    pub kernel: fn(&[&Array], &Attrs, &mut Array) -> Result<(), KernelError>,
    /// The function that `kernel` applies element by element to operands of numbers and truth values, if that is what it does.
    pub element: fn(&Attrs) -> Option<ElementOp>,
    /// The reduction over the attributes `axes` and `keep_dims` that `kernel` is, if that is what it does.
    pub reduction: Option<ReduceOp>,
    /// What makes it fail; for elementwise ops and reductions, `element` and `reduction` say so.
    pub fails: Fails,
    /// A kernel that makes the first operand the result, for operands that nothing needs afterwards. It takes the others
    /// without the first, and does what `kernel` does.
    pub in_place: Option<InPlace>,
    /// Whether the op is linear in all its operands of floats together: applied to their changes, it gives the result's change.
    pub linear: bool,
    /// The TensorFlow op that means the same, where there is one.
    pub tf: Option<&'static str>,
    /// The ONNX operator (opset 18) that means the same, where there is one.
    pub onnx: Option<&'static str>,
    /// One sentence with shapes.
    pub doc: &'static str,
}

impl OpDef {
    /// What to say of a kernel's error: with the op and the types of its operands, unless it is one in the program's terms.
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
