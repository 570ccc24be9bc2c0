//! The steps of a bound loop, as its iterations run them.

use std::sync::Arc;

use smallvec::SmallVec;

use super::functions::ReduceRows;
use super::{BoundWords, Order};
use crate::bound_arrays::{BoundArray, BoundBlocks};
use crate::indices::from_the_end;
use crate::matmul::{BoundProduct, Finish};
use crate::program::BoundChain;
use crate::{Array, Memory, Program, Registers};

/// A step with what it has found before the loop.
pub(super) enum Step<'a> {
    Chain(BoundChain<'a>, usize),
    Product(ProductStep<'a>),
    Write(WriteStep),
    Row(RowStep),
    Reduce {
        rows: ReduceRows,
        from: BoundArray,
        to: usize,
    },
    Words(&'a BoundWords),
    Leave(BoundArray),
    Swap(usize, usize),
    Copy {
        to: usize,
        from: BoundArray,
    },
}

/// What follows a step.
pub(super) enum Next {
    /// The step behind it.
    Step,
    /// The end of the loop.
    End,
    /// The step can't be done, and nothing is changed.
    Stop,
}

impl Next {
    fn step_if(done: bool) -> Next {
        if done { Next::Step } else { Next::Stop }
    }

    fn end_unless(holds: bool) -> Next {
        if holds { Next::Step } else { Next::End }
    }
}

impl Step<'_> {
    #[inline]
    pub fn run(
        &mut self,
        fixed: &[&Array],
        blocks: &mut BoundBlocks<'_>,
        order: &mut Order,
        registers: &mut Registers,
    ) -> Next {
        match self {
            Step::Chain(chain, to) => {
                let (others, out) = blocks.beside(*to);
                Next::step_if(chain.run(others, out))
            }
            Step::Product(product) => Next::step_if(product.run(blocks)),
            Step::Write(write) => Next::step_if(write.run(blocks)),
            Step::Row(row) => Next::step_if(row.run(blocks)),
            Step::Reduce { rows, from, to } => {
                let (others, out) = blocks.beside(*to);
                rows.write(others.get(*from), out);
                Next::Step
            }
            Step::Words(words) => words.run(fixed, blocks, registers),
            Step::Leave(condition) => Next::end_unless(holds(blocks, *condition)),
            Step::Swap(a, b) => {
                blocks.changing.swap(*a, *b);
                order.swap(*a, *b);
                Next::Step
            }
            Step::Copy { to, from } => {
                let (others, out) = blocks.beside(*to);
                let len = out.len();
                out.first(len).copy_from(others.get(*from));
                Next::Step
            }
        }
    }
}

/// The value of a boolean scalar.
#[inline]
pub(super) fn holds(blocks: &BoundBlocks<'_>, condition: BoundArray) -> bool {
    blocks.get(condition).word(0) & 1 == 1
}

/// A matrix product, and perhaps a chain behind it.
pub(super) struct ProductStep<'a> {
    pub product: BoundProduct,
    pub operands: [BoundArray; 2],
    pub chain: Option<BoundChain<'a>>,
    /// That of the chain.
    pub program: Option<&'a Arc<Program>>,
    pub to: usize,
}

impl ProductStep<'_> {
    fn run(&mut self, blocks: &mut BoundBlocks<'_>) -> bool {
        let (others, out) = blocks.beside(self.to);
        let operands = self.operands.map(|operand| others.get(operand));
        let product = &self.product;
        let Some(chain) = &mut self.chain else {
            product.run(operands, out, &Finish::NOTHING);
            return true;
        };
        chain.behind(others, |sums, part| {
            product.run(operands, out, &Finish::new(sums, part));
            Ok(())
        })
    }
}

/// The copy of a row of an array.
pub(super) struct RowStep {
    pub from: BoundArray,
    /// The arrays of the positions, each with the size of its axis.
    pub positions: SmallVec<[(BoundArray, usize); 2]>,
    /// The number of values of a row.
    pub len: usize,
    pub to: usize,
}

impl RowStep {
    fn run(&self, blocks: &mut BoundBlocks<'_>) -> bool {
        let (others, out) = blocks.beside(self.to);
        let mut at = 0;
        for (position, size) in &self.positions {
            let i = others.integer(*position);
            let Some(i) = i.and_then(|i| from_the_end(i, *size)) else {
                return false;
            };
            at = at * size + i;
        }
        let row = others.get(self.from).range(at * self.len, self.len);
        out.first(self.len).copy_from(row);
        true
    }
}

/// The write of a row of a list.
pub(super) struct WriteStep {
    pub list: usize,
    pub at: BoundArray,
    pub row: BoundArray,
    /// How many rows the list has.
    pub rows: usize,
    /// The number of values of a row.
    pub len: usize,
}

impl WriteStep {
    fn run(&self, blocks: &mut BoundBlocks<'_>) -> bool {
        let (others, list) = blocks.beside(self.list);
        let at = others
            .integer(self.at)
            .and_then(|at| usize::try_from(at).ok());
        let Some(at) = at.filter(|at| *at < self.rows) else {
            return false;
        };
        let row = others.get(self.row);
        list.range(at * self.len, self.len).copy_from(row);
        true
    }
}

impl BoundWords {
    fn run(
        &self,
        fixed: &[&Array],
        blocks: &mut BoundBlocks<'_>,
        registers: &mut Registers,
    ) -> Next {
        for (array, element, register) in &self.inputs {
            let word = blocks.get(*array).word(element.unwrap_or(0));
            registers[usize::from(*register)] = word;
        }
        let arrays: SmallVec<[&Array; 4]> = self.arrays.iter().map(|n| fixed[*n]).collect();
        if self
            .program
            .run_in(registers, &mut Memory::of(&arrays))
            .is_err()
        {
            return Next::Stop;
        }
        for output in &self.outputs {
            let out = &mut blocks.changing[output.to];
            for (place, register) in output.registers.iter().enumerate() {
                out.put_word(place, registers[usize::from(*register)]);
            }
        }
        let left = self
            .leaves_unless
            .map(|register| registers[usize::from(register)]);
        Next::end_unless(left.is_none_or(|word| word & 1 == 1))
    }
}
