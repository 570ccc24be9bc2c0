//! A program in a [bound loop](crate::BoundLoop): its shapes are compared and its layout is found before the first iteration, and its
//! machine code at the first one that has it. An iteration only takes the values, and the rows at their positions.

use smallvec::SmallVec;

use super::rows::RowOf;
use super::run::{Chain, RANGE, keeps};
use super::{PartFunction, Program, Sums};
use crate::block::{Block, BlockMut};
use crate::bound_arrays::{BoundArray, OtherBlocks};
use crate::codegen::{ChainCode, LoopChain, LoopInput, LoopRow};
use crate::dispatch::integer;
use crate::indices::from_the_end;
use crate::program::layout::Layout;
use crate::program::source::Form;
use crate::written::NO_SHAPE;
use crate::{Array, DType, KernelError};

/// A program that has found what stays the same in all iterations.
pub(crate) struct BoundChain<'a> {
    program: &'a Program,
    layout: &'a Layout,
    /// The number of values of the result.
    len: usize,
    /// The arrays of its inputs, and of the positions of rows. `None` is the result's array.
    inputs: &'a [Option<BoundArray>],
    rows: SmallVec<[BoundRow; 1]>,
    /// The machine code, if it is the same for all values.
    code: Option<&'a dyn ChainCode>,
}

type Values<'a> = SmallVec<[Option<Block<'a>>; 8]>;

/// An input of which one row is read.
struct BoundRow {
    input: usize,
    /// The arrays of the positions, each with the size of its axis.
    positions: SmallVec<[(BoundArray, usize); 2]>,
    /// The number of values of a row.
    len: usize,
    of_list: bool,
}

impl Program {
    /// This program in a bound loop, where it has these arrays as operands. `None` if their shapes aren't those that were given ahead, if
    /// the result is a reduction, if it doesn't have the place, shape and dtype of `out`, or if there are no values.
    pub(crate) fn bind<'a>(
        &'a self,
        inputs: &'a [Option<BoundArray>],
        arrays: &[Option<&Array>],
        out: &Array,
    ) -> Option<BoundChain<'a>> {
        let known = self.known.as_ref()?;
        let layout = &known.layout;
        let rolls = !self.rolls.is_empty();
        if out.is_empty() || rolls || !known.is_for(self, arrays, out) || !keeps(self, out, layout)
        {
            return None;
        }
        let rows = self.rows.iter();
        let rows = rows.map(|row| BoundRow::new(row, inputs, arrays));
        Some(BoundChain {
            program: self,
            layout,
            len: out.len(),
            inputs: &inputs[..self.inputs.len()],
            rows: rows.collect::<Option<_>>()?,
            code: None,
        })
    }
}

impl Program {
    /// The dtype of an input.
    pub(crate) fn input(&self, n: usize) -> Option<DType> {
        self.inputs.get(n).map(|(dtype, _)| *dtype)
    }

    /// Runs in place behind a product, which `work` writes, as in [`Program::in_parts`], on blocks of the shapes that were given ahead. Returns false
    /// if there is an error.
    pub(crate) fn behind(
        &self,
        values: &[Option<Block>],
        work: impl FnOnce(Sums, Option<&PartFunction>) -> Result<(), KernelError>,
    ) -> bool {
        let Some(known) = self.known.as_ref() else {
            return false;
        };
        let chain = Chain::new(self, &known.layout, values);
        values.len() == self.inputs.len() && chain.in_parts(work).is_ok()
    }
}

impl<'a> BoundChain<'a> {
    /// Whether it runs by itself, in one range of values.
    pub fn is_small(&self) -> bool {
        self.program.sums.is_empty() && self.len <= RANGE
    }

    /// Whether it runs on parts of a product.
    pub fn runs_in_parts(&self) -> bool {
        !self.program.by_rows
    }

    /// What machine code of a loop with this chain is made of, where it writes the array `to`. `None` if it has no code that is the same for
    /// all values, or reads an input that has to be repeated first.
    pub fn source(&self, to: usize) -> Option<LoopChain> {
        let source = self.program.source_for_all(self.layout, self.inputs)?;
        let inputs = self.inputs.iter().zip(&self.layout.forms).enumerate();
        let inputs = inputs.map(|(n, (input, form))| {
            let Some(array) = *input else {
                return matches!(form, Form::Whole).then_some(None);
            };
            let first = match form {
                Form::Whole | Form::Uniform => 0,
                Form::Repeated(form) => form.direct(0, self.len)?,
                Form::Rolled(_) => return None,
            };
            let row = self.row(n);
            Some(Some(LoopInput { array, first, row }))
        });
        Some(LoopChain {
            source,
            len: self.len,
            inputs: inputs.collect::<Option<_>>()?,
            to,
        })
    }

    /// The row that is read of an input.
    fn row(&self, input: usize) -> Option<LoopRow> {
        let row = self.rows.iter().find(|row| row.input == input);
        row.map(|row| LoopRow {
            positions: row.positions.clone(),
            len: row.len,
            from_the_end: !row.of_list,
        })
    }

    /// The inputs behind the first one, which is a product, as operands of a function, where `len` gives the numbers of values of arrays.
    pub fn operands(&self, len: impl Fn(BoundArray) -> usize) -> Option<Vec<(LoopInput, usize)>> {
        let inputs = self.inputs.iter().enumerate().skip(1);
        let inputs = inputs.map(|(n, array)| {
            let (array, row, first) = ((*array)?, self.row(n), 0);
            let len = row.as_ref().map_or_else(|| len(array), |row| row.len);
            Some((LoopInput { array, first, row }, len))
        });
        inputs.collect()
    }

    /// Writes the result. Returns false if there is an error; the operands are unchanged then.
    #[inline]
    pub fn run(&mut self, others: OtherBlocks, out: &mut BlockMut) -> bool {
        let mut values = Values::new();
        if !self.add_values(others, &mut values) {
            return false;
        }
        let chain = self.chain(&values);
        chain.ranges(0, std::slice::from_mut(out), false).is_ok()
    }

    /// Runs in place behind a product, which `work` writes, as in [`Program::in_parts`]. Returns false if there is an error.
    #[inline]
    pub fn behind(
        &mut self,
        others: OtherBlocks,
        work: impl FnOnce(Sums, Option<&PartFunction>) -> Result<(), KernelError>,
    ) -> bool {
        let mut values = Values::new();
        self.add_values(others, &mut values) && self.chain(&values).in_parts(work).is_ok()
    }

    /// Adds the values of the inputs. Returns false if there is no such row.
    #[inline]
    fn add_values<'b>(&self, others: OtherBlocks<'b, '_>, values: &mut Values<'b>) -> bool {
        for input in self.inputs {
            values.push(input.map(|array| others.get(array)));
        }
        for row in &self.rows {
            let Some(at) = row.place(others) else {
                return false;
            };
            let block = &mut values[row.input];
            *block = block.map(|block| block.range(at * row.len, row.len));
        }
        true
    }

    #[inline]
    fn chain<'b>(&mut self, values: &'b [Option<Block<'b>>]) -> Chain<'b>
    where
        'a: 'b,
    {
        let (program, layout) = (self.program, self.layout);
        if self.code.is_some() {
            let code = self.code;
            return Chain {
                program,
                layout,
                values,
                code: code.map(|code| code as &dyn ChainCode),
                tail: None,
            };
        }
        let chain = Chain::new(program, layout, values);
        self.code = program.code_for_all(layout, values);
        chain
    }
}

impl BoundRow {
    fn new(
        row: &RowOf,
        inputs: &[Option<BoundArray>],
        arrays: &[Option<&Array>],
    ) -> Option<BoundRow> {
        let whole = arrays[row.input]?;
        let (sizes, rest) = whole.shape().split_at_checked(row.positions.len())?;
        let position = |(n, size): (usize, &usize)| {
            integer(arrays[n]?)?;
            Some((inputs[n]?, *size))
        };
        let positions = row.positions.clone().zip(sizes).map(position);
        (*rest != NO_SHAPE).then_some(BoundRow {
            input: row.input,
            positions: positions.collect::<Option<_>>()?,
            len: rest.iter().product(),
            of_list: row.of_list,
        })
    }

    /// The index of the row; `None` if there is none.
    #[inline]
    fn place(&self, others: OtherBlocks) -> Option<usize> {
        let mut at = 0;
        for (position, size) in &self.positions {
            let i = others.integer(*position)?;
            if self.of_list && i < 0 {
                return None;
            }
            at = at * size + from_the_end(i, *size)?;
        }
        Some(at)
    }
}
