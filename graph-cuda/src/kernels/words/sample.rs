//! A word program with each kind of step, for the tests of kernels' texts.

use std::sync::Arc;

use graph_kernels::ElementOp::{Equal, LogicalAnd, LogicalNot, Maximum, Select};
use graph_kernels::codegen::WordSource;
use graph_kernels::{DType, Rows, WordStep};
use smallvec::smallvec;

use super::{Origin, WordKernel};

impl WordKernel {
    /// A kernel with each kind of step, over values of a dtype.
    pub fn sample(dtype: DType) -> WordKernel {
        let apply = |op, dtype, operands, to| WordStep::Apply {
            op,
            dtype,
            operands,
            to,
        };
        // A register for a position, one for a truth value, a constant, and others for values.
        let (position, truth, constant) = (0, 1, 2);
        let read = |index, of, to| WordStep::Read {
            from: Rows::Array(0),
            element: 1,
            index,
            dtype: of,
            to,
        };
        let combine = match dtype {
            DType::Bool => LogicalAnd,
            _ => Maximum,
        };
        let mut steps = vec![
            read(position, DType::I32, 4),
            apply(Equal, dtype, smallvec![3, 4], truth),
            apply(combine, dtype, smallvec![3, 4], 3),
            WordStep::Assert(truth),
            WordStep::Swap(3, 4),
            WordStep::Move {
                to: 5,
                from: constant,
            },
            apply(LogicalNot, DType::Bool, smallvec![truth], truth),
            WordStep::Unless {
                condition: truth,
                target: 0,
            },
            apply(Select, dtype, smallvec![truth, 3, 5], 5),
            WordStep::Switch {
                index: position,
                targets: vec![0, 3, 12],
            },
            WordStep::UnlessHolds {
                op: Equal,
                dtype,
                operands: [3, 5],
                target: 1,
            },
            WordStep::Jump(0),
        ];
        let fused = WordStep::MulAdd {
            dtype,
            operands: [3, 4, 5],
            to: 4,
        };
        if matches!(dtype, DType::F32 | DType::F64) {
            steps.push(fused);
        }
        let source = WordSource {
            steps,
            constants: vec![(constant, 1)],
            results: vec![(5, dtype)],
        };
        WordKernel {
            source: Arc::new(source),
            loaded: vec![
                (position, DType::I32, Origin::Parameter),
                (3, dtype, Origin::Element(1)),
            ],
            arrays: vec![dtype],
            outputs: vec![(dtype, vec![5, constant])],
        }
    }
}
