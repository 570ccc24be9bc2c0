//! Allocation: assigns a slot to every register. Registers whose lives don't overlap share a slot (linear scan over
//! lives with holes). A slot holds arrays of one dtype, so its buffer is allocated once and reused. A register that receives
//! the value of another one, by a move or by an update in place, shares its slot if their lives allow it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use graph_kernels::DType;
use rustc_hash::{FxHashMap, FxHashSet};

use super::liveness::{Lives, Segment, lives};
use super::lower::{Code, CodeStep, Contents};
use super::{Instruction, Register, Slot, Source};
use crate::sets::Sets;

/// The slot of each register.
pub(super) struct Allocation {
    slots: Vec<Slot>,
    lives: Lives,
    /// The positions of the kernels that overwrite an operand.
    in_place: FxHashSet<usize>,
    /// The dtype of each slot.
    pub dtypes: Vec<DType>,
    /// How many bytes the slots need for values whose sizes are known at compile time.
    pub bytes: usize,
}

impl Allocation {
    /// The slot of a register.
    pub fn slot(&self, register: Register) -> Slot {
        self.slots[register.index()]
    }

    /// A source with its register's slot.
    pub fn source(&self, source: Source<Register>) -> Source {
        source.map(|register| self.slot(register))
    }

    /// When registers are alive.
    #[cfg(test)]
    pub fn lives(&self) -> &Lives {
        &self.lives
    }

    /// True if nothing reads the source after the step at this position.
    pub fn dies_at(&self, source: Source<Register>, position: usize) -> bool {
        let register = source.place();
        register.is_some_and(|register| self.lives.dies_at(register, position))
    }

    /// True if the step at this position or a later step reads the value that the register holds there.
    pub fn is_read_at_or_after(&self, register: Register, position: usize) -> bool {
        let time = 2 * position;
        let mut lives = self.lives.of(register).iter();
        lives.any(|s| s.start <= time && time <= s.end)
    }

    /// True if the kernel at this position overwrites an operand.
    pub fn in_place(&self, position: usize) -> bool {
        self.in_place.contains(&position)
    }
}

/// Gives every register of the code a slot.
pub(super) fn allocate(code: &Code) -> Allocation {
    let lives = lives(code);
    let updates = updates(code, &lives);
    let mut moved = Moved::of(code);
    let touched = |register: &Register| !lives.of(*register).is_empty();
    let mut order: Vec<Register> = code.registers().filter(touched).collect();
    order.sort_by_key(|r| lives.of(*r)[0].start);

    let mut slots = Slots::default();
    let mut in_place = FxHashSet::default();
    let mut assigned: Vec<Option<Slot>> = vec![None; code.contents.len()];
    for register in order {
        let contents = match code.contents[register.index()] {
            // All words have the same type.
            _ if code.words => Contents {
                dtype: DType::I64,
                bytes: 8,
            },
            contents => contents,
        };
        let segments = lives.of(register);
        slots.release_before(segments[0].start);
        let updated = updates.get(&register).and_then(|(position, operands)| {
            let after = behind_reads(segments);
            let mut at = operands
                .iter()
                .filter_map(|operand| assigned[operand.index()]);
            let slot = at.find(|slot| slots.share(*slot, contents, &after))?;
            in_place.insert(*position);
            Some(slot)
        });
        let slot = updated
            .or_else(|| {
                let mut used = moved.slots(register).iter().copied();
                used.find(|slot| slots.share(*slot, contents, segments))
            })
            .unwrap_or_else(|| slots.take(contents, segments));
        moved.note(register, slot);
        assigned[register.index()] = Some(slot);
    }
    Allocation {
        // A register that no step reads or writes has no life, so any slot will do.
        slots: assigned
            .into_iter()
            .map(|slot| slot.unwrap_or(Slot(0)))
            .collect(),
        lives,
        in_place,
        dtypes: slots.all.iter().map(|slot| slot.dtype).collect(),
        bytes: slots
            .all
            .iter()
            .map(|slot| slot.bytes)
            .fold(0, usize::saturating_add),
    }
}

/// For each output that can overwrite an operand: the position of its kernel and these operands. An operand can be overwritten if it
/// dies at the kernel, and if the kernel reads from it only the elements that it overwrites.
fn updates(code: &Code, lives: &Lives) -> FxHashMap<Register, (usize, Vec<Register>)> {
    let update = |(position, step): (usize, &CodeStep)| {
        let CodeStep::Do(instruction) = step else {
            return None;
        };
        let (output, operands) = overwritable(instruction)?;
        let dies = operands
            .into_iter()
            .filter(|operand| lives.dies_at(*operand, position));
        Some((output, (position, dies.collect())))
    };
    let steps = code.steps.iter().enumerate();
    steps.filter(|_| code.in_place).filter_map(update).collect()
}

/// The output of an instruction and the operands that it may overwrite.
fn overwritable(instruction: &Instruction<Register>) -> Option<(Register, Vec<Register>)> {
    match instruction {
        Instruction::Kernel {
            op, inputs, output, ..
        } => {
            let (first, others) = inputs.split_first()?;
            let alone = op.in_place.is_some() && !others.contains(first);
            let first = first.place().filter(|_| alone);
            Some((*output, first.into_iter().collect()))
        }
        Instruction::Fused {
            inputs,
            overwritable,
            output,
            ..
        } => {
            let fits = inputs.iter().zip(overwritable).filter(|(_, fits)| **fits);
            let registers = fits.filter_map(|(source, _)| source.place());
            Some((*output, registers.collect()))
        }
        _ => None,
    }
}

/// The life of an output that is written after its operands have been read.
fn behind_reads(segments: &[Segment]) -> Vec<Segment> {
    let mut segments = segments.to_vec();
    segments[0].start += 1;
    segments[0].end = segments[0].end.max(segments[0].start);
    segments
}

/// How many slots are tried for registers that are connected by moves.
const MAX_TRIED: usize = 6;

/// Sets of registers that are connected by moves. A move between registers in the same slot needs no instruction.
struct Moved {
    sets: Sets,
    /// For the register that represents a set, the slots of the registers in the set.
    slots: FxHashMap<usize, Vec<Slot>>,
}

impl Moved {
    fn of(code: &Code) -> Moved {
        let mut moved = Moved {
            sets: Sets::new(code.contents.len()),
            slots: FxHashMap::default(),
        };
        for step in &code.steps {
            let CodeStep::Moves(moves) = step else {
                continue;
            };
            for (to, from) in moves {
                if let Some(from) = from.place() {
                    moved.sets.join(to.index(), from.index());
                }
            }
        }
        moved
    }

    /// The slots of the registers that are connected with this one by moves.
    fn slots(&mut self, register: Register) -> &[Slot] {
        let set = self.sets.root(register.index());
        self.slots.get(&set).map_or(&[], Vec::as_slice)
    }

    fn note(&mut self, register: Register, slot: Slot) {
        let set = self.sets.root(register.index());
        let slots = self.slots.entry(set).or_default();
        if slots.len() < MAX_TRIED && !slots.contains(&slot) {
            slots.push(slot);
        }
    }
}

/// The slots while registers are assigned to them one by one.
#[derive(Default)]
struct Slots {
    all: Vec<Occupied>,
    /// Slots whose lives have ended, by dtype.
    free: FxHashMap<DType, Vec<Slot>>,
    /// The ends of lives, the next one first.
    ends: BinaryHeap<Reverse<(usize, Slot)>>,
}

/// When a slot is in use.
struct Occupied {
    dtype: DType,
    /// The number of bytes of the slot's largest value.
    bytes: usize,
    /// Start → end.
    segments: BTreeMap<usize, usize>,
    /// The end of the last segment.
    end: usize,
    /// True if it is in the list of free slots.
    is_free: bool,
}

impl Slots {
    /// Frees the slots whose lives have ended before this time.
    fn release_before(&mut self, time: usize) {
        while let Some(Reverse((end, slot))) = self.ends.peek().copied()
            && end < time
        {
            self.ends.pop();
            let occupied = &mut self.all[slot.index()];
            // The slot may have been given to another register in the meantime.
            if occupied.end == end && !occupied.is_free {
                occupied.is_free = true;
                self.free.entry(occupied.dtype).or_default().push(slot);
            }
        }
    }

    /// Assigns the slot for these segments if the dtype is the same and the slot is unused during all of them.
    fn share(&mut self, slot: Slot, contents: Contents, segments: &[Segment]) -> bool {
        let Contents { dtype, bytes } = contents;
        let occupied = &self.all[slot.index()];
        let is_free = |s: &Segment| {
            let before = occupied.segments.range(..=s.end).next_back();
            before.is_none_or(|(_, end)| *end < s.start)
        };
        if occupied.dtype != dtype || !segments.iter().all(is_free) {
            return false;
        }
        let is_free = occupied.is_free;
        if let Some(free) = self.free.get_mut(&dtype).filter(|_| is_free) {
            free.retain(|other| *other != slot);
        }
        self.occupy(slot, bytes, segments);
        true
    }

    /// Takes a free slot, or adds a slot if none fits.
    fn take(&mut self, contents: Contents, segments: &[Segment]) -> Slot {
        let Contents { dtype, bytes } = contents;
        let slot = self.best(dtype, bytes).unwrap_or_else(|| {
            let segments = BTreeMap::new();
            self.all.push(Occupied {
                dtype,
                bytes: 0,
                segments,
                end: 0,
                is_free: false,
            });
            Slot(self.all.len() as u32 - 1)
        });
        self.occupy(slot, bytes, segments);
        slot
    }

    /// The free slot of similar size that fits best: the smallest slot with at least `bytes` bytes, otherwise the
    /// largest one. Among equal slots it takes the one that was freed last, because its buffer may still be in cache.
    fn best(&mut self, dtype: DType, bytes: usize) -> Option<Slot> {
        let free = self.free.get_mut(&dtype)?;
        let has = |i: &usize| self.all[free[*i].index()].bytes;
        let fits = (0..free.len())
            .rev()
            .take(MAX_COMPARED)
            .filter(|i| similar(has(i), bytes));
        let best = fits.min_by_key(|i| (has(i) < bytes, has(i).abs_diff(bytes)))?;
        Some(free.remove(best))
    }

    fn occupy(&mut self, slot: Slot, bytes: usize, segments: &[Segment]) {
        let occupied = &mut self.all[slot.index()];
        occupied.is_free = false;
        occupied.bytes = occupied.bytes.max(bytes);
        occupied
            .segments
            .extend(segments.iter().map(|s| (s.start, s.end)));
        let last = segments.last().map_or(0, |s| s.end);
        if last >= occupied.end {
            occupied.end = last;
            self.ends.push(Reverse((last, slot)));
        }
    }
}

/// How many free slots are compared to find the best one.
const MAX_COMPARED: usize = 64;

/// True if values of one size may use a slot for values of the other size. If small values took large slots, the next large
/// value would need a new slot. A size of 0 means unknown.
fn similar(a: usize, b: usize) -> bool {
    const SMALL: usize = 1024;
    let (less, more) = (a.min(b), a.max(b));
    less == 0 || more <= SMALL || more / 4 <= less
}
