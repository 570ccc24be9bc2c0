//! Which registers hold values that are read later, at each step of a program.

use smallvec::SmallVec;

use super::codegen::WordSource;
use super::{REGISTERS, Register, WordStep};

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Set([u64; REGISTERS / 64]);

impl Set {
    fn bit(register: Register) -> (usize, u64) {
        (usize::from(register / 64), 1 << (register % 64))
    }

    pub fn insert(&mut self, register: Register) {
        let (word, bit) = Set::bit(register);
        self.0[word] |= bit;
    }

    fn remove(&mut self, register: Register) {
        let (word, bit) = Set::bit(register);
        self.0[word] &= !bit;
    }

    pub fn contains(&self, register: Register) -> bool {
        let (word, bit) = Set::bit(register);
        self.0[word] & bit != 0
    }

    pub fn add(&mut self, others: &Set) {
        for (word, other) in self.0.iter_mut().zip(others.0) {
            *word |= other;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Register> {
        (0..=Register::MAX).filter(|register| self.contains(*register))
    }
}

impl FromIterator<Register> for Set {
    fn from_iter<I: IntoIterator<Item = Register>>(registers: I) -> Set {
        let mut set = Set::default();
        registers.into_iter().for_each(|r| set.insert(r));
        set
    }
}

/// The registers that are read at each step or after it before they are written, and last those that are read after the program.
pub(super) fn lives(source: &WordSource) -> Vec<Set> {
    let end: Set = source
        .results
        .iter()
        .map(|(register, _)| *register)
        .collect();
    let mut lives = vec![Set::default(); source.steps.len()];
    lives.push(end);
    let mut changed = true;
    while changed {
        changed = false;
        for (at, step) in source.steps.iter().enumerate().rev() {
            let mut live = match step.goes_on() {
                true => lives[at + 1],
                false => Set::default(),
            };
            for target in step.targets() {
                live.add(&lives[*target]);
            }
            step_back(step, &mut live);
            changed |= live != lives[at];
            lives[at] = live;
        }
    }
    lives
}

/// From what is live behind a step to what is live before it.
fn step_back(step: &WordStep, live: &mut Set) {
    let moves = step.moves();
    if moves.is_empty() {
        step.writes().iter().for_each(|to| live.remove(*to));
        step.reads().iter().for_each(|from| live.insert(*from));
        return;
    }
    // A value that is moved is read only if its copy is.
    let is_live = |(to, _): &(Register, Register)| live.contains(*to);
    let read: SmallVec<[_; 2]> = moves.iter().copied().filter(is_live).collect();
    moves.iter().for_each(|(to, _)| live.remove(*to));
    read.iter().for_each(|(_, from)| live.insert(*from));
}
