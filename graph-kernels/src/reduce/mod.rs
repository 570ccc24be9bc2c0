//! Reductions over any set of axes: `fold` says how values are combined, `row` in which order contiguous ones are, `walk`
//! how arrays are walked.

mod fold;
mod row;
mod walk;

#[cfg(test)]
mod tests;

use crate::dispatch::{dispatch, typed};
use crate::nest::{Strides, row_major};
use crate::number::Number;
use crate::{Array, Buffer, Dims, Element, KernelError};

pub(crate) use fold::{Addend, Fold, Max, MaxNumber, MinNumber, Product, Sum};
use fold::{All, Any, Integral, Min, Total};

pub(crate) use row::row;

/// The axes of a reduction: which to reduce (all, if the list is empty; negative ones count from the last), and whether
/// they stay as axes of size 1.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Axes<'a> {
    pub axes: &'a [i64],
    pub keep_dims: bool,
}

impl Axes<'_> {
    /// Whether this is the axis of a vector, which goes.
    fn is_only_axis(&self, rank: usize) -> bool {
        rank == 1 && !self.keep_dims && matches!(self.axes, [-1 | 0])
    }
}

/// An axis counted from the first one.
///
/// # Errors
/// If there is no such axis.
pub fn normalize_axis(axis: i64, rank: usize) -> Result<usize, KernelError> {
    let counted = if axis < 0 {
        axis.saturating_add(rank as i64)
    } else {
        axis
    };
    usize::try_from(counted)
        .ok()
        .filter(|axis| *axis < rank)
        .ok_or_else(|| {
            KernelError::Shape(format!(
                "axis {axis} is out of range for an array of rank {rank}"
            ))
        })
}

/// What a reduction of one array looks like: the shape of the result, the strides of the accumulators along the input's
/// axes (0 where reduced), and how many values go into one result.
struct Reduction {
    shape: Dims,
    strides: Strides,
    count: usize,
}

impl Reduction {
    fn new(shape: &[usize], axes: Axes) -> Result<Reduction, KernelError> {
        let mut reduced: smallvec::SmallVec<[bool; 6]> =
            smallvec::SmallVec::from_elem(axes.axes.is_empty(), shape.len());
        for axis in axes.axes {
            reduced[normalize_axis(*axis, shape.len())?] = true;
        }
        let kept: Dims = shape
            .iter()
            .zip(&reduced)
            .map(|(n, r)| if *r { 1 } else { *n })
            .collect();
        let mut strides = row_major(&kept);
        strides
            .iter_mut()
            .zip(&reduced)
            .filter(|(_, r)| **r)
            .for_each(|(s, _)| *s = 0);
        let count = shape
            .iter()
            .zip(&reduced)
            .filter(|(_, r)| **r)
            .map(|(n, _)| n)
            .product();
        let shape = match axes.keep_dims {
            true => kept,
            false => kept
                .iter()
                .zip(&reduced)
                .filter(|(_, r)| !**r)
                .map(|(n, _)| *n)
                .collect(),
        };
        Ok(Reduction {
            shape,
            strides,
            count,
        })
    }
}

/// Reduces an array whose typed values are given.
fn reduce<F: Fold, O: Element>(
    x: &Array,
    values: &[F::Value],
    axes: Axes,
    out: &mut Array,
    finish: impl Fn(F::Sum, usize) -> O + Copy + Sync,
) -> Result<(), KernelError> {
    if axes.axes.is_empty() && !axes.keep_dims || axes.is_only_axis(x.rank()) {
        // The one result of all values needs no plan.
        out.reset_as::<O>(&[])[0] = finish(walk::single::<F>(values), values.len());
        return Ok(());
    }
    let reduction = Reduction::new(x.shape(), axes)?;
    let out = out.reset_as::<O>(&reduction.shape);
    let count = reduction.count;
    walk::reduce::<F, O>(x.shape(), values, &reduction, out, |sum| finish(sum, count));
    Ok(())
}

/// A reduction of numbers by a fold and a function of its sum and the number of values.
macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident: $fold:ident, $finish:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// If an axis doesn't exist or `x` doesn't hold numbers.
        pub fn $name(x: &Array, axes: Axes, out: &mut Array) -> Result<(), KernelError> {
            fn typed<T: Addend>(x: &Array, v: &[T], axes: Axes, out: &mut Array) -> Result<(), KernelError> {
                reduce::<$fold<T>, T>(x, v, axes, out, $finish)
            }
            dispatch!(number stringify!($name), x, v => typed(x, v, axes, out))
        }
    )* };
}

reductions! {
    /// The sum over the axes; 0 of nothing. 16-bit floats are added in `f32`.
    reduce_sum: Sum, |sum, _| T::narrow(sum);
    /// The product over the axes; 1 of nothing. 16-bit floats are multiplied in `f32`.
    reduce_prod: Product, |product, _| T::narrow(product);
    /// The largest value over the axes; NaN wins; `-inf` or `MIN` of nothing.
    reduce_max: Max, |max, _| max;
    /// The smallest value over the axes; NaN wins; `inf` or `MAX` of nothing.
    reduce_min: Min, |min, _| min;
}

/// True where any value over the axes is true; false of nothing.
///
/// # Errors
/// If an axis doesn't exist or `x` isn't `bool`.
pub fn reduce_any(x: &Array, axes: Axes, out: &mut Array) -> Result<(), KernelError> {
    reduce::<Any, bool>(x, typed("reduce_any", x)?, axes, out, |any, _| any != 0)
}

/// True where all values over the axes are true; true of nothing.
///
/// # Errors
/// If an axis doesn't exist or `x` isn't `bool`.
pub fn reduce_all(x: &Array, axes: Axes, out: &mut Array) -> Result<(), KernelError> {
    reduce::<All, bool>(x, typed("reduce_all", x)?, axes, out, |all, _| all != 0)
}

/// The mean over the axes; of floats NaN for nothing. Integers are summed in 64 bits and divided toward zero; their mean
/// of nothing is 0. 16-bit floats are added in `f32`.
///
/// # Errors
/// If an axis doesn't exist or `x` doesn't hold numbers.
pub fn reduce_mean(x: &Array, axes: Axes, out: &mut Array) -> Result<(), KernelError> {
    match x.buffer() {
        Buffer::F32(v) => float_mean(x, v, axes, out),
        Buffer::F64(v) => float_mean(x, v, axes, out),
        Buffer::F16(v) => float_mean(x, v, axes, out),
        Buffer::BF16(v) => float_mean(x, v, axes, out),
        _ => dispatch!(integer "reduce_mean", x, v => integer_mean(x, v, axes, out)),
    }
}

fn float_mean<T: Addend>(
    x: &Array,
    values: &[T],
    axes: Axes,
    out: &mut Array,
) -> Result<(), KernelError> {
    reduce::<Sum<T>, T>(x, values, axes, out, |sum, count| {
        T::narrow(sum.div(T::Sum::from_usize(count)))
    })
}

fn integer_mean<T: Integral>(
    x: &Array,
    values: &[T],
    axes: Axes,
    out: &mut Array,
) -> Result<(), KernelError> {
    reduce::<Total<T>, T>(x, values, axes, out, |sum, count| {
        T::from_wide(sum / (count as i64).max(1))
    })
}
