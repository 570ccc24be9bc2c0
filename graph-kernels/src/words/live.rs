//! Which registers hold values that are read later, at each step of a program.

use smallvec::{SmallVec, smallvec};

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

    fn put(&mut self, register: Register, is_in: bool) {
        match is_in {
            true => self.insert(register),
            false => self.remove(register),
        }
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

impl WordStep {
    /// The registers read.
    pub(super) fn reads(&self) -> SmallVec<[Register; 4]> {
        match self {
            WordStep::Apply { operands, .. } => operands.iter().copied().collect(),
            WordStep::MulAdd { operands, .. } => operands.iter().copied().collect(),
            WordStep::Read { index, .. } => smallvec![*index],
            WordStep::ReadAt { element, index, .. } => smallvec![*index, *element],
            WordStep::Write { index, from, .. } => std::iter::once(*index)
                .chain(from.iter().copied())
                .collect(),
            WordStep::WriteAt {
                element,
                index,
                from,
                ..
            } => smallvec![*index, *element, *from],
            WordStep::Move { from, .. } => smallvec![*from],
            WordStep::Swap(a, b) => smallvec![*a, *b],
            WordStep::Jump(_) => smallvec![],
            WordStep::Unless { condition, .. } | WordStep::Assert(condition) => {
                smallvec![*condition]
            }
            WordStep::UnlessHolds { operands, .. } => operands.iter().copied().collect(),
            WordStep::Switch { index, .. } => smallvec![*index],
        }
    }

    /// The registers written.
    pub(super) fn writes(&self) -> SmallVec<[Register; 2]> {
        match self {
            WordStep::Apply { to, .. }
            | WordStep::MulAdd { to, .. }
            | WordStep::Read { to, .. }
            | WordStep::ReadAt { to, .. }
            | WordStep::Move { to, .. } => smallvec![*to],
            WordStep::Swap(a, b) => smallvec![*a, *b],
            _ => smallvec![],
        }
    }

    /// True if the step behind this one may run next.
    fn goes_on(&self) -> bool {
        !matches!(self, WordStep::Jump(_) | WordStep::Switch { .. })
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
    match step {
        WordStep::Move { to, from } => {
            let is_read = live.contains(*to);
            live.remove(*to);
            live.put(*from, is_read || live.contains(*from));
        }
        WordStep::Swap(a, b) => {
            let [was_a, was_b] = [*a, *b].map(|register| live.contains(register));
            live.put(*a, was_b);
            live.put(*b, was_a);
        }
        other => {
            other.writes().iter().for_each(|to| live.remove(*to));
            other.reads().iter().for_each(|from| live.insert(*from));
        }
    }
}
