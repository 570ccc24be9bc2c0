//! Liveness: when each register holds a value that is still needed, found by one walk over the steps from the last to
//! the first. Loop state and the outputs of branches are written in several places, so a life has holes: the state of a
//! loop is dead from its last use in an iteration until the next iteration's value is moved in. What dies there can be
//! updated in place.

use rustc_hash::{FxHashMap, FxHashSet};

use super::lower::{Code, Loop, Step};
use super::{Instruction, Slot, Source};

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
    pub fn of(&self, register: Slot) -> &[Segment] {
        &self.0[register.index()]
    }

    /// True if nothing reads the register's value after the step at this position.
    pub fn dies_at(&self, register: Slot, position: usize) -> bool {
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
        segments: vec![Vec::new(); code.registers.len()],
        open: FxHashMap::default(),
        entries: targets(code),
    };
    let invariants = invariants(code);
    let read = |source: &Source| match source {
        Source::Slot(register) => Some(*register),
        _ => None,
    };
    for register in code.outputs.iter().filter_map(read) {
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
                if let Some(register) = condition.as_ref().and_then(read) {
                    walk.read(register, 2 * position);
                }
            }
            Step::Do(Instruction::Jump(target)) => walk.jump(position, *target as usize),
            Step::Do(instruction) => walk.instruction(position, instruction, code.words),
            Step::Moves(moves) => {
                for (to, _) in moves {
                    walk.write(*to, 2 * position + 1);
                }
                for register in moves.iter().filter_map(|(_, from)| read(from)) {
                    walk.read(register, 2 * position);
                }
            }
        }
    }
    walk.segments.iter_mut().for_each(|s| s.reverse());
    Lives(walk.segments)
}

/// The positions that are jumped to, with the registers alive there once the walk has passed them.
fn targets(code: &Code) -> FxHashMap<usize, FxHashSet<Slot>> {
    let mut targets = FxHashMap::default();
    for step in &code.steps {
        if let Step::Do(instruction) = step {
            for target in instruction.targets() {
                targets.insert(*target as usize, FxHashSet::default());
            }
        }
    }
    targets
}

/// For each loop the registers from outside that its steps read.
fn invariants(code: &Code) -> Vec<FxHashSet<Slot>> {
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
        let mut add = |source: Source| {
            let Source::Slot(register) = source else {
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
    open: FxHashMap<Slot, usize>,
    /// The registers alive at the targets of jumps.
    entries: FxHashMap<usize, FxHashSet<Slot>>,
}

impl Walk {
    /// Notes what is alive where a jump may arrive.
    fn enter(&mut self, position: usize) {
        if let Some(alive) = self.entries.get_mut(&position) {
            alive.extend(self.open.keys());
        }
    }

    fn read(&mut self, register: Slot, time: usize) {
        self.open.entry(register).or_insert(time);
    }

    fn write(&mut self, register: Slot, time: usize) {
        let end = self.open.remove(&register).unwrap_or(time);
        self.close(register, time, end);
    }

    fn close(&mut self, register: Slot, start: usize, end: usize) {
        let segments = &mut self.segments[register.index()];
        match segments.last_mut() {
            Some(next) if next.start <= end + 1 => next.start = start,
            _ => segments.push(Segment { start, end }),
        }
    }

    fn instruction(&mut self, position: usize, instruction: &Instruction, words: bool) {
        let late = usize::from(words || instruction.reads_first());
        instruction.visit(|_| {}, |slot| self.write(slot, 2 * position + late));
        // What is alive where a conditional jump arrives is alive at the jump.
        for target in instruction.targets() {
            for register in &self.entries[&(*target as usize)] {
                self.open.entry(*register).or_insert(2 * position + 1);
            }
        }
        let mut reads = Vec::new();
        instruction.visit(|source| reads.push(source), |_| {});
        for source in reads {
            if let Source::Slot(register) = source {
                self.read(register, 2 * position);
            }
        }
    }

    /// A jump forward: what is alive behind it in the list doesn't count.
    fn jump(&mut self, position: usize, target: usize) {
        let alive = self.entries[&target].clone();
        self.continue_with(position, alive);
    }

    /// The jump at the end of a loop: alive at its head are the state, what the loop reads of what was there before it,
    /// and what is needed behind the loop and was there before it. That is all that is alive behind the jump, if the loop may end there.
    fn go_back(
        &mut self,
        position: usize,
        around: &Loop,
        invariants: &FxHashSet<Slot>,
        code: &Code,
    ) {
        let before = |register: &&Slot| code.defined[register.index()] < around.head;
        let mut alive: FxHashSet<Slot> = self.open.keys().filter(before).copied().collect();
        alive.extend(invariants);
        alive.extend(&around.state);
        self.continue_with(position, alive);
    }

    fn continue_with(&mut self, position: usize, alive: FxHashSet<Slot>) {
        let ended: Vec<(Slot, usize)> = self
            .open
            .extract_if(|register, _| !alive.contains(register))
            .collect();
        for (register, end) in ended {
            self.close(register, 2 * position + 2, end);
        }
        for register in alive {
            self.open.entry(register).or_insert(2 * position + 1);
        }
    }
}
