//! Which values are read later, at each step: only these are carried around loops, and only these are loaded where the code is entered.

use graph_kernels::codegen::{MemoryTypes, WordSource};
use graph_kernels::{REGISTERS, WordStep};

use crate::access::{access, results};
use crate::kind::{Kind, TypedRegister};

const WORDS: usize = Kind::ALL.len() * REGISTERS / 64;

/// A set of places.
#[derive(Clone, Debug, PartialEq)]
pub struct Places([u64; WORDS]);

impl Places {
    const NONE: Places = Places([0; WORDS]);

    /// The word and the bit of a typed.
    fn bit((register, kind): TypedRegister) -> (usize, u64) {
        let index = kind as usize * REGISTERS + usize::from(register);
        (index / 64, 1 << (index % 64))
    }

    fn insert(&mut self, typed: TypedRegister) {
        let (word, bit) = Places::bit(typed);
        self.0[word] |= bit;
    }

    fn remove(&mut self, typed: TypedRegister) {
        let (word, bit) = Places::bit(typed);
        self.0[word] &= !bit;
    }

    pub fn contains(&self, typed: TypedRegister) -> bool {
        let (word, bit) = Places::bit(typed);
        self.0[word] & bit != 0
    }

    fn add(&mut self, others: &Places) {
        for (word, other) in self.0.iter_mut().zip(others.0) {
            *word |= other;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = TypedRegister> {
        let bits = self.0.iter().enumerate().flat_map(|(word, bits)| {
            (0..64)
                .filter(move |bit| bits >> bit & 1 == 1)
                .map(move |bit| word * 64 + bit)
        });
        bits.map(|index| ((index % REGISTERS) as u8, Kind::ALL[index / REGISTERS]))
    }
}

/// The values that are read at each step or after it, and last those that are read after the program. `None` if a step can't become
/// machine code.
pub fn lives(source: &WordSource, memory: &MemoryTypes) -> Option<Vec<Places>> {
    let mut constants = Places::NONE;
    for (register, _) in &source.constants {
        let places = Kind::ALL.map(|kind| (*register, kind));
        places.iter().for_each(|typed| constants.insert(*typed));
    }
    let mut end = Places::NONE;
    let results = results(source)?.into_iter();
    results
        .filter(|typed| !constants.contains(*typed))
        .for_each(|typed| end.insert(typed));
    let mut lives = vec![Places::NONE; source.steps.len()];
    lives.push(end);
    let mut changed = true;
    while changed {
        changed = false;
        for (at, step) in source.steps.iter().enumerate().rev() {
            let mut live = Places::NONE;
            if !matches!(step, WordStep::Jump(_) | WordStep::Switch { .. }) {
                live.add(&lives[at + 1]);
            }
            for target in step.targets() {
                live.add(&lives[*target]);
            }
            step_back(step, memory, &mut live)?;
            for (word, constants) in live.0.iter_mut().zip(constants.0) {
                *word &= !constants;
            }
            changed |= live != lives[at];
            lives[at] = live;
        }
    }
    Some(lives)
}

/// From what is live behind a step to what is live before it.
fn step_back(step: &WordStep, memory: &MemoryTypes, live: &mut Places) -> Option<()> {
    match step {
        WordStep::Move { to, from } => {
            for kind in Kind::ALL {
                if live.contains((*to, kind)) {
                    live.remove((*to, kind));
                    live.insert((*from, kind));
                }
            }
        }
        WordStep::Swap(a, b) => {
            for kind in Kind::ALL {
                let [was_a, was_b] = [*a, *b].map(|register| live.contains((register, kind)));
                for (register, is) in [(*a, was_b), (*b, was_a)] {
                    match is {
                        true => live.insert((register, kind)),
                        false => live.remove((register, kind)),
                    }
                }
            }
        }
        other => {
            let access = access(other, memory)?;
            if let Some(typed) = access.writes {
                live.remove(typed);
            }
            access.reads.iter().for_each(|typed| live.insert(*typed));
        }
    }
    Some(())
}
