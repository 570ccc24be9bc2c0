//! What is known of the registers of a loop: their dtypes, and which of them may differ from lane to lane.

use super::find::Loop;
use crate::DType;
use crate::words::live::Set;
use crate::words::{REGISTERS, Register, ValueType, WordStep};

/// The dtypes of registers.
pub(super) type Types = [Option<DType>; REGISTERS];

/// The dtype of each register that the loop writes, if each has one; `None` otherwise.
pub(super) fn types(steps: &[WordStep], found: &Loop) -> Option<Types> {
    let mut types = [None; REGISTERS];
    let note = |types: &mut Types, register: Register, dtype: DType| {
        let known = types[usize::from(register)].get_or_insert(dtype);
        (!found.written.contains(register) || *known == dtype).then_some(())
    };
    note(&mut types, found.counter, found.dtype)?;
    for step in steps {
        let access = step.access()?;
        for (register, ty) in access.reads.iter().chain(&access.writes) {
            // The dtype of an element follows from the steps that use it.
            if let ValueType::Is(dtype) = *ty {
                note(&mut types, *register, dtype)?;
            }
        }
    }
    // A move doesn't say what it moves.
    for _ in 0..steps.len() {
        let before = types;
        for step in steps {
            let both_ways = |(to, from)| [[to, from], [from, to]];
            for [known, other] in step.moves().into_iter().flat_map(both_ways) {
                if let Some(dtype) =
                    types[usize::from(known)].filter(|_| found.written.contains(known))
                {
                    note(&mut types, other, dtype)?;
                }
            }
        }
        if types == before {
            break;
        }
    }
    Some(types)
}

/// Which registers may differ from lane to lane.
pub(super) struct Varying {
    pub registers: Set,
    /// True if no jump depends on them.
    pub together: bool,
}

pub(super) fn varying(steps: &[WordStep], found: &Loop) -> Varying {
    let mut registers: Set = std::iter::once(found.counter).collect();
    loop {
        let before = registers;
        for step in steps {
            if step
                .reads()
                .iter()
                .any(|register| registers.contains(*register))
            {
                registers.add(&step.writes().into_iter().collect());
            }
        }
        if registers == before {
            break;
        }
    }
    let decides = |step: &&WordStep| !step.targets().is_empty();
    let mut decisions = steps.iter().filter(decides);
    let together = !decisions.any(|step| step.reads().iter().any(|r| registers.contains(*r)));
    Varying {
        registers: if together { registers } else { found.written },
        together,
    }
}
