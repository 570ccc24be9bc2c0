//! Which values a step of a word program reads and writes, with their kinds. Steps that move values don't say of which kind they are.

use graph_kernels::codegen::WordSource;
use graph_kernels::{DType, WordStep};
use smallvec::{SmallVec, smallvec};

use crate::kind::{Kind, Place};

/// The values that a step reads and writes. A step that moves values has none here.
#[derive(Default)]
pub struct Access {
    pub reads: SmallVec<[Place; 3]>,
    pub writes: Option<Place>,
}

/// What a step reads and writes, if machine code can do it. `arrays` are the dtypes of the arrays that are read.
pub fn access(step: &WordStep, arrays: &[DType]) -> Option<Access> {
    let reads = |place| Access {
        reads: smallvec![place],
        writes: None,
    };
    Some(match step {
        WordStep::Apply {
            op,
            dtype,
            operands,
            to,
        } => {
            let (dtypes, output) = op.signature(*dtype)?;
            let reads = operands.iter().zip(dtypes);
            let reads = reads.map(|(register, dtype)| Some((*register, Kind::of(*dtype)?)));
            Access {
                reads: reads.collect::<Option<_>>()?,
                writes: Some((*to, Kind::of(output)?)),
            }
        }
        WordStep::Read {
            array,
            index,
            dtype,
            to,
            ..
        } => Access {
            writes: Some((*to, Kind::of(*arrays.get(usize::from(*array))?)?)),
            ..reads((*index, Kind::of(*dtype)?))
        },
        WordStep::Move { .. } | WordStep::Swap(..) | WordStep::Jump(_) => Access::default(),
        WordStep::Unless { condition, .. } | WordStep::Assert(condition) => {
            reads((*condition, Kind::I8))
        }
        WordStep::UnlessHolds {
            dtype, operands, ..
        } => {
            let kind = Kind::of(*dtype)?;
            Access {
                reads: operands.iter().map(|register| (*register, kind)).collect(),
                writes: None,
            }
        }
        WordStep::Switch { index, .. } => reads((*index, Kind::I32)),
    })
}

/// The places of a program's results.
pub fn results(source: &WordSource) -> Option<Vec<Place>> {
    let results = source.results.iter();
    results
        .map(|(register, dtype)| Some((*register, Kind::of(*dtype)?)))
        .collect()
}
