//! A row program for tests of the kernels' texts.

use graph_kernels::{DType, ElementOp, ReduceOp};

use super::{RowProgram, RowStep, Spread};
use crate::kernels::chain::{Access, Step};

impl RowProgram {
    /// `(x - mean(x)) * scale / any(x > 0)`-like steps for elements of a dtype, with every kind of reduction.
    pub fn normalization(
        dtype: DType,
        team: u32,
        held: usize,
        full: bool,
        lanes: usize,
    ) -> RowProgram {
        let element = |op, dtype, inputs: &[usize]| {
            RowStep::Element(Step::Element(op, dtype, inputs.to_vec()))
        };
        RowProgram {
            operands: vec![
                (dtype, Access::Same),
                (dtype, Access::Strided),
                (dtype, Access::Same),
            ],
            spreads: vec![Spread::Contiguous, Spread::Contiguous, Spread::Contiguous],
            steps: vec![
                RowStep::Element(Step::Operand(0)),
                RowStep::Element(Step::Operand(1)),
                RowStep::Reduce(ReduceOp::Mean, dtype, 0),
                element(ElementOp::Sub, dtype, &[0, 2]),
                RowStep::Reduce(ReduceOp::Max, dtype, 3),
                element(ElementOp::Less, dtype, &[3, 4]),
                RowStep::Reduce(ReduceOp::Any, DType::Bool, 5),
                RowStep::Require(6),
                element(ElementOp::Mul, dtype, &[3, 1]),
                element(ElementOp::Select, dtype, &[6, 8, 3]),
            ],
            dtype,
            one_per_row: false,
            kept: 1,
            reduced: 1,
            team,
            lanes,
            held,
            full,
            wide: false,
        }
    }
}
