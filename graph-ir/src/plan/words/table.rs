//! The table of what word programs can do. It is used to find regions among the nodes of a graph, and to compile them.

use graph_kernels::{DType, ElementOp};
use smallvec::SmallVec;

use crate::graph::TensorType;
use crate::ops::{self, Attrs, OpDef};

/// The attribute that `index` and `list_read` have in a graph of scalars if the rows aren't scalars: which element of the row they read.
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
    /// Reads an element in the same way from a list, or from an array that was one.
    ReadList(u16),
    /// Writes the operands behind the second one as the row of the first operand, a list, at the position that is the second one.
    Write,
    /// Multiplies the first two operands and adds the third, as products do.
    MulAdd,
    /// Returns the operand unchanged: a scalar whose shape is checked is the same scalar.
    Same,
}

impl WordOp {
    /// What a word program does for an op with these operands; `None` if it can't run it.
    pub fn of(op: &OpDef, attrs: &Attrs, operands: &[Word]) -> Option<WordOp> {
        let element = || attrs.int(ELEMENT).map_or(Some(0), |n| n.try_into().ok());
        match operands {
            [Word::Rows, Word::Single(_)] if *op == ops::INDEX => {
                return element().map(WordOp::Read);
            }
            [Word::Rows, Word::Single(_)] if *op == ops::LIST_READ => {
                // A list without a row shape has rows of zeros only if the op knows their shape.
                let known = attrs.shape("shape").ok().and_then(|shape| shape.dims());
                let known = known.is_some_and(|dims| dims.iter().skip(1).all(Option::is_some));
                return element().filter(|_| known).map(WordOp::ReadList);
            }
            [Word::Rows, Word::Single(_), ..] if *op == ops::LIST_WRITE => {
                return Some(WordOp::Write);
            }
            [Word::Single(_), Word::Single(_), Word::Single(_)] if *op == ops::MATMUL => {
                return Some(WordOp::MulAdd);
            }
            _ => {}
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
