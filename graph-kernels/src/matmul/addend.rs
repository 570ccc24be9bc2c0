//! Arrays that are added to a product while its sums are in registers, before they are written.

use smallvec::SmallVec;

use crate::block::Block;
use crate::number::Number;
use crate::simd::MulAdd;
use crate::simd::{self, Kernel, Level};
use crate::stream;

/// The arrays that are added to a product, in order.
pub(crate) type Addends<'a, T> = SmallVec<[Addend<'a, T>; 2]>;

/// Values of the shape of the product, or one row that is added to all rows of the product.
#[derive(Clone, Copy)]
pub(crate) struct Addend<'a, T> {
    values: &'a [T],
    /// The distance from one row to the next; 0 for a single row.
    stride: usize,
}

impl<'a, T: Number> Addend<'a, T> {
    /// The addend for rows of `columns` values; `start` is their offset in the whole result.
    #[inline]
    pub fn new(block: Block<'a>, start: usize, columns: usize) -> Addend<'a, T> {
        let values = T::read(block);
        if values.len() == columns {
            return Addend { values, stride: 0 };
        }
        Addend {
            values: values.get(start..).unwrap_or_default(),
            stride: columns,
        }
    }

    /// The values that are added to a row.
    #[inline(always)]
    pub fn row(self, row: usize) -> &'a [T] {
        self.values.get(row * self.stride..).unwrap_or_default()
    }

    /// Prefetches the values for some columns of some rows. A single row that is added to all rows is in a near cache anyway.
    #[inline(always)]
    pub fn read_ahead(self, row: usize, rows: usize, column: usize, columns: usize) {
        if self.stride > 0 {
            for row in row..row + rows {
                let values = self.row(row).get(column..).unwrap_or_default();
                stream::read_ahead(&values[..columns.min(values.len())]);
            }
        }
    }
}

/// Adds the values to a result that is already written, in rows of `columns`.
pub(super) fn add_to<T: Number>(out: &mut [T], columns: usize, addend: Addend<T>) {
    simd::run(Add {
        out,
        columns,
        addend,
    });
}

struct Add<'a, T> {
    out: &'a mut [T],
    columns: usize,
    addend: Addend<'a, T>,
}

impl<T: Number> Kernel for Add<'_, T> {
    type Output = ();
    const UP_TO: Level = T::UP_TO;

    #[inline(always)]
    fn run<M: MulAdd>(self) {
        let len = match self.addend.stride {
            0 => self.columns,
            _ => self.out.len(),
        };
        for out in self.out.chunks_mut(len) {
            let values = self.addend.values.iter();
            out.iter_mut().zip(values).for_each(|(o, v)| *o = o.add(*v));
        }
    }
}
