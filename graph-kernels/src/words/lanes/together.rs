//! Runs the body of a loop where all lanes go the same way: the conditions of its jumps are the same in all lanes, so they are words.

use std::ops::Range;

use super::addresses::{AtStep, wide};
use super::chains::Codes;
use super::file::File;
use super::steps::{Address, Body, LaneStep, Number};
use crate::words::live::Set;
use crate::words::{Memory, Registers};

/// The most lanes: with this many values each, the blocks of all registers fit into the nearest cache.
const LANES: usize = 256;

/// Blocks have a multiple of this number of lanes: two of the largest vectors of the smallest numbers.
const WHOLE: usize = 32;

/// `None` if a step fails.
pub(super) fn run(
    body: &Body,
    codes: Option<&Codes>,
    registers: &Registers,
    memory: &mut Memory<'_>,
    iterations: Range<i64>,
) -> Option<()> {
    let count = usize::try_from(iterations.end.checked_sub(iterations.start)?).ok()?;
    let lanes = count.div_ceil(count.div_ceil(LANES));
    // Whole vectors, so that only the last block has a rest. Its other lanes have the iterations of the block before; there are no lanes that
    // never had one, which might run without end.
    let lanes = lanes.next_multiple_of(WHOLE).min(count);
    File::with(&body.slots, lanes, |file| {
        let mut words = *registers;
        for (register, slot) in &body.spread {
            file.fill(*slot, words[usize::from(*register)]);
        }
        for first in iterations.clone().step_by(lanes) {
            let left = iterations.end - first;
            let lanes = lanes.min(usize::try_from(left).unwrap_or(lanes));
            for lane in 0..lanes {
                file.set_number(body.counter, lane, first + lane as i64);
            }
            block((body, codes), file, &mut words, memory, (first, lanes))?;
        }
        Some(())
    })
}

/// Runs the iterations of one block of lanes.
fn block(
    (body, codes): (&Body, Option<&Codes>),
    file: &mut File<'_>,
    words: &mut Registers,
    memory: &mut Memory<'_>,
    (first, lanes): (i64, usize),
) -> Option<()> {
    let mut next = 0;
    while let Some(step) = body.steps.get(next) {
        if let Some((chain, code)) = codes.and_then(|codes| body.chains.at(codes, next))
            && file.run_code(chain, code, &Set::default())
        {
            next = chain.range.end;
            continue;
        }
        next += 1;
        let at_step = AtStep {
            lanes: 0..lanes,
            words,
            first,
        };
        let (result, spread) = match step {
            LaneStep::Apply(apply) => {
                file.apply(apply, false);
                continue;
            }
            LaneStep::Copy { to, from } => {
                file.copy(*to, *from, false);
                continue;
            }
            LaneStep::Swap(a, b) => {
                file.swap(*a, *b, false);
                continue;
            }
            LaneStep::Read { from, address, to } => {
                at_step.read(file, memory, (*from, address, *to))?;
                continue;
            }
            LaneStep::Write {
                list,
                address,
                from,
                grows,
            } => {
                at_step.write(file, memory, (*list, address, *grows), from)?;
                continue;
            }
            LaneStep::Jump(target) => {
                next = *target;
                continue;
            }
            LaneStep::UnlessWord {
                function,
                operands,
                target,
            } => {
                let [a, b] = operands.map(|register| words[usize::from(register)]);
                let holds = match function {
                    Some(function) => function([a, b, 0]).ok()?,
                    None => a,
                };
                if holds & 1 == 0 {
                    next = *target;
                }
                continue;
            }
            LaneStep::AssertWord(condition) => {
                (words[usize::from(*condition)] & 1 == 1).then_some(())?;
                continue;
            }
            LaneStep::Assert(condition) => {
                let mut truths = file.truths(*condition)[..lanes].iter();
                truths.all(|holds| *holds).then_some(())?;
                continue;
            }
            LaneStep::SwapWords(a, b) => {
                words.swap(usize::from(*a), usize::from(*b));
                continue;
            }
            // All lanes go the same way.
            LaneStep::Unless { .. } => return None,
            LaneStep::Word {
                function,
                operands,
                to,
                spread,
            } => {
                let operands = operands.map(|register| words[usize::from(register)]);
                ((*to, function(operands).ok()?), spread)
            }
            LaneStep::MoveWord { to, from, spread } => ((*to, words[usize::from(*from)]), spread),
            LaneStep::ReadWord {
                from,
                address,
                to,
                spread,
            } => {
                let Address { index, element } = address;
                let [index, element] = [index, element].map(|number| number_of(number, words));
                let element = usize::try_from(element?).ok()?;
                ((*to, memory.read(*from, index?, element).ok()?), spread)
            }
        };
        let (to, word) = result;
        words[usize::from(to)] = word;
        if let Some(slot) = spread {
            file.fill(*slot, word);
        }
    }
    Some(())
}

/// A number that is the same in all lanes.
fn number_of(number: &Number, words: &Registers) -> Option<i64> {
    match *number {
        Number::Fixed(number) => Some(number),
        Number::Word(register, is_wide) => Some(wide(words[usize::from(register)], is_wide)),
        Number::Iteration | Number::Lanes(_) => None,
    }
}
