//! Which values a step of a word program reads and writes, with their kinds. Steps that move values don't say of which kind they are.

use graph_kernels::codegen::{MemoryTypes, WordSource};
use graph_kernels::{DType, Rows, WordStep};
use smallvec::{SmallVec, smallvec};

use crate::kind::{Kind, TypedRegister};

/// The values that a step reads and writes. A step that moves values has none here.
#[derive(Default)]
pub struct Access {
    pub reads: SmallVec<[TypedRegister; 3]>,
    pub writes: Option<TypedRegister>,
}

/// What a step reads and writes, if machine code can do it.
pub fn access(step: &WordStep, memory: &MemoryTypes) -> Option<Access> {
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
        WordStep::MulAdd {
            dtype,
            operands,
            to,
        } => {
            let kind = Kind::of(*dtype)?;
            Access {
                reads: operands.iter().map(|register| (*register, kind)).collect(),
                writes: Some((*to, kind)),
            }
        }
        WordStep::Read {
            from,
            index,
            dtype,
            to,
            ..
        } => Access {
            writes: Some((*to, Kind::of(read_from(*from, memory)?)?)),
            ..reads((*index, Kind::of(*dtype)?))
        },
        WordStep::Write {
            list,
            index,
            dtype,
            from,
            ..
        } => {
            let (values, _) = *memory.lists.get(usize::from(*list))?;
            let mut access = reads((*index, Kind::of(*dtype)?));
            let kind = Kind::of(values)?;
            access
                .reads
                .extend(from.iter().map(|register| (*register, kind)));
            access
        }
        // Only loops in lanes have such steps.
        WordStep::ReadAt { .. } | WordStep::WriteAt { .. } => return None,
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

/// The dtype of what a step reads from.
fn read_from(rows: Rows, memory: &MemoryTypes) -> Option<DType> {
    match rows {
        Rows::Array(array) | Rows::Fixed(array) => memory.arrays.get(usize::from(array)).copied(),
        Rows::List(list) => memory.lists.get(usize::from(list)).map(|(dtype, _)| *dtype),
    }
}

/// The places of a program's results.
pub fn results(source: &WordSource) -> Option<Vec<TypedRegister>> {
    let results = source.results.iter();
    results
        .map(|(register, dtype)| Some((*register, Kind::of(*dtype)?)))
        .collect()
}

/// Whether code of some steps depends on how the level of a thread calculates multiply-adds.
pub fn has_mul_add(steps: &[WordStep]) -> bool {
    let mut steps = steps.iter();
    steps.any(|step| matches!(step, WordStep::MulAdd { .. }))
}
