//! Which values are in registers. A value that has no register is in memory: an input where it lies, a number in the pool of the code, a
//! value that had to leave its register on the stack.

use graph_kernels::codegen::{LaneOp, LaneProgram};

use super::choose::Chosen;

/// Where the values of a body are, while its steps are written one by one.
#[derive(Clone, Debug)]
pub struct Registers {
    /// The value in each register.
    held: Vec<Option<usize>>,
    /// Registers of values that stay for the whole loop.
    pinned: Vec<bool>,
    /// The register of each value.
    of: Vec<Option<usize>>,
    /// For each value, the steps that read it, the last one first. Results are read behind all steps.
    readers: Vec<Vec<usize>>,
    /// The place of a value on the stack, if it has one.
    spilled: Vec<Option<usize>>,
    /// How many places on the stack are used.
    pub places: usize,
    /// The most registers in use at once.
    pub most: usize,
}

/// What stays where it is for a loop.
#[derive(Debug, Default)]
pub struct Pinned {
    /// The registers that are pinned, and weren't before.
    pub registers: Vec<usize>,
    /// The registers that must be stored before the loop, with their places on the stack.
    pub stores: Vec<(usize, usize)>,
}

/// How many registers are left to the steps of a loop before other values get some.
const LEFT: usize = 6;

/// What must be done so that a register is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freed {
    pub register: usize,
    /// The place on the stack to which the register must be stored before.
    pub store: Option<usize>,
}

impl Registers {
    /// The state before the first step, where some values are kept in registers, of which there are `count`, for the whole loop.
    pub fn new(
        results: &[usize],
        chosen: &[Option<Chosen>],
        kept: &[usize],
        count: usize,
    ) -> Registers {
        let steps = chosen.len();
        let mut readers = vec![Vec::new(); steps];
        results.iter().for_each(|n| readers[*n].push(steps));
        for (at, chosen) in chosen.iter().enumerate().rev() {
            for operand in chosen.iter().flat_map(|chosen| &chosen.operands) {
                if readers[*operand].last() != Some(&at) {
                    readers[*operand].push(at);
                }
            }
        }
        let mut registers = Registers {
            held: vec![None; count],
            pinned: vec![false; count],
            of: vec![None; steps],
            readers,
            spilled: vec![None; steps],
            places: 0,
            most: 0,
        };
        for (n, value) in kept.iter().enumerate() {
            let register = count - 1 - n;
            registers.hold(register, *value);
            registers.pinned[register] = true;
        }
        registers
    }

    pub fn of(&self, value: usize) -> Option<usize> {
        self.of[value]
    }

    /// The place of a value on the stack.
    pub fn place(&self, value: usize) -> Option<usize> {
        self.spilled[value]
    }

    /// Whether a value isn't read behind a step.
    pub fn ends(&self, value: usize, at: usize) -> bool {
        let mut readers = self.readers[value].iter();
        readers.all(|reader| *reader <= at)
    }

    /// Whether the register of a value may be overwritten by step `at`.
    pub fn gives_way(&self, value: usize, at: usize) -> bool {
        let register = self.of[value];
        register.is_some_and(|register| !self.pinned[register]) && self.ends(value, at)
    }

    /// Makes the value of a register stay there.
    pub fn pin(&mut self, register: usize) {
        self.pinned[register] = true;
    }

    /// Makes the values stay in their registers that are read behind step `at`, and drops the others. Where few registers are left, values leave
    /// theirs, which must be stored if `in_memory` doesn't say that they needn't be.
    pub fn pin_held(&mut self, at: usize, in_memory: impl Fn(usize) -> bool) -> Pinned {
        self.drop_ended(at);
        let mut all = Pinned::default();
        for is_there in [false, true] {
            for n in 0..self.held.len() {
                let value = self.held[n].filter(|value| in_memory(*value) == is_there);
                let Some(value) = value.filter(|_| !self.pinned[n]) else {
                    continue;
                };
                if self.pinned.iter().filter(|pinned| !**pinned).count() > LEFT {
                    self.pin(n);
                    all.registers.push(n);
                    continue;
                }
                self.held[n] = None;
                self.of[value] = None;
                if !is_there {
                    self.spilled[value] = Some(self.places);
                    all.stores.push((n, self.places));
                    self.places += 1;
                }
            }
        }
        all
    }

    /// Frees registers at the end of a loop, step `at`, that it had pinned: their values may leave them, and those that nobody reads any more do.
    pub fn unpin(&mut self, pinned: &[usize], at: usize) {
        pinned.iter().for_each(|n| self.pinned[*n] = false);
        self.drop_ended(at);
    }

    fn drop_ended(&mut self, at: usize) {
        let held: Vec<usize> = self.held.iter().flatten().copied().collect();
        self.drop_read(&held, at);
    }

    /// A register without a value.
    pub fn unused(&self) -> Option<usize> {
        self.held.iter().position(Option::is_none)
    }

    /// Puts a value into a register.
    pub fn hold(&mut self, register: usize, value: usize) {
        if let Some(before) = self.held[register].replace(value) {
            self.of[before] = None;
        }
        self.of[value] = Some(register);
        self.most = self.most.max(self.held.iter().flatten().count());
    }

    /// Frees the registers of values that no step behind `at` reads.
    pub fn drop_read(&mut self, values: &[usize], at: usize) {
        for value in values {
            if self.gives_way(*value, at)
                && let Some(register) = self.of[*value].take()
            {
                self.held[register] = None;
            }
        }
    }

    /// A free register: if there is none, the one whose value is needed last, and isn't one of `locked`. `in_memory` says which values
    /// needn't be stored. `None` if all are locked.
    pub fn take(
        &mut self,
        at: usize,
        locked: &[usize],
        in_memory: impl Fn(usize) -> bool,
    ) -> Option<Freed> {
        if let Some(register) = (0..self.held.len())
            .find(|register| self.held[*register].is_none() && !locked.contains(register))
        {
            let store = None;
            return Some(Freed { register, store });
        }
        let next = |value: usize| {
            let mut readers = self.readers[value].iter().rev();
            readers.find(|reader| **reader >= at).copied()
        };
        let candidates = (0..self.held.len()).filter(|n| !self.pinned[*n] && !locked.contains(n));
        let register = candidates.max_by_key(|n| self.held[*n].and_then(next))?;
        let value = self.held[register].take()?;
        self.of[value] = None;
        let store = match self.spilled[value] {
            None if !in_memory(value) => {
                self.spilled[value] = Some(self.places);
                self.places += 1;
                self.spilled[value]
            }
            _ => None,
        };
        Some(Freed { register, store })
    }
}

/// The values that don't change in the loop, those that are read most often first.
pub fn constants(
    program: &LaneProgram,
    chosen: &[Option<Chosen>],
    is_same: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let steps = program.steps.iter().enumerate();
    let constants = steps.filter(|(_, step)| match step.op {
        LaneOp::Number(_) => true,
        LaneOp::Input(n) => is_same(n),
        _ => false,
    });
    let mut counted: Vec<(usize, usize)> = constants
        .map(|(n, _)| {
            let operands = chosen.iter().flatten().flat_map(|chosen| &chosen.operands);
            (operands.filter(|operand| **operand == n).count(), n)
        })
        .filter(|(count, _)| *count > 0)
        .collect();
    counted.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    counted.into_iter().map(|(_, n)| n).collect()
}
