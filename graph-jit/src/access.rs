//! What a step of a word program reads and writes, as values of machine code.

use graph_kernels::codegen::{MemoryTypes, WordSource};
use graph_kernels::{Register, ValueType, WordStep};
use smallvec::SmallVec;

use crate::kind::{Kind, TypedRegister};

/// The values that a step reads and writes. A step that moves values has none here.
pub struct Access {
    pub reads: SmallVec<[TypedRegister; 3]>,
    pub writes: Option<TypedRegister>,
}

/// What a step reads and writes, if machine code can do it.
pub fn access(step: &WordStep, memory: &MemoryTypes) -> Option<Access> {
    // Only loops in lanes have such steps.
    if let WordStep::ReadAt { .. } | WordStep::WriteAt { .. } = step {
        return None;
    }
    let typed = |values: &[(Register, ValueType)]| {
        let known = values.iter().filter(|(_, ty)| *ty != ValueType::Any);
        let typed = known.map(|(register, ty)| {
            let dtype = ty.dtype(|rows| memory.dtype(rows))?;
            Some((*register, Kind::of(dtype)?))
        });
        typed.collect::<Option<SmallVec<_>>>()
    };
    let access = step.access()?;
    Some(Access {
        reads: typed(&access.reads)?,
        writes: typed(&access.writes)?.first().copied(),
    })
}

/// The values that are read after a program.
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
