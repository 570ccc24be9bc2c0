//! What word programs can do, said once: by it regions are found among the nodes of a graph, and then compiled.

use graph_kernels::{DType, ElementOp};
use smallvec::SmallVec;

use crate::graph::TensorType;
use crate::ops::{self, Attrs, OpDef};

/// What a word program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::plan) enum Word {
    /// A scalar, which is in a register.
    Single(DType),
    /// A vector, which is an array outside, read value by value.
    Row,
}

impl Word {
    /// How values of a type are read, if they can be.
    pub fn of(ty: &TensorType) -> Option<Word> {
        match ty.shape.rank() {
            _ if ty.dtype == DType::Str => None,
            Some(0) => Some(Word::Single(ty.dtype)),
            Some(1) => Some(Word::Row),
            _ => None,
        }
    }
}

/// What an op is in a word program.
pub(in crate::plan) enum WordOp {
    /// A function of its operands.
    Apply(ElementOp),
    /// A value of the row that is the first operand, by the index that is the second.
    Read,
    /// Its operand: a scalar whose shape is checked is a scalar.
    Same,
}

impl WordOp {
    /// What an op on these operands is, if word programs have it.
    pub fn of(op: &OpDef, attrs: &Attrs, operands: &[Word]) -> Option<WordOp> {
        if *op == ops::INDEX {
            return matches!(operands, [Word::Row, Word::Single(_)]).then_some(WordOp::Read);
        }
        let dtype = |word: &Word| match word {
            Word::Single(dtype) => Some(*dtype),
            Word::Row => None,
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
