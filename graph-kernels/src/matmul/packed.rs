//! Right operands that stay the same, such as the weights of a model: they are packed once, when the first product reads them, and not for
//! each product.

use std::ops::Range;
use std::ptr;
use std::sync::{Arc, OnceLock};

use super::blocked::depth;
use super::matrix::Matrix;
use super::panels::{Right, pack_panels, padded, widest};
use crate::number::Number;
use crate::{Array, scratch};

/// An array that is the right operand of many products, with its values in the form that they read. The first product makes that form,
/// which takes as much memory as the array. A product of another kind, or at another level, packs the array for itself.
///
/// ```
/// # use std::sync::Arc;
/// # use graph_kernels::{Array, Behind, Packed, matmul, matmul_then};
/// let x = Array::new(&[9, 2], vec![1f32; 18]);
/// let weights = Packed::new(Arc::new(Array::new(&[2, 3], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0])));
/// let behind = Behind { packed: Some(&weights), ..Behind::default() };
/// let (mut out, mut expected) = (Array::default(), Array::default());
/// matmul(&x, weights.array(), false, false, &mut expected)?;
/// for _ in 0..2 {
///     matmul_then([&x, weights.array()], [false; 2], behind, &mut out)?;
///     assert_eq!(out, expected);
/// }
/// assert!(weights.bytes() >= 24);
/// # Ok::<(), graph_kernels::KernelError>(())
/// ```
#[derive(Debug)]
pub struct Packed {
    array: Arc<Array>,
    /// The packed values; `None` inside if there was no memory for them.
    form: OnceLock<Option<(Blocks, Array)>>,
}

impl Packed {
    /// The array, which isn't packed yet.
    pub fn new(array: Arc<Array>) -> Packed {
        Packed {
            array,
            form: OnceLock::new(),
        }
    }

    /// The array.
    pub fn array(&self) -> &Array {
        &self.array
    }

    /// How many bytes the packed values take: none before the first product.
    pub fn bytes(&self) -> usize {
        let form = self.form.get().and_then(Option::as_ref);
        form.map_or(0, |(_, values)| values.len() * values.dtype().bytes())
    }

    /// The packed values of the matrix `b`; `None` if `b` isn't this array, or the array is packed in other blocks.
    pub(super) fn values<T: Number>(&self, b: Matrix<T>, blocks: Blocks) -> Option<&[T]> {
        if !ptr::eq(self.array.values::<T>()?, b.values) {
            return None;
        }
        // On this thread alone: a thread that helped could wait for the same operand.
        let pack = || {
            let mut values = Array::default();
            values.reset(T::DTYPE, &[blocks.len()]).ok()?;
            blocks.pack(b, values.values_mut()?);
            Some((blocks, values))
        };
        let (own, values) = self.form.get_or_init(pack).as_ref()?;
        values.values().filter(|_| *own == blocks)
    }
}

/// The blocks of a right operand, in the order in which a product reads them. Each is packed as panels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Blocks {
    rows: usize,
    columns: usize,
    transposed: bool,
    /// The sums of so many products are split into parts.
    run: usize,
    /// The number of columns of a block: a multiple of the widest panel, or all.
    wide: usize,
    widest: usize,
}

impl Blocks {
    /// Blocks of `wide` columns, if the matrix has more.
    pub fn new<T: Number>(b: Matrix<T>, run: usize, wide: usize) -> Blocks {
        Blocks {
            rows: b.rows,
            columns: b.columns,
            transposed: b.column_stride != 1,
            run,
            wide,
            widest: widest::<T>(),
        }
    }

    /// The rows of each block: the parts in which the sum of each value is accumulated.
    pub fn parts(self) -> impl Iterator<Item = Range<usize>> {
        let (run, part) = (self.run, depth(self.run));
        let runs = (0..self.rows).step_by(run);
        runs.flat_map(move |start| {
            let parts = (0..run).step_by(part);
            parts.map(move |p| start + p..start + run.min(p + part))
        })
    }

    /// A packed block, as tiles read it.
    pub fn right<'a, T>(
        self,
        values: &'a [T],
        part: &Range<usize>,
        columns: &Range<usize>,
    ) -> Right<'a, T> {
        Right {
            values: &values[self.place(part, columns)],
            packed: Ok(part.len()),
            widest: self.widest,
        }
    }

    /// Where the packed block of some rows and columns is.
    fn place(self, part: &Range<usize>, columns: &Range<usize>) -> Range<usize> {
        let width = padded(columns.len(), self.widest);
        // The blocks of columns before this one are as wide as their panels.
        let start = columns.start * self.rows + part.start * width;
        start..start + part.len() * width
    }

    /// The number of packed values.
    fn len(self) -> usize {
        let last = self.columns_of_blocks().last().unwrap_or(0..0);
        self.place(&(0..self.rows), &last).end
    }

    fn columns_of_blocks(self) -> impl Iterator<Item = Range<usize>> {
        let starts = (0..self.columns).step_by(self.wide);
        starts.map(move |start| start..self.columns.min(start.saturating_add(self.wide)))
    }

    fn pack<T: Number>(self, b: Matrix<T>, to: &mut [T]) {
        for columns in self.columns_of_blocks() {
            for part in self.parts() {
                let to = &mut to[self.place(&part, &columns)];
                pack_panels(b.block(part, columns.clone()), to, 0);
            }
        }
    }
}

/// Calls `f` with the packed blocks of a right operand: those that are kept, or else temporary ones.
pub(crate) fn with_blocks<T: Number>(
    packed: Option<&Packed>,
    b: Matrix<T>,
    blocks: Blocks,
    f: impl FnOnce(&[T]),
) {
    match packed.and_then(|packed| packed.values(b, blocks)) {
        Some(values) => f(values),
        None => scratch::with(blocks.len(), |values| {
            blocks.pack(b, values);
            f(values);
        }),
    }
}
