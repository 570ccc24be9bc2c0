//! Liveness: when each register holds a value that is still needed, found by one walk over the steps from the last to
//! the first. Loop state and the outputs of branches are written in several places, so a life has holes: the state of a
//! loop is dead from its last use in an iteration until the next iteration's value is moved in. What dies there can be
//! updated in place.
//!
//! A jump doesn't visit all values that are alive, which could be as many as the graph has. The set of values that are alive at its
//! target follows from the changes since the walk passed the target.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use super::lower::{Code, CodeStep, Loop};
use super::{Instruction, Register, Source, Target};
use crate::graph::steps;

/// A segment of a register's life, both ends included. Time has two units per step: step `p` reads at `2p`. Moves write at `2p + 1`,
/// so the new value can use a slot that the step reads. Kernels write at `2p`, so an output never shares a slot with an operand, unless
/// the instruction reads all operands first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub start: usize,
    pub end: usize,
}

/// The lives of all registers: disjoint segments in ascending order; no segment for a register that no step reads or writes.
pub(super) struct Lives(Vec<Vec<Segment>>);

impl Lives {
    /// When a register is alive.
    pub fn of(&self, register: Register) -> &[Segment] {
        &self.0[register.index()]
    }

    /// True if nothing reads the register's value after the step at this position.
    pub fn dies_at(&self, register: Register, position: usize) -> bool {
        let time = 2 * position + 1;
        !self
            .of(register)
            .iter()
            .any(|s| s.start <= time && time <= s.end)
    }
}

/// The lives of the registers of some code.
pub(super) fn lives(code: &Code) -> Lives {
    let mut walk = Walk {
        segments: vec![Vec::new(); code.contents.len()],
        open: BTreeMap::new(),
        changes: Vec::new(),
        passed: targets(code),
        ends: FxHashMap::default(),
    };
    let invariants = invariants(code);
    for register in code.outputs.iter().filter_map(|source| source.place()) {
        walk.read(register, 2 * code.steps.len());
    }
    for (position, step) in code.steps.iter().enumerate().rev() {
        walk.enter(position + 1);
        match step {
            CodeStep::Do(Instruction::Repeat {
                number, condition, ..
            }) => {
                let index = *number as usize;
                walk.go_back(position, &code.loops[index], &invariants[index], code);
                if let Some(register) = condition.and_then(Source::place) {
                    walk.read(register, 2 * position);
                }
            }
            CodeStep::Do(Instruction::Jump(target)) => walk.jump(position, *target as usize),
            CodeStep::Do(instruction) => walk.instruction(position, instruction, code.words),
            CodeStep::Moves(moves) => {
                for (to, _) in moves {
                    walk.write(*to, 2 * position + 1);
                }
                for register in moves.iter().filter_map(|(_, from)| from.place()) {
                    walk.read(register, 2 * position);
                }
            }
        }
    }
    walk.segments.iter_mut().for_each(|s| s.reverse());
    Lives(walk.segments)
}

/// The initial number of changes at each jump target, which is replaced when the walk passes the target.
fn targets(code: &Code) -> FxHashMap<usize, usize> {
    let instructions = code.steps.iter().filter_map(|step| match step {
        CodeStep::Do(instruction) => Some(instruction),
        CodeStep::Moves(_) => None,
    });
    let targets = instructions.flat_map(Instruction::targets);
    targets.map(|target| (*target as usize, 0)).collect()
}

/// For each loop, the registers that its steps read and that were set before it.
fn invariants(code: &Code) -> Vec<FxHashSet<Register>> {
    let mut invariants = vec![FxHashSet::default(); code.loops.len()];
    let mut heads: Vec<usize> = (0..code.loops.len()).collect();
    // Of loops with the same head, the outer one opens first.
    heads.sort_by_key(|i| (code.loops[*i].head, std::cmp::Reverse(code.loops[*i].back)));
    let mut heads = heads.into_iter().peekable();
    let mut open: Vec<usize> = Vec::new();
    for position in 0..code.steps.len() {
        open.retain(|i| code.loops[*i].back >= position);
        open.extend(std::iter::from_fn(|| {
            heads.next_if(|i| code.loops[*i].head <= position)
        }));
        if open.is_empty() {
            continue;
        }
        let mut add = |source: Source<Register>| {
            let Some(register) = source.place() else {
                return;
            };
            for i in &open {
                if code.defined[register.index()] < code.loops[*i].head {
                    invariants[*i].insert(register);
                }
            }
        };
        match &code.steps[position] {
            CodeStep::Do(instruction) => instruction.visit(add, |_| {}),
            CodeStep::Moves(moves) => moves.iter().for_each(|(_, from)| add(*from)),
        }
    }
    invariants
}

struct Walk {
    /// Finished segments of each register, the last one first.
    segments: Vec<Vec<Segment>>,
    /// The registers that are alive at the current position, with the end of the segment.
    open: BTreeMap<Register, usize>,
    /// The registers that have become alive (true) or dead (false), in the order of the walk.
    changes: Vec<(Register, bool)>,
    /// For each jump target, the number of changes when the walk passed it.
    passed: FxHashMap<usize, usize>,
    /// For the position after a jump from a branch to the end of all branches: this end, and the number of changes there.
    ends: FxHashMap<usize, (usize, usize)>,
}

impl Walk {
    /// Records the number of changes at a position if it is a jump target.
    fn enter(&mut self, position: usize) {
        if let Some(changes) = self.passed.get_mut(&position) {
            *changes = self.changes.len();
        }
    }

    /// The registers that have changed since the change with this number, with whether they were alive before.
    fn changed_since(&self, change: usize) -> FxHashMap<Register, bool> {
        steps::count(self.changes.len() - change);
        let mut changed = FxHashMap::default();
        for (register, is_alive) in &self.changes[change..] {
            changed.entry(*register).or_insert(!is_alive);
        }
        changed
    }

    /// Makes a register alive up to a time, unless it is alive already.
    fn read(&mut self, register: Register, time: usize) {
        if let Entry::Vacant(dead) = self.open.entry(register) {
            dead.insert(time);
            self.changes.push((register, true));
        }
    }

    fn write(&mut self, register: Register, time: usize) {
        let end = self.end(register).unwrap_or(time);
        self.close(register, time, end);
    }

    /// Makes a register dead here, and returns the end of its segment.
    fn end(&mut self, register: Register) -> Option<usize> {
        let end = self.open.remove(&register)?;
        self.changes.push((register, false));
        Some(end)
    }

    fn close(&mut self, register: Register, start: usize, end: usize) {
        let segments = &mut self.segments[register.index()];
        match segments.last_mut() {
            Some(next) if next.start <= end + 1 => next.start = start,
            _ => segments.push(Segment { start, end }),
        }
    }

    fn instruction(&mut self, position: usize, instruction: &Instruction<Register>, words: bool) {
        let late = usize::from(words || instruction.reads_first());
        instruction.visit(|_| {}, |slot| self.write(slot, 2 * position + late));
        self.branch(position, instruction.targets());
        let read = |source: Source<Register>| {
            if let Some(register) = source.place() {
                self.read(register, 2 * position);
            }
        };
        instruction.visit(read, |_| {});
    }

    /// A conditional jump: the registers that are alive at a target are alive here too. No earlier step jumps to a position between
    /// here and the targets, so only the net changes since then are kept.
    fn branch(&mut self, position: usize, targets: &[Target]) {
        let mut passed: Vec<usize> = targets
            .iter()
            .map(|t| self.passed[&(*t as usize)])
            .collect();
        passed.sort_unstable();
        let Some(first) = passed.first().copied() else {
            return;
        };
        // The last change of each register up to now.
        let mut last: FxHashMap<Register, usize> = FxHashMap::default();
        let mut arriving = Vec::new();
        for at in first..self.changes.len() {
            let (register, is_alive) = self.changes[at];
            let since = last.insert(register, at).map_or(first, |before| before + 1);
            let next = passed.partition_point(|passed| *passed < since);
            if !is_alive && passed.get(next).is_some_and(|passed| *passed <= at) {
                arriving.push(register);
            }
        }
        for register in arriving {
            self.read(register, 2 * position + 1);
        }
        // If some of the branches jump to the common end, the changes are counted from there.
        let ends = targets
            .iter()
            .filter_map(|t| self.ends.remove(&(*t as usize)));
        let end = ends.min_by_key(|(_, changes)| *changes);
        self.passed.extend(end);
        self.settle(end.map_or(first, |(_, changes)| changes));
    }

    /// Replaces the changes since the change with this number by their net effect.
    fn settle(&mut self, change: usize) {
        let changed = self.changed_since(change);
        self.changes.truncate(change);
        for (register, was_alive) in changed {
            if self.open.contains_key(&register) != was_alive {
                self.changes.push((register, !was_alive));
            }
        }
    }

    /// A forward jump: the registers that are alive at the following position don't count, only those at the target.
    fn jump(&mut self, position: usize, target: usize) {
        let passed = self.passed[&target];
        for (register, was_alive) in self.changed_since(passed) {
            match was_alive {
                true => self.read(register, 2 * position + 1),
                false => self.cut(position, register),
            }
        }
        self.ends.insert(position + 1, (target, passed));
        // From here on, the set of live registers is the same as at the target.
        self.passed.insert(target, self.changes.len());
    }

    /// The jump at the end of a loop. Alive at the head are the loop's state, what the loop reads of values from before it, and values from
    /// before it that are needed after it. If the loop may end at this jump, these are also all that is alive after it.
    fn go_back(
        &mut self,
        position: usize,
        around: &Loop,
        invariants: &FxHashSet<Register>,
        code: &Code,
    ) {
        // Registers are numbered by the positions of the steps that set them first.
        let inside = code.defined.partition_point(|first| *first < around.head);
        let inside = self.open.range(Register(inside as u32)..);
        let ended: Vec<Register> = inside
            .map(|(register, _)| *register)
            .filter(|register| !around.state.contains(register))
            .collect();
        for register in ended {
            self.cut(position, register);
        }
        for register in invariants.iter().chain(&around.state) {
            self.read(*register, 2 * position + 1);
        }
    }

    /// Makes a register that is alive after a position dead at the position.
    fn cut(&mut self, position: usize, register: Register) {
        if let Some(end) = self.end(register) {
            self.close(register, 2 * position + 2, end);
        }
    }
}
