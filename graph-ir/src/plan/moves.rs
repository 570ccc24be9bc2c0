//! The last step of planning: registers become slots, parallel moves become sequences of copies and swaps, and jump
//! targets become positions in the final list.

use rustc_hash::{FxHashMap, FxHashSet};

use super::allocate::Allocation;
use super::lower::{Code, CodeStep};
use super::release::released;
use super::scope::Scope;
use super::{Instruction, Register, Slot, Source, Target};
use crate::error::Location;

/// The final instructions, with their locations and scopes.
pub(super) struct Flat {
    pub instructions: Vec<Instruction>,
    pub locations: Vec<Location>,
    pub scopes: Vec<Scope>,
}

/// Makes the final instructions.
pub(super) fn flatten(code: &Code, allocation: &Allocation) -> Flat {
    let mut instructions = Vec::new();
    let mut locations = Vec::new();
    let mut unused = released(code, allocation);
    // For each step, the position of its first instruction.
    let mut starts: Vec<Target> = Vec::with_capacity(code.steps.len() + 1);
    for (position, (step, location)) in code.steps.iter().zip(&code.locations).enumerate() {
        starts.push(instructions.len() as Target);
        match step {
            CodeStep::Do(instruction) => {
                let mut instruction = instruction.clone();
                match &mut instruction {
                    Instruction::Kernel { in_place, .. } => {
                        *in_place = allocation.in_place(position);
                    }
                    Instruction::Assign { value, dies, .. } => {
                        *dies = allocation.dies_at(*value, position);
                    }
                    _ => {}
                }
                let mut instruction = instruction.map(|register| allocation.slot(register));
                match &mut instruction {
                    Instruction::Assign { released, .. } | Instruction::Update { released, .. } => {
                        *released = unused.remove(&position).unwrap_or_default();
                    }
                    Instruction::Updates(updates) => {
                        updates.released = unused.remove(&position).unwrap_or_default();
                    }
                    _ => {}
                }
                instructions.push(instruction);
            }
            CodeStep::Moves(moves) => {
                instructions.extend(in_order(moves, allocation, position));
            }
        }
        locations.resize(instructions.len(), location.clone());
    }
    starts.push(instructions.len() as Target);
    for target in instructions.iter_mut().flat_map(Instruction::targets_mut) {
        *target = starts[*target as usize];
    }
    let starts: Vec<usize> = starts.iter().map(|start| *start as usize).collect();
    Flat {
        instructions,
        locations,
        scopes: code.scopes.iter().map(|s| s.mapped(&starts)).collect(),
    }
}

/// Turns the parallel moves at a position into a sequence of copies and swaps of slots.
pub(super) fn in_order(
    moves: &[(Register, Source<Register>)],
    allocation: &Allocation,
    position: usize,
) -> Vec<Instruction> {
    let moves = moves.iter().map(|(to, from)| Move {
        to: allocation.slot(*to),
        from: allocation.source(*from),
        dies: allocation.dies_at(*from, position),
    });
    in_sequence(moves.collect())
}

/// One of several parallel moves. No two of them write the same slot.
#[derive(Clone, Copy)]
struct Move {
    to: Slot,
    from: Source,
    /// True if nothing reads the source after these moves.
    dies: bool,
}

/// Orders parallel moves so that no slot is written before all moves that read it are done. A value whose old slot
/// is free afterwards is moved by a swap, which costs nothing; cycles are swapped around.
fn in_sequence(moves: Vec<Move>) -> Vec<Instruction> {
    let mut sequencer = Sequencer::default();
    for m in moves {
        if m.from == Source::Computed(m.to) {
            sequencer.settled.insert(m.to);
        } else {
            sequencer.add(m);
        }
    }
    let mut ready: Vec<Slot> = sequencer
        .pending
        .keys()
        .copied()
        .filter(|to| !sequencer.is_read(*to))
        .collect();
    ready.sort_unstable();
    while let Some(to) = ready.pop() {
        ready.extend(sequencer.perform(to));
    }
    sequencer.rotate_cycles();
    sequencer.sequence
}

#[derive(Default)]
struct Sequencer {
    /// Moves that aren't done yet, by the slot that they write.
    pending: FxHashMap<Slot, Move>,
    /// How many pending moves read each slot.
    readers: FxHashMap<Slot, usize>,
    /// Slots that have their new value.
    settled: FxHashSet<Slot>,
    sequence: Vec<Instruction>,
}

impl Sequencer {
    fn add(&mut self, m: Move) {
        self.pending.insert(m.to, m);
        if let Source::Computed(from) = m.from {
            *self.readers.entry(from).or_insert(0) += 1;
        }
    }

    fn is_read(&self, slot: Slot) -> bool {
        self.readers.get(&slot).is_some_and(|n| *n > 0)
    }

    /// Does the move to a slot that no pending move reads. Returns a slot that no pending move reads any more, if there is a new one.
    fn perform(&mut self, to: Slot) -> Option<Slot> {
        let m = self.pending.remove(&to)?;
        self.settled.insert(to);
        let Source::Computed(from) = m.from else {
            self.sequence.push(Instruction::Copy { to, from: m.from });
            return None;
        };
        if let Some(readers) = self.readers.get_mut(&from) {
            *readers -= 1;
        }
        let overwritten = self.pending.contains_key(&from);
        let free = !self.is_read(from) && !self.settled.contains(&from) && (m.dies || overwritten);
        self.sequence.push(if free {
            Instruction::Swap(to, from)
        } else {
            Instruction::Copy { to, from: m.from }
        });
        (overwritten && !self.is_read(from)).then_some(from)
    }

    /// The remaining moves are cycles: each slot is read by exactly one of them.
    fn rotate_cycles(&mut self) {
        let mut slots: Vec<Slot> = self.pending.keys().copied().collect();
        slots.sort_unstable();
        for first in slots {
            // After each swap, `to` has its new value and `from` holds the old value of `first`.
            let mut to = first;
            while let Some(Move {
                from: Source::Computed(from),
                ..
            }) = self.pending.remove(&to)
            {
                if from != first {
                    self.sequence.push(Instruction::Swap(to, from));
                }
                to = from;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does moves, given as (to, from), on slots that hold their own numbers, for every choice of sources that die.
    fn check(moves: &[(u32, u32)]) {
        for dying in 0..1u32 << 5 {
            let dies = |slot: u32| dying >> slot & 1 == 1;
            let list = moves.iter().map(|(to, from)| Move {
                to: Slot(*to),
                from: Source::Computed(Slot(*from)),
                dies: dies(*from) && !moves.iter().any(|(to, f)| to == from && f != to),
            });
            let mut frame: Vec<u32> = (0..5).collect();
            for instruction in in_sequence(list.collect()) {
                match instruction {
                    Instruction::Copy {
                        to,
                        from: Source::Computed(from),
                    } => frame[to.index()] = frame[from.index()],
                    Instruction::Swap(a, b) => frame.swap(a.index(), b.index()),
                    other => panic!("{other:?}"),
                }
            }
            for slot in 0..5 {
                match moves.iter().find(|(to, _)| *to == slot) {
                    Some((_, from)) => {
                        assert_eq!(frame[slot as usize], *from, "{moves:?} dying {dying:b}")
                    }
                    None if dies(slot) => {}
                    None => assert_eq!(frame[slot as usize], slot, "{moves:?} dying {dying:b}"),
                }
            }
        }
    }

    #[test]
    fn all_parallel_moves_among_five_slots_are_right() {
        // Each slot keeps its value (5) or takes the value of one of the slots: all possible cases.
        for case in 0..6u32.pow(5) {
            let sources = (0..5).map(|slot| (slot, case / 6u32.pow(slot) % 6));
            check(&sources.filter(|(_, from)| *from < 5).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_rotation_needs_no_copies() {
        let moves = [(0, 1), (1, 2), (2, 0)].map(|(to, from)| Move {
            to: Slot(to),
            from: Source::Computed(Slot(from)),
            dies: false,
        });
        let sequence = in_sequence(moves.to_vec());
        let texts: Vec<String> = sequence.iter().map(Instruction::to_string).collect();
        assert_eq!(texts, ["swap s0, s1", "swap s1, s2"]);
    }
}
