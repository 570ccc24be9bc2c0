//! Runs the body of a loop where lanes go different ways. A lane whose iteration is done begins the next one that no lane has begun.

use std::ops::Range;

use super::addresses::AtStep;
use super::chains::Codes;
use super::file::File;
use super::groups::{Bits, Groups};
use super::steps::{Body, LaneStep};
use crate::words::live::Set;
use crate::words::{Memory, Registers};

/// The most lanes: as many as a word has bits.
const LANES: usize = Bits::BITS as usize;

/// `None` if a step fails.
pub(super) fn run(
    body: &Body,
    codes: Option<&Codes>,
    registers: &Registers,
    memory: &mut Memory<'_>,
    iterations: Range<i64>,
) -> Option<()> {
    let count = usize::try_from(iterations.end.checked_sub(iterations.start)?).ok()?;
    let lanes = count.min(LANES);
    File::with(&body.slots, lanes, |file| {
        for (register, slot) in &body.spread {
            file.fill(*slot, registers[usize::from(*register)]);
        }
        let mut run = Run {
            body,
            codes,
            file,
            registers,
            groups: Groups::new(lanes),
            iterations,
            kept: Set::default(),
        };
        run.begin();
        run.changed();
        run.steps(memory)
    })
}

struct Run<'a, 'b> {
    body: &'a Body,
    codes: Option<&'a Codes>,
    file: &'a mut File<'b>,
    registers: &'a Registers,
    groups: Groups,
    /// The iterations that no lane has begun.
    iterations: Range<i64>,
    /// The slots that the lanes at other steps need.
    kept: Set,
}

impl Run<'_, '_> {
    fn steps(&mut self, memory: &mut Memory<'_>) -> Option<()> {
        loop {
            let changed = match self.body.steps.get(self.groups.at) {
                Some(_) if self.run_code() => self.groups.advance(),
                Some(step) => self.step(step, memory)?,
                None if self.begin() => true,
                None => return Some(()),
            };
            if changed {
                self.changed();
            }
        }
    }

    /// Does the chain that begins at the present step, if it has code, and goes to its last step. No group waits inside a chain.
    #[inline(always)]
    fn run_code(&mut self) -> bool {
        let Some(codes) = self.codes else {
            return false;
        };
        let found = self.body.chains.at(codes, self.groups.at);
        let done = found.filter(|(chain, code)| self.file.run_code(chain, *code, &self.kept));
        if let Some((chain, _)) = done {
            self.groups.at = chain.range.end - 1;
        }
        done.is_some()
    }

    /// Gives each active lane its next iteration, as long as there are some. Returns false if no lane has one.
    fn begin(&mut self) -> bool {
        let mut begun = 0;
        for lane in lanes(self.groups.active) {
            let Some(iteration) = self.iterations.next() else {
                break;
            };
            self.file.set_number(self.body.counter, lane, iteration);
            begun |= 1 << lane;
        }
        self.groups.begin(begun)
    }

    /// Notes which lanes are active now, and what the others need.
    fn changed(&mut self) {
        self.kept = Set::default();
        for at in self.groups.waiting() {
            self.kept.add(&self.body.lives[at]);
        }
        if self.groups.is_apart() {
            self.file.set_active(self.groups.active);
        }
    }

    /// Returns true if the active lanes are others than before.
    #[inline(always)]
    fn step(&mut self, step: &LaneStep, memory: &mut Memory<'_>) -> Option<bool> {
        let active = self.groups.active;
        let at_step = AtStep {
            lanes: lanes(active),
            words: self.registers,
            first: 0,
        };
        match step {
            LaneStep::Apply(apply) => self.file.apply(apply, self.kept.contains(apply.to)),
            LaneStep::Copy { to, from } => self.file.copy(*to, *from, self.kept.contains(*to)),
            LaneStep::Swap(a, b) => {
                let keeps = [a, b].iter().any(|slot| self.kept.contains(**slot));
                self.file.swap(*a, *b, keeps);
            }
            LaneStep::Read { from, address, to } => {
                at_step.read(self.file, memory, (*from, address, *to))?;
            }
            LaneStep::Write {
                list,
                address,
                from,
                grows,
            } => at_step.write(self.file, memory, (*list, address, *grows), from)?,
            LaneStep::Assert(condition) => {
                (bits(self.file.truths(*condition)) & active == active).then_some(())?;
            }
            LaneStep::AssertWord(condition) => {
                (self.registers[usize::from(*condition)] & 1 == 1).then_some(())?;
            }
            LaneStep::Jump(target) => return Some(self.groups.jump(*target)),
            LaneStep::Unless {
                condition,
                test,
                target,
            } => {
                if let Some(test) = test {
                    self.file.apply(test, false);
                }
                let leave = active & !bits(self.file.truths(*condition));
                return Some(match leave {
                    0 => self.groups.advance(),
                    all if all == active => self.groups.jump(*target),
                    some => {
                        self.groups.part(self.groups.at + 1, some, *target);
                        true
                    }
                });
            }
            LaneStep::UnlessWord {
                function,
                operands,
                target,
            } => {
                let [a, b] = operands.map(|register| self.registers[usize::from(register)]);
                let holds = match function {
                    Some(function) => function([a, b, 0]).ok()?,
                    None => a,
                };
                if holds & 1 == 0 {
                    return Some(self.groups.jump(*target));
                }
            }
            // All that the loop writes is compiled to lanes.
            LaneStep::Word { .. }
            | LaneStep::MoveWord { .. }
            | LaneStep::SwapWords(..)
            | LaneStep::ReadWord { .. } => return None,
        }
        Some(self.groups.advance())
    }
}

/// The numbers of the lanes in a set.
fn lanes(mut set: Bits) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        let lane = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lane
    })
}

/// Truth values as bits.
fn bits(truths: &[bool]) -> Bits {
    let words = truths.chunks(u64::BITS as usize).rev();
    words.fold(0, |bits, truths| {
        bits << u64::BITS | Bits::from(word(truths))
    })
}

/// Up to 64 truth values as bits: eight at a time, by a product that moves the lowest bit of each byte to its place in the highest byte.
fn word(truths: &[bool]) -> u64 {
    let mut bits = 0;
    for (n, eight) in truths.chunks(8).enumerate() {
        let mut bytes = [0; 8];
        bytes[..eight.len()].copy_from_slice(bytemuck::cast_slice(eight));
        let product = u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080);
        bits |= (product >> 56) << (8 * n);
    }
    bits
}
