//! Bound loops: the body of an innermost loop as a [`BoundLoop`], if it is a straight sequence of instructions that have steps there: chains,
//! products, rows of lists, word programs and moves. A device that runs a plan may run such a loop's iterations by it; the
//! instructions stay, for the first iteration, for arrays that don't fit, and for what a step can't do.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use graph_kernels::{BoundArray, BoundLoop, BoundStep, ElementLoop, Program};

use super::{Fused, Instruction, Slot, Source, Target};
use crate::ops::{self, Attrs};

/// A loop that can be bound.
#[derive(Debug)]
pub(crate) struct Bound {
    /// The instructions of the body, without the jump back behind them. Each is a step.
    pub body: Range<usize>,
    pub steps: BoundLoop,
    /// If the iterations are elementwise: the loop over elements around that over iterations.
    pub elements: Option<ElementLoop>,
    /// The slots that the body writes, in order: the loop's changing arrays.
    pub changing: Vec<Slot>,
    /// The slots that the body only reads, in order: the first of the fixed arrays.
    pub fixed: Vec<Slot>,
    /// The other fixed arrays: arguments and constants.
    pub given: Vec<Source>,
}

/// For each of the first loops of a plan with some outputs, its bound form, if it has one.
pub(super) fn bound(
    instructions: &[Instruction],
    loops: usize,
    outputs: &[Source],
) -> Vec<Option<Bound>> {
    let mut all: Vec<Option<Bound>> = (0..loops).map(|_| None).collect();
    if all.is_empty() {
        return all;
    }
    let reads = Reads::of(instructions, outputs);
    for (at, instruction) in instructions.iter().enumerate() {
        if let Instruction::Repeat {
            head,
            condition,
            number,
            ..
        } = instruction
            && let Some(bound) = all.get_mut(*number as usize)
        {
            *bound = of_body(instructions, *head as usize..at, *condition, &reads);
        }
    }
    all
}

fn of_body(
    instructions: &[Instruction],
    body: Range<usize>,
    condition: Option<Source>,
    reads: &Reads,
) -> Option<Bound> {
    let arrays = Arrays::of(&instructions[body.clone()], condition);
    let fixed = arrays.fixed.len() + arrays.given.len();
    if [body.len(), arrays.changing.len(), fixed]
        .iter()
        .any(|n| *n > BoundLoop::MOST)
    {
        return None;
    }
    let end = body.end as Target + 1;
    let steps = instructions[body.clone()].iter();
    let steps = steps.map(|instruction| arrays.step(instruction, end));
    let condition = condition.map(|source| arrays.get(source));
    let steps = BoundLoop::new(steps.collect::<Option<_>>()?, condition);
    let changing = arrays.changing.iter().enumerate();
    let behind = changing.filter(|(_, slot)| reads.are_outside(slot, &body));
    let behind: Vec<usize> = behind.map(|(n, _)| n).collect();
    Some(Bound {
        body,
        elements: ElementLoop::of(&steps, &behind),
        steps,
        changing: arrays.changing,
        fixed: arrays.fixed,
        given: arrays.given,
    })
}

/// For each slot the first and the last instruction that reads it. One that holds an output is read behind all of them.
struct Reads(BTreeMap<Slot, (usize, usize)>);

impl Reads {
    fn of(instructions: &[Instruction], outputs: &[Source]) -> Reads {
        let mut reads = Reads(BTreeMap::new());
        for (at, instruction) in instructions.iter().enumerate() {
            instruction.visit_read(|source| reads.add(source.place(), at));
        }
        for output in outputs {
            reads.add(output.place(), instructions.len());
        }
        reads
    }

    /// Adds a read, which comes behind those before.
    fn add(&mut self, slot: Option<Slot>, at: usize) {
        if let Some(slot) = slot {
            self.0.entry(slot).or_insert((at, at)).1 = at;
        }
    }

    /// Whether an instruction outside of a loop's body reads the slot.
    fn are_outside(&self, slot: &Slot, body: &Range<usize>) -> bool {
        let read = self.0.get(slot);
        read.is_some_and(|(first, last)| *first < body.start || *last >= body.end)
    }
}

/// The arrays of a loop.
struct Arrays {
    changing: Vec<Slot>,
    fixed: Vec<Slot>,
    given: Vec<Source>,
}

impl Arrays {
    fn of(body: &[Instruction], condition: Option<Source>) -> Arrays {
        let mut written: BTreeSet<Slot> = BTreeSet::new();
        let mut read: Vec<Source> = condition.into_iter().collect();
        for instruction in body {
            instruction.visit(|source| read.push(source), |slot| written.extend([slot]));
        }
        let mut fixed: BTreeSet<Slot> = BTreeSet::new();
        let mut given = Vec::new();
        for source in read {
            match source {
                Source::Computed(slot) if written.contains(&slot) => {}
                Source::Computed(slot) => fixed.extend([slot]),
                other if given.contains(&other) => {}
                other => given.push(other),
            }
        }
        Arrays {
            changing: written.into_iter().collect(),
            fixed: fixed.into_iter().collect(),
            given,
        }
    }

    fn changing(&self, slot: Slot) -> usize {
        let found = self.changing.binary_search(&slot);
        found.expect("the written slots are collected from the same instructions")
    }

    fn get(&self, source: Source) -> BoundArray {
        if let Source::Computed(slot) = source {
            return match self.fixed.binary_search(&slot) {
                Ok(n) => BoundArray::Fixed(n),
                Err(_) => BoundArray::Changing(self.changing(slot)),
            };
        }
        let found = self.given.iter().position(|given| *given == source);
        let n = found.expect("the sources are collected from the same instructions");
        BoundArray::Fixed(self.fixed.len() + n)
    }

    /// The step for an instruction, if there is one. `end` is the instruction behind the loop.
    fn step(&self, instruction: &Instruction, end: Target) -> Option<BoundStep> {
        match instruction {
            Instruction::Fused {
                fused,
                inputs,
                output,
                ..
            } => self.chain(fused, inputs, *output),
            Instruction::Kernel {
                op,
                attrs,
                inputs,
                output,
                in_place,
            } => match inputs[..] {
                [list, at, row] if **op == ops::LIST_WRITE && *in_place => Some(BoundStep::Write {
                    list: self.changing(list.place()?),
                    at: self.get(at),
                    row: self.get(row),
                }),
                [a, b] if **op == ops::MATMUL => self.product([a, b], attrs, None, *output),
                [from, ref positions @ ..] if **op == ops::INDEX && !*in_place => {
                    Some(BoundStep::Row {
                        from: self.get(from),
                        positions: positions.iter().map(|at| self.get(*at)).collect(),
                        to: self.changing(*output),
                    })
                }
                [from] if let (Some(reduction), false) = (op.reduction, *in_place) => {
                    Some(BoundStep::Reduce {
                        op: reduction,
                        axes: attrs.ints("axes").ok()?.to_vec(),
                        from: self.get(from),
                        to: self.changing(*output),
                    })
                }
                _ => None,
            },
            Instruction::Words(words) => {
                words.bound(|source| self.get(source), |slot| self.changing(slot), end)
            }
            // A copy of an array that stays the same shares it, which is better than any copy.
            Instruction::Copy { to, from } => match self.get(*from) {
                from @ BoundArray::Changing(_) => {
                    let to = self.changing(*to);
                    Some(BoundStep::Copy { to, from })
                }
                BoundArray::Fixed(_) => None,
            },
            Instruction::Swap(a, b) => Some(BoundStep::Swap(self.changing(*a), self.changing(*b))),
            Instruction::JumpIfFalse { condition, target } if *target == end => {
                Some(BoundStep::Leave(self.get(*condition)))
            }
            _ => None,
        }
    }

    fn chain(&self, fused: &Fused, inputs: &[Source], output: Slot) -> Option<BoundStep> {
        let place = |source: &Source| match source {
            Source::Computed(slot) if *slot == output => None,
            other => Some(self.get(*other)),
        };
        let program = fused.program().clone();
        let Some(product) = fused.product() else {
            return Some(BoundStep::Chain {
                program,
                inputs: inputs.iter().map(place).collect(),
                to: self.changing(output),
            });
        };
        let [a, b, others @ ..] = inputs else {
            return None;
        };
        if inputs.contains(&Source::Computed(output)) {
            return None;
        }
        // In the place of the program's first operand stands the product.
        let inputs = std::iter::once(None).chain(others.iter().map(place));
        let behind = (program, inputs.collect());
        let is_matrices = *product.op == ops::MATMUL;
        is_matrices.then(|| self.product([*a, *b], &product.attrs, Some(behind), output))?
    }

    /// A product. That of a constant stays an instruction, which knows the constant's packed form.
    fn product(
        &self,
        operands: [Source; 2],
        attrs: &Attrs,
        behind: Option<(Arc<Program>, Vec<Option<BoundArray>>)>,
        output: Slot,
    ) -> Option<BoundStep> {
        let is_packed = matches!(operands[1], Source::Constant(_));
        let overwrites = operands.contains(&Source::Computed(output));
        let transposed = [attrs.bool("transpose_a"), attrs.bool("transpose_b")];
        let [Ok(a), Ok(b)] = transposed else {
            return None;
        };
        (!is_packed && !overwrites).then(|| BoundStep::Product {
            operands: operands.map(|operand| self.get(operand)),
            transposed: [a, b],
            behind,
            to: self.changing(output),
        })
    }
}
