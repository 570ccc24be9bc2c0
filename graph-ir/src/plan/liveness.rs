//! Liveness: when each register holds a value that is still needed, found by one walk over the steps from the last to
//! the first. Loop state and the outputs of branches are written in several places, so a life has holes: the state of a
//! loop is dead from its last use in an iteration until the next iteration's value is moved in. What dies there can be
//! updated in place.
//!
//! A jump doesn't look at all that is alive, which may be as much as the graph has values: what was alive at its target is told by what has
//! changed since the walk was there.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use super::lower::{Code, Loop, Step};
use super::{Instruction, Register, Source, Target};
use crate::graph::steps;

/// A piece of a register's life, both ends included. Time runs twice as fast as positions: step `p` reads at `2p`. Moves
/// write at `2p + 1`, so they can hand on a slot; kernels write at `2p`, so that an output is no operand's slot, unless they read all they need first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub start: usize,
    pub end: usize,
}

/// The lives of all registers: disjoint segments in ascending order; none for a register that nothing touches.
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
            Step::Do(Instruction::Repeat {
                number, condition, ..
            }) => {
                let index = *number as usize;
                walk.go_back(position, &code.loops[index], &invariants[index], code);
                if let Some(register) = condition.and_then(Source::place) {
                    walk.read(register, 2 * position);
                }
            }
            Step::Do(Instruction::Jump(target)) => walk.jump(position, *target as usize),
            Step::Do(instruction) => walk.instruction(position, instruction, code.words),
            Step::Moves(moves) => {
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

/// The positions that are jumped to.
fn targets(code: &Code) -> FxHashMap<usize, usize> {
    let instructions = code.steps.iter().filter_map(|step| match step {
        Step::Do(instruction) => Some(instruction),
        Step::Moves(_) => None,
    });
    let targets = instructions.flat_map(Instruction::targets);
    targets.map(|target| (*target as usize, 0)).collect()
}

/// For each loop the registers from outside that its steps read.
fn invariants(code: &Code) -> Vec<FxHashSet<Register>> {
    let mut invariants = vec![FxHashSet::default(); code.loops.len()];
    let mut heads: Vec<usize> = (0..code.loops.len()).collect();
    // Of loops that start together, the outer one opens first.
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
            Step::Do(instruction) => instruction.visit(add, |_| {}),
            Step::Moves(moves) => moves.iter().for_each(|(_, from)| add(*from)),
        }
    }
    invariants
}

struct Walk {
    /// Finished segments of each register, the last one first.
    segments: Vec<Vec<Segment>>,
    /// The registers that are alive here, with the end of the segment.
    open: BTreeMap<Register, usize>,
    /// What has become alive (true) or isn't any more (false), in the order of the walk.
    changes: Vec<(Register, bool)>,
    /// How many changes there were at each target of a jump that the walk has passed.
    passed: FxHashMap<usize, usize>,
    /// Behind each jump from a branch to the end of all branches: that end, and how many changes there were.
    ends: FxHashMap<usize, (usize, usize)>,
}

impl Walk {
    /// Takes note of a place where a jump may arrive.
    fn enter(&mut self, position: usize) {
        if let Some(changes) = self.passed.get_mut(&position) {
            *changes = self.changes.len();
        }
    }

    /// The registers that have changed since some change, with whether they were alive before it.
    fn changed_since(&self, change: usize) -> FxHashMap<Register, bool> {
        steps::count(self.changes.len() - change);
        let mut changed = FxHashMap::default();
        for (register, is_alive) in &self.changes[change..] {
            changed.entry(*register).or_insert(!is_alive);
        }
        changed
    }

    /// Lets a register be alive up to a time, unless it is anyway.
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

    /// Lets a register not be alive here; gives the end of its segment.
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

    /// A conditional jump: what is alive where it may arrive is alive here. Nothing before it jumps to anywhere in between, so of the changes since then
    /// those stay that are left.
    fn branch(&mut self, position: usize, targets: &[Target]) {
        let mut passed: Vec<usize> = targets
            .iter()
            .map(|t| self.passed[&(*t as usize)])
            .collect();
        passed.sort_unstable();
        let Some(first) = passed.first().copied() else {
            return;
        };
        // The last change of each register so far.
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
        // From where the branches end, if some of them jump there.
        let ends = targets
            .iter()
            .filter_map(|t| self.ends.remove(&(*t as usize)));
        let end = ends.min_by_key(|(_, changes)| *changes);
        self.passed.extend(end);
        self.settle(end.map_or(first, |(_, changes)| changes));
    }

    /// Of the changes since one of them only those that are left.
    fn settle(&mut self, change: usize) {
        let changed = self.changed_since(change);
        self.changes.truncate(change);
        for (register, was_alive) in changed {
            if self.open.contains_key(&register) != was_alive {
                self.changes.push((register, !was_alive));
            }
        }
    }

    /// A jump forward: what is alive behind it in the list doesn't count.
    fn jump(&mut self, position: usize, target: usize) {
        let passed = self.passed[&target];
        for (register, was_alive) in self.changed_since(passed) {
            match was_alive {
                true => self.read(register, 2 * position + 1),
                false => self.cut(position, register),
            }
        }
        self.ends.insert(position + 1, (target, passed));
        // Here it is again as it was there.
        self.passed.insert(target, self.changes.len());
    }

    /// The jump at the end of a loop: alive at its head are the state, what the loop reads of what was there before it,
    /// and what is needed behind the loop and was there before it. That is all that is alive behind the jump, if the loop may end there.
    fn go_back(
        &mut self,
        position: usize,
        around: &Loop,
        invariants: &FxHashSet<Register>,
        code: &Code,
    ) {
        // Registers are numbered in the order of their first steps.
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

    /// Lets a register be alive behind a position but not there.
    fn cut(&mut self, position: usize, register: Register) {
        if let Some(end) = self.end(register) {
            self.close(register, 2 * position + 2, end);
        }
    }
}
