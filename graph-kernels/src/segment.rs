//! Reductions of rows that are grouped into segments by ids.

use crate::dispatch::{dispatch, shape_text};
use crate::indices::{Index, place_text, with_indices};
use crate::number::{Float, Number};
use crate::widened::AsInt64;
use crate::{Array, Dims, KernelError};

/// A reduction of the rows of a segment.
struct Reduction<T> {
    /// The value before the first row.
    start: T,
    /// The value of a segment without rows.
    empty: T,
    /// Combines the values of a segment with those of a row. One call for a row: a call for each value would cost more than it does.
    join: fn(&mut [T], &[T]),
    finish: fn(T, usize) -> T,
}

fn keep<T>(value: T, _: usize) -> T {
    value
}

/// For the integers that are taken in a wider type: returns the result of the kernel. A segment without rows has the value 0, which the
/// conversion that keeps the order of `u64` doesn't map to 0; so `u64` has code of its own there.
macro_rules! rare {
    (ByOrder $x:ident $out:ident $kernel:expr, $typed:ident($($argument:expr),*)) => {
        if let Some(values) = $x.values::<u64>() {
            return $typed(($x.shape(), values), $($argument),*);
        }
        if let Some(done) = AsInt64::ByOrder.map($x, $out, $kernel) {
            return done;
        }
    };
    (ByBits $x:ident $out:ident $kernel:expr, $($typed:tt)*) => {
        if let Some(done) = AsInt64::ByBits.map($x, $out, $kernel) {
            return done;
        }
    };
}

/// Declares the kernels of a reduction: the name for sorted segments, the name for unsorted ones, the dtypes, the reduction and the value
/// of an unsorted segment without rows (a sorted one has `empty`).
macro_rules! segments {
    ($($sorted:ident $unsorted:ident $class:ident $number:ident $($taken:ident)? => $reduction:expr, $hole:expr;)*) => { $(
        #[doc = concat!("The `", stringify!($sorted), "` of rows: row `i` belongs to segment `ids[i]`, and ids don't decrease.")]
        ///
        /// # Errors
        /// `segment ids are not increasing`, or if the ids aren't a vector with one id for each row.
        pub fn $sorted(x: &Array, ids: &Array, out: &mut Array) -> Result<(), KernelError> {
            fn typed<T: $number>(x: (&[usize], &[T]), ids: &Array, out: &mut Array) -> Result<(), KernelError> {
                sorted(stringify!($sorted), x, ids, &$reduction, out)
            }
            $(rare!($taken x out |x, out| $sorted(x, ids, out), typed(ids, out));)?
            dispatch!($class stringify!($sorted), x, v => typed((x.shape(), v), ids, out))
        }

        #[doc = concat!("The `", stringify!($unsorted), "` of parts: the part of `x` at place `p` of `ids` belongs to segment `ids[p]` of `count`.")]
        /// A negative id belongs to no segment.
        ///
        /// # Errors
        /// `segment_ids[2] = 5 is out of range [0, 3)`, or if the shape of the ids doesn't begin that of `x`.
        pub fn $unsorted(x: &Array, ids: &Array, count: i64, out: &mut Array) -> Result<(), KernelError> {
            fn typed<T: $number>(x: (&[usize], &[T]), ids: &Array, count: i64, out: &mut Array) -> Result<(), KernelError> {
                let reduction = Reduction { empty: $hole, ..$reduction };
                unsorted(stringify!($unsorted), x, ids, count, &reduction, out)
            }
            $(rare!($taken x out |x, out| $unsorted(x, ids, count, out), typed(ids, count, out));)?
            dispatch!($class stringify!($unsorted), x, v => typed((x.shape(), v), ids, count, out))
        }
    )* };
}
segments! {
    segment_sum unsorted_segment_sum number Number ByBits =>
        Reduction { start: T::ZERO, empty: T::ZERO, join: |segment, row| join_row(segment, row, T::add), finish: keep }, T::ZERO;
    segment_prod unsorted_segment_prod number Number ByBits =>
        Reduction { start: T::ONE, empty: T::ONE, join: |segment, row| join_row(segment, row, T::mul), finish: keep }, T::ONE;
    segment_max unsorted_segment_max number Number ByOrder =>
        Reduction { start: T::LOWEST, empty: T::ZERO, join: |segment, row| join_row(segment, row, T::maximum), finish: keep }, T::FINITE_MIN;
    segment_min unsorted_segment_min number Number ByOrder =>
        Reduction { start: T::HIGHEST, empty: T::ZERO, join: |segment, row| join_row(segment, row, T::minimum), finish: keep }, T::FINITE_MAX;
    segment_mean unsorted_segment_mean float Float =>
        Reduction { start: T::ZERO, empty: T::ZERO, join: |segment, row| join_row(segment, row, T::add), finish: |sum, rows| sum.div(T::from_usize(rows)) }, T::ZERO;
}

/// Combines a row with the result of its segment.
fn join_row<T: Copy>(segment: &mut [T], row: &[T], join: impl Fn(T, T) -> T) {
    for (old, new) in segment.iter_mut().zip(row) {
        *old = join(*old, *new);
    }
}

fn sorted<T: Number>(
    op: &str,
    (shape, x): (&[usize], &[T]),
    ids: &Array,
    reduction: &Reduction<T>,
    out: &mut Array,
) -> Result<(), KernelError> {
    check_row_ids(ids.shape(), shape)?;
    let inner: usize = shape[1..].iter().product();
    with_indices!(op, ids, ids => {
        let count = sorted_count(ids)?;
        let mut result = Dims::from_slice(shape);
        result[0] = count;
        let out = out.reset_as::<T>(&result)?;
        out.fill(reduction.empty);
        for segment in Runs(ids, 0) {
            let id = ids[segment.start].wide();
            let to = &mut out[id as usize * inner..(id as usize + 1) * inner];
            to.fill(reduction.start);
            for row in segment.clone() {
                (reduction.join)(to, &x[row * inner..(row + 1) * inner]);
            }
            to.iter_mut().for_each(|v| *v = (reduction.finish)(*v, segment.len()));
        }
        Ok(())
    })
}

/// The runs of equal ids, from a position on.
struct Runs<'a, I>(&'a [I], usize);

impl<I: Index + PartialEq> Iterator for Runs<'_, I> {
    type Item = std::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let (start, first) = (self.1, *self.0.get(self.1)?);
        let len = self.0[start..]
            .iter()
            .take_while(|id| **id == first)
            .count();
        self.1 = start + len;
        Some(start..self.1)
    }
}

/// Fails unless there is one id for each row.
///
/// # Errors
/// `segment_ids should be a vector.`, `segment_ids should be the same size as dimension 0 of input.`
pub fn check_row_ids(ids: &[usize], shape: &[usize]) -> Result<(), KernelError> {
    let text = match (ids, shape) {
        ([ids], [rows, ..]) if ids == rows => return Ok(()),
        ([_], _) => "segment_ids should be the same size as dimension 0 of input.",
        _ => "segment_ids should be a vector.",
    };
    Err(KernelError::Shape(text.to_owned()))
}

/// The number of segments of sorted ids.
fn sorted_count<I: Index>(ids: &[I]) -> Result<usize, KernelError> {
    let value = |text: String| KernelError::Value(text);
    let mut last = -1;
    for id in ids.iter().map(|id| id.wide()) {
        if id < 0 {
            return Err(value(format!("segment ids must be >= 0, got {id}")));
        }
        if id < last {
            return Err(value("segment ids are not increasing".to_owned()));
        }
        last = id;
    }
    usize::try_from(last.saturating_add(1))
        .map_err(|_| value(format!("segment id {last} is too large")))
}

fn unsorted<T: Number>(
    op: &str,
    (shape, x): (&[usize], &[T]),
    ids: &Array,
    count: i64,
    reduction: &Reduction<T>,
    out: &mut Array,
) -> Result<(), KernelError> {
    let count = segment_count(count)?;
    check_leading_ids(ids.shape(), shape)?;
    let rest = &shape[ids.rank()..];
    let inner: usize = rest.iter().product();
    let mut result = Dims::from_slice(&[count]);
    result.extend_from_slice(rest);
    let out = out.reset_as::<T>(&result)?;
    out.fill(reduction.start);
    // If there are no values, the number of segments may exceed the memory.
    let mut rows = vec![0usize; if out.is_empty() { 0 } else { count }];
    with_indices!(op, ids, values => {
        for (n, id) in values.iter().enumerate() {
            if id.wide() < 0 {
                continue;
            }
            let id = id.below(count).ok_or_else(|| KernelError::Value(format!(
                "segment_ids[{}] = {id} is out of range [0, {count})", place_text(n, ids.shape())
            )))?;
            let Some(rows) = rows.get_mut(id) else {
                continue;
            };
            *rows += 1;
            (reduction.join)(&mut out[id * inner..(id + 1) * inner], &x[n * inner..(n + 1) * inner]);
        }
        for (segment, rows) in out.chunks_exact_mut(inner.max(1)).zip(rows) {
            match rows {
                0 => segment.fill(reduction.empty),
                _ => segment.iter_mut().for_each(|v| *v = (reduction.finish)(*v, rows)),
            }
        }
        Ok(())
    })
}

/// The number of segments, given as an attribute.
///
/// # Errors
/// If it is negative.
pub fn segment_count(count: i64) -> Result<usize, KernelError> {
    usize::try_from(count).map_err(|_| {
        KernelError::Value(format!(
            "Input num_segments == {count} must not be negative."
        ))
    })
}

/// Fails unless the shape of the ids begins that of the values.
///
/// # Errors
/// `data.shape = [2,2] does not start with segment_ids.shape = [3]`.
pub fn check_leading_ids(ids: &[usize], shape: &[usize]) -> Result<(), KernelError> {
    if shape.starts_with(ids) {
        return Ok(());
    }
    Err(KernelError::Shape(format!(
        "data.shape = {} does not start with segment_ids.shape = {}",
        shape_text(shape),
        shape_text(ids)
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_without_values_take_no_memory() {
        let mut out = Array::default();
        let x = Array::new::<f32>(&[2, 0], vec![]);
        let ids = Array::new(&[2], vec![0i64, 1 << 55]);
        assert_eq!(segment_sum(&x, &ids, &mut out), Ok(()));
        assert_eq!(unsorted_segment_max(&x, &ids, 1 << 56, &mut out), Ok(()));
        assert_eq!(out.shape(), [1 << 56, 0]);
        assert!(unsorted_segment_max(&x, &ids, 1 << 55, &mut out).is_err());
    }

    #[test]
    fn a_huge_id_is_an_error_not_an_allocation() {
        let mut out = Array::default();
        let x = Array::new(&[1], vec![1f32]);
        let ids = Array::new(&[1], vec![i64::MAX - 1]);
        assert!(segment_sum(&x, &ids, &mut out).is_err());
        assert!(unsorted_segment_sum(&x, &ids, i64::MAX, &mut out).is_err());
    }
}
