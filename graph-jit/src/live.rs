//! Which values are read later, at each step: only these are carried around loops, and only these are loaded where the code is entered.

use graph_kernels::codegen::{MemoryTypes, WordSource};
use graph_kernels::{REGISTERS, Register, WordStep};
use smallvec::SmallVec;

use crate::access::{access, results};
use crate::kind::{Kind, TypedRegister};

const WORDS: usize = Kind::ALL.len() * REGISTERS / 64;

/// A set of typed registers.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedSet([u64; WORDS]);

impl TypedSet {
    const NONE: TypedSet = TypedSet([0; WORDS]);

    /// The word of a typed register, and its bit there.
    fn bit((register, kind): TypedRegister) -> (usize, u64) {
        let index = kind as usize * REGISTERS + usize::from(register);
        (index / 64, 1 << (index % 64))
    }

    fn insert(&mut self, typed: TypedRegister) {
        let (word, bit) = TypedSet::bit(typed);
        self.0[word] |= bit;
    }

    fn remove(&mut self, typed: TypedRegister) {
        let (word, bit) = TypedSet::bit(typed);
        self.0[word] &= !bit;
    }

    pub fn contains(&self, typed: TypedRegister) -> bool {
        let (word, bit) = TypedSet::bit(typed);
        self.0[word] & bit != 0
    }

    fn add(&mut self, others: &TypedSet) {
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
pub fn lives(source: &WordSource, memory: &MemoryTypes) -> Option<Vec<TypedSet>> {
    let mut constants = TypedSet::NONE;
    for (register, _) in &source.constants {
        let all = Kind::ALL.map(|kind| (*register, kind));
        all.iter().for_each(|typed| constants.insert(*typed));
    }
    let mut end = TypedSet::NONE;
    let results = results(source)?.into_iter();
    results
        .filter(|typed| !constants.contains(*typed))
        .for_each(|typed| end.insert(typed));
    let mut lives = vec![TypedSet::NONE; source.steps.len()];
    lives.push(end);
    let mut changed = true;
    while changed {
        changed = false;
        for (at, step) in source.steps.iter().enumerate().rev() {
            let mut live = TypedSet::NONE;
            if step.goes_on() {
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
fn step_back(step: &WordStep, memory: &MemoryTypes, live: &mut TypedSet) -> Option<()> {
    let moves = step.moves();
    if moves.is_empty() {
        let access = access(step, memory)?;
        access.writes.iter().for_each(|typed| live.remove(*typed));
        access.reads.iter().for_each(|typed| live.insert(*typed));
        return Some(());
    }
    for kind in Kind::ALL {
        // A value that is moved is read only if its copy is.
        let is_live = |(to, _): &(Register, Register)| live.contains((*to, kind));
        let read: SmallVec<[_; 2]> = moves.iter().copied().filter(is_live).collect();
        moves.iter().for_each(|(to, _)| live.remove((*to, kind)));
        read.iter().for_each(|(_, from)| live.insert((*from, kind)));
    }
    Some(())
}
