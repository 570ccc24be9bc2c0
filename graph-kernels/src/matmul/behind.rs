//! What stands behind a product: arrays that are added while its sums are in registers, and a program that runs on its rows while they are
//! in cache.

use super::Packed;
use super::addend::{self, Addend, Addends};
use crate::block::{BlockMut, Lane};
use crate::number::Number;
use crate::program::{Program, Sums};
use crate::{Array, KernelError};

/// What a product does besides writing its values, and what it knows of its right operand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Behind<'a> {
    /// A program that runs in place on the product, and the program's inputs: those that are `None` are the product.
    pub program: Option<(&'a Program, &'a [Option<&'a Array>])>,
    /// The packed form of the right operand, if that stays the same in many products.
    pub packed: Option<&'a Packed>,
}

impl<'a> Behind<'a> {
    /// A program, for a right operand that is another one in each product.
    pub fn program(program: &'a Program, inputs: &'a [Option<&'a Array>]) -> Behind<'a> {
        Behind {
            program: Some((program, inputs)),
            packed: None,
        }
    }

    /// Calls `write`, which writes the product and finishes it as it is told, and runs what is left of the program. The output has the
    /// shape and dtype of the product already.
    #[inline(always)]
    pub(crate) fn run(
        self,
        out: &mut Array,
        write: impl Fn(&mut Array, &Finish) -> Result<(), KernelError>,
    ) -> Result<(), KernelError> {
        let Some((program, inputs)) = self.program else {
            return write(out, &Finish::NOTHING);
        };
        let fused = program.in_parts(inputs, out, |out, sums, part| {
            write(out, &Finish::new(sums, part))
        });
        fused.unwrap_or_else(|| {
            write(out, &Finish::NOTHING)?;
            program.run(inputs, out)
        })
    }
}

/// A function of some rows, and the offset of their first value in the whole result.
pub(crate) type RowsFunction<'a> = dyn Fn(usize, &mut BlockMut) + Sync + 'a;

/// The work on rows of the result while they are in cache. It is passed by reference: loading a copy would stall on store forwarding.
#[derive(Clone, Copy)]
pub(crate) struct Finish<'a> {
    /// The values that are added: arrays like the whole result, or one row.
    sums: Sums<'a>,
    /// The function that is called with the rows while they are in cache.
    rows: Option<&'a RowsFunction<'a>>,
    /// The offset of this product in the whole result.
    start: usize,
}

impl<'a> Finish<'a> {
    /// Adds `sums`, then calls a function with the rows of each block.
    pub fn new(sums: Sums<'a>, rows: Option<&'a RowsFunction<'a>>) -> Finish<'a> {
        Finish {
            sums,
            rows,
            start: 0,
        }
    }

    /// No work.
    pub const NOTHING: Finish<'a> = Finish {
        sums: Sums::NONE,
        rows: None,
        start: 0,
    };

    /// The same work for the product whose result begins at an offset.
    pub fn at(&self, start: usize) -> Self {
        Finish { start, ..*self }
    }

    /// The addends for rows of `columns` values.
    pub fn addends<T: Number>(&self, columns: usize) -> Addends<'a, T> {
        let addend = |values| Addend::new(values, self.start, columns);
        self.sums.iter().map(addend).collect()
    }

    /// Does the work for some rows of `columns` values, to which nothing was added yet; `offset` is their offset in this product's result.
    pub fn rows<T: Number>(&self, offset: usize, rows: &mut [T], columns: usize) {
        for values in self.sums.iter() {
            let addend = Addend::new(values, self.start + offset, columns);
            addend::add_to(rows, columns, addend);
        }
        self.block(offset, rows);
    }

    /// Does the work for rows whose sums are complete; `offset` is their offset in this product's result.
    pub fn block<T: Lane>(&self, offset: usize, rows: &mut [T]) {
        if let Some(f) = self.rows {
            f(self.start + offset, &mut T::block_mut(rows));
        }
    }

    /// Does the work for a whole result of a dtype in which nothing is added.
    pub fn array(&self, out: &mut Array) {
        let len = out.len();
        if let (Some(f), Some(mut whole)) = (self.rows, BlockMut::of(out.buffer_mut(), len)) {
            f(self.start, &mut whole);
        }
    }
}
