//! What an op is: a row of the op table, and the attributes of one use of it.

use std::fmt;

use graph_kernels::{Array, KernelError};
use smallvec::SmallVec;

use crate::graph::TensorType;

/// A compile-time parameter of one use of an op, such as the axes of a reduction.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Attr {
    Int(i64),
    Ints(Vec<i64>),
    Bool(bool),
    Text(String),
    DType(graph_kernels::DType),
    Shape(crate::graph::Shape),
}

/// The attributes of one use of an op, in the order of its definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attrs(pub SmallVec<[(&'static str, Attr); 2]>);

/// One operation: everything the project knows of it.
pub struct OpDef {
    /// The name in graph text, such as `reduce_sum`.
    pub name: &'static str,
    /// The attributes it takes, in order.
    pub attrs: &'static [&'static str],
    /// The type rule: from the operands' types and the attributes to the output's type, or what doesn't fit.
    pub infer: fn(&[TensorType], &Attrs) -> Result<TensorType, String>,
    /// The kernel: reads the operands, resizes and writes the output.
    pub kernel: fn(&[&Array], &Attrs, &mut Array) -> Result<(), KernelError>,
    /// One sentence with shapes.
    pub doc: &'static str,
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
