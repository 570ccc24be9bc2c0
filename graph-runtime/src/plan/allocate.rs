//! Allocation: registers whose lives don't overlap share a slot (linear scan over intervals). A slot holds arrays of
//! one dtype, so its buffer is allocated once and reused.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use graph_kernels::DType;
use rustc_hash::FxHashMap;

use super::lower::{Code, Step};
use super::{Slot, Source};

/// When a register holds a value that is still needed: from its first touch to its last, both included. Time runs
/// twice as fast as positions: step `p` reads at `2p`. Moves write at `2p + 1`, so they can hand on a slot; kernels
/// write at `2p`, so that an output is never the slot of an operand.
#[derive(Clone, Copy)]
struct Interval {
    start: usize,
    end: usize,
}

/// Which slot each register got.
pub(super) struct Allocation {
    slots: Vec<Slot>,
    intervals: Vec<Interval>,
    /// How many slots there are.
    pub count: usize,
}

impl Allocation {
    /// The slot of a register.
    pub fn slot(&self, register: Slot) -> Slot {
        self.slots[register.index()]
    }

    /// A source with its register's slot.
    pub fn source(&self, source: Source) -> Source {
        match source {
            Source::Slot(register) => Source::Slot(self.slot(register)),
            other => other,
        }
    }

    /// True if nothing reads the source after the step at this position.
    pub fn dies_at(&self, source: Source, position: usize) -> bool {
        matches!(source, Source::Slot(register) if self.intervals[register.index()].end == 2 * position)
    }
}

/// Gives every register of the code a slot.
pub(super) fn allocate(code: &Code) -> Allocation {
    let intervals = intervals(code);
    let hints = hints(code);
    let mut order: Vec<usize> = (0..intervals.len()).collect();
    order.sort_by_key(|r| intervals[*r].start);

    let mut slots = vec![Slot(0); intervals.len()];
    let mut free: FxHashMap<DType, Vec<Slot>> = FxHashMap::default();
    let mut active = BinaryHeap::new();
    let mut count = 0;
    for register in order {
        let Interval { start, end } = intervals[register];
        while let Some(Reverse((_, done))) = active
            .peek()
            .copied()
            .filter(|Reverse((end, _))| *end < start)
        {
            active.pop();
            free.entry(code.registers[done])
                .or_default()
                .push(slots[done]);
        }
        let free = free.entry(code.registers[register]).or_default();
        let hinted = hints
            .get(&register)
            .and_then(|hint| free.iter().position(|s| *s == slots[*hint]));
        slots[register] = match hinted {
            Some(position) => free.swap_remove(position),
            None => free.pop().unwrap_or_else(|| {
                count += 1;
                Slot(count - 1)
            }),
        };
        active.push(Reverse((end, register)));
    }
    Allocation {
        slots,
        intervals,
        count: count as usize,
    }
}

/// Register → the register whose value it takes over first: sharing its slot makes that move nothing at all.
fn hints(code: &Code) -> FxHashMap<usize, usize> {
    let mut hints = FxHashMap::default();
    for step in &code.steps {
        let Step::Moves(moves) = step else { continue };
        for (to, from) in moves {
            if let Source::Slot(from) = from {
                hints.entry(to.index()).or_insert(from.index());
            }
        }
    }
    hints
}

fn intervals(code: &Code) -> Vec<Interval> {
    // A register that is never touched (the output of a branch nobody takes a value from) lives nowhere.
    let mut lives = Lives {
        intervals: vec![None; code.registers.len()],
        open: Vec::new(),
    };
    let mut loops = code.loops.clone();
    // Of loops that start together, the outer one opens first.
    loops.sort_by_key(|(start, end)| (*start, Reverse(*end)));
    let mut loops = loops.into_iter().peekable();
    for (position, step) in code.steps.iter().enumerate() {
        lives.open.retain(|(_, end)| *end >= position);
        while let Some(next) = loops.next_if(|(start, _)| *start <= position) {
            lives.open.push(next);
        }
        match step {
            Step::Do(instruction) => {
                let mut touched = Vec::new();
                instruction.visit(|source| touched.push(source), |_| {});
                instruction.visit(|_| {}, |slot| touched.push(Source::Slot(slot)));
                touched
                    .into_iter()
                    .for_each(|source| lives.touch(source, 2 * position));
            }
            Step::Moves(moves) => {
                moves
                    .iter()
                    .for_each(|(_, from)| lives.touch(*from, 2 * position));
                moves
                    .iter()
                    .for_each(|(to, _)| lives.touch(Source::Slot(*to), 2 * position + 1));
            }
        }
    }
    lives.open.clear();
    code.outputs
        .iter()
        .for_each(|source| lives.touch(*source, 2 * code.steps.len()));
    lives
        .intervals
        .into_iter()
        .map(|i| i.unwrap_or(Interval { start: 0, end: 0 }))
        .collect()
}

struct Lives {
    intervals: Vec<Option<Interval>>,
    /// First and last position of the loops around the current step, outer ones first.
    open: Vec<(usize, usize)>,
}

impl Lives {
    fn touch(&mut self, source: Source, time: usize) {
        let Source::Slot(register) = source else {
            return;
        };
        let interval = self.intervals[register.index()].get_or_insert(Interval {
            start: time,
            end: time,
        });
        // What comes from outside of a loop is needed again in its next iteration.
        let around = self
            .open
            .iter()
            .find(|(start, _)| 2 * start > interval.start);
        let end = around.map_or(time, |(_, end)| 2 * end + 1);
        interval.end = interval.end.max(end);
    }
}
