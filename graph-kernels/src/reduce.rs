//! Reductions over any set of axes, one [`Nest`] for all: along the innermost loop either one output value takes a whole
//! row in (several accumulators, so that it vectorizes), or a row of outputs takes in a row of inputs.

use crate::dispatch::{dispatch, typed};
use crate::nest::{Nest, Strides, row_major};
use crate::number::Number;
use crate::{Array, Buffer, Dims, Element, KernelError};

/// The axes of a reduction: which to reduce (all, if the list is empty; negative ones count from the last), and whether
/// they stay as axes of size 1.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Axes<'a> {
    pub axes: &'a [i64],
    pub keep_dims: bool,
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

/// How many accumulators a row is reduced with; an AVX-512 register of `f32`.
const LANES: usize = 16;
/// Rows up to this length are summed straight; longer ones by halves, which keeps rounding errors of floats small.
const BLOCK: usize = 2048;

/// The combination of a row's values.
pub(crate) fn reduce_row<T, A: Copy>(
    row: &[T],
    init: A,
    lift: &impl Fn(&T) -> A,
    combine: &impl Fn(A, A) -> A,
) -> A {
    if row.len() > BLOCK {
        let (left, right) = row.split_at((row.len() / 2).next_multiple_of(LANES));
        return combine(
            reduce_row(left, init, lift, combine),
            reduce_row(right, init, lift, combine),
        );
    }
    let mut lanes = [init; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, v) in lanes.iter_mut().zip(chunk) {
            *lane = combine(*lane, lift(v));
        }
    }
    let tail = rest.iter().fold(init, |acc, v| combine(acc, lift(v)));
    if row.len() < LANES {
        tail
    } else {
        combine(lanes.into_iter().fold(init, combine), tail)
    }
}

/// Reduces into `out`, which starts as `init` everywhere.
fn accumulate<T, A: Copy>(
    x: (&[usize], &[T]),
    reduction: &Reduction,
    out: &mut [A],
    init: A,
    lift: impl Fn(&T) -> A,
    combine: impl Fn(A, A) -> A,
) {
    let (shape, values) = x;
    out.fill(init);
    let nest = Nest::new(shape, [&row_major(shape), &reduction.strides]);
    nest.for_each([0, 0], |[i, o]| {
        let row = &values[i..i + nest.inner];
        if nest.strides[1] == 0 {
            out[o] = combine(out[o], reduce_row(row, init, &lift, &combine));
        } else {
            for (o, v) in out[o..].iter_mut().zip(row) {
                *o = combine(*o, lift(v));
            }
        }
    });
}

fn fold<T: Element, A: Element + Copy>(
    x: &Array,
    values: &[T],
    axes: Axes,
    out: &mut Array,
    init: A,
    lift: impl Fn(&T) -> A,
    combine: impl Fn(A, A) -> A,
) -> Result<(), KernelError> {
    let reduction = Reduction::new(x.shape(), axes)?;
    let out = out.reset_as::<A>(&reduction.shape);
    accumulate((x.shape(), values), &reduction, out, init, lift, combine);
    Ok(())
}

/// A reduction of numbers by a binary function and its identity.
macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident: $init:ident $combine:ident;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// If an axis doesn't exist or `x` doesn't hold numbers.
        pub fn $name(x: &Array, axes: Axes, out: &mut Array) -> Result<(), KernelError> {
            dispatch!(number stringify!($name), x, v => {
                fold(x, v, axes, out, Number::$init, |v| *v, Number::$combine)
            })
        }
    )* };
}

reductions! {
    /// The sum over the axes; 0 of nothing.
    reduce_sum: ZERO add;
    /// The product over the axes; 1 of nothing.
    reduce_prod: ONE mul;
    /// The largest value over the axes; NaN wins; `-inf` or `MIN` of nothing.
    reduce_max: LOWEST maximum;
    /// The smallest value over the axes; NaN wins; `inf` or `MAX` of nothing.
    reduce_min: HIGHEST minimum;
}

/// True where any value over the axes is true; false of nothing.
///
/// # Errors
/// If an axis doesn't exist or `x` isn't `bool`.
pub fn reduce_any(x: &Array, axes: Axes, out: &mut Array) -> Result<(), KernelError> {
    fold(
        x,
        typed::<bool>("reduce_any", x)?,
        axes,
        out,
        false,
        |v| *v,
        |a, b| a | b,
    )
}

/// True where all values over the axes are true; true of nothing.
///
/// # Errors
/// If an axis doesn't exist or `x` isn't `bool`.
pub fn reduce_all(x: &Array, axes: Axes, out: &mut Array) -> Result<(), KernelError> {
    fold(
        x,
        typed::<bool>("reduce_all", x)?,
        axes,
        out,
        true,
        |v| *v,
        |a, b| a & b,
    )
}

/// The mean over the axes; of floats NaN for nothing. Integers are summed in 64 bits and divided toward zero; their mean
/// of nothing is 0.
///
/// # Errors
/// If an axis doesn't exist or `x` doesn't hold numbers.
pub fn reduce_mean(x: &Array, axes: Axes, out: &mut Array) -> Result<(), KernelError> {
    match x.buffer() {
        Buffer::I32(v) => integer_mean(x, v, axes, out, |v| i64::from(*v), |mean| mean as i32),
        Buffer::I64(v) => integer_mean(x, v, axes, out, |v| *v, |mean| mean),
        Buffer::U8(v) => integer_mean(x, v, axes, out, |v| i64::from(*v), |mean| mean as u8),
        _ => dispatch!(float "reduce_mean", x, v => float_mean(x, v, axes, out)),
    }
}

fn float_mean<T: Number>(
    x: &Array,
    values: &[T],
    axes: Axes,
    out: &mut Array,
) -> Result<(), KernelError> {
    let reduction = Reduction::new(x.shape(), axes)?;
    let out = out.reset_as::<T>(&reduction.shape);
    accumulate(
        (x.shape(), values),
        &reduction,
        out,
        T::ZERO,
        |v| *v,
        T::add,
    );
    let count = T::from_usize(reduction.count);
    out.iter_mut().for_each(|sum| *sum = sum.div(count));
    Ok(())
}

fn integer_mean<T: Number>(
    x: &Array,
    values: &[T],
    axes: Axes,
    out: &mut Array,
    widen: impl Fn(&T) -> i64,
    narrow: impl Fn(i64) -> T,
) -> Result<(), KernelError> {
    let reduction = Reduction::new(x.shape(), axes)?;
    let out = out.reset_as::<T>(&reduction.shape);
    let mut sums = vec![0; out.len()];
    accumulate(
        (x.shape(), values),
        &reduction,
        &mut sums,
        0,
        widen,
        i64::wrapping_add,
    );
    let count = (reduction.count as i64).max(1);
    out.iter_mut()
        .zip(sums)
        .for_each(|(o, sum)| *o = narrow(sum / count));
    Ok(())
}
