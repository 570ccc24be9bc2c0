//! The table of what word programs can do. It is used to find regions among the nodes of a graph, and to compile them.

use graph_kernels::{DType, ElementOp};
use smallvec::SmallVec;

use crate::graph::TensorType;
use crate::ops::{self, Attrs, OpDef};

/// The attribute that `index` has in a graph of scalars if its operand isn't a vector: which element it reads at the position.
pub(in crate::plan) const ELEMENT: &str = "element";

/// A kind of value that a word program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plan) enum Word {
    /// A scalar, which is kept in a register.
    Single(DType),
    /// A tensor with axes, which stays in an array; its elements are read one at a time.
    Rows,
}

impl Word {
    /// How a word program reads values of a type; `None` if it can't.
    pub fn of(ty: &TensorType) -> Option<Word> {
        match ty.shape.rank() {
            _ if ty.dtype == DType::Str => None,
            Some(0) => Some(Word::Single(ty.dtype)),
            Some(_) => Some(Word::Rows),
            None => None,
        }
    }
}

/// What a word program does for an op.
pub(in crate::plan) enum WordOp {
    /// A function of its operands.
    Apply(ElementOp),
    /// Reads an element of the first operand at the position along its first axis that is the second operand. It is the element with this number
    /// among those at the position: 0 for a vector, else the attribute [`ELEMENT`].
    Read(u16),
    /// Returns the operand unchanged: a scalar whose shape is checked is the same scalar.
    Same,
}

impl WordOp {
    /// What a word program does for an op with these operands; `None` if it can't run it.
    pub fn of(op: &OpDef, attrs: &Attrs, operands: &[Word]) -> Option<WordOp> {
        if *op == ops::INDEX {
            let element = attrs.int(ELEMENT).map_or(Some(0), |n| n.try_into().ok());
            let reads = matches!(operands, [Word::Rows, Word::Single(_)]);
            return element.filter(|_| reads).map(WordOp::Read);
        }
        let dtype = |word: &Word| match word {
            Word::Single(dtype) => Some(*dtype),
            Word::Rows => None,
        };
        let dtypes: Option<SmallVec<[DType; 3]>> = operands.iter().map(dtype).collect();
        match (op.element)(attrs) {
            Some(element) => element
                .output(&dtypes?)
                .ok()
                .map(|_| WordOp::Apply(element)),
            None => dtypes
                .filter(|_| *op == ops::RELAX_SHAPE)
                .map(|_| WordOp::Same),
        }
    }
}
