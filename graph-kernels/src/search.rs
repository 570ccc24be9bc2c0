//! Binary search in sorted rows.

use crate::dispatch::{dispatch, typed};
use crate::widened::AsInt64;
use crate::{Array, Element, KernelError};

/// For each value in a row of `values`, the position at which it would be inserted in the same row of `sorted`, as `int32`: before equal
/// values, or behind them if `right`.
///
/// # Errors
/// `Leading dim_size of both tensors must match.`, or if the dtypes differ.
pub fn searchsorted(
    sorted: &Array,
    values: &Array,
    right: bool,
    out: &mut Array,
) -> Result<(), KernelError> {
    check_rows(sorted.shape(), values.shape())?;
    let widened = |x| AsInt64::ByOrder.widened(x);
    if let (Some(sorted), Some(values)) = (widened(sorted), widened(values)) {
        return searchsorted(&sorted, &values, right, out);
    }
    let last = |x: &Array| x.shape().last().copied().unwrap_or(0);
    let (len, count) = (last(sorted), last(values));
    dispatch!(number "searchsorted", sorted, s => {
        let v = typed("searchsorted", values)?;
        let out = out.reset_as::<i32>(values.shape())?;
        if out.is_empty() {
            return Ok(());
        }
        let found = out.chunks_exact_mut(count).zip(v.chunks_exact(count));
        for (row, (found, wanted)) in found.enumerate() {
            find_all(&s[row * len..(row + 1) * len], wanted, right, found);
        }
        Ok(())
    })
}

/// Fails unless both have the same leading axes.
///
/// # Errors
/// `Leading dim_size of both tensors must match.`
pub fn check_rows(sorted: &[usize], values: &[usize]) -> Result<(), KernelError> {
    match (sorted.split_last(), values.split_last()) {
        (Some((_, sorted)), Some((_, values))) if sorted == values => Ok(()),
        _ => Err(KernelError::Shape(
            "Leading dim_size of both tensors must match.".to_owned(),
        )),
    }
}

fn find_all<T: Element + PartialOrd>(sorted: &[T], wanted: &[T], right: bool, found: &mut [i32]) {
    for (found, wanted) in found.iter_mut().zip(wanted) {
        *found = if right {
            // As in TensorFlow: the position of NaN is behind all values with `right`, and before all values without it.
            sorted.partition_point(|v| {
                !matches!(wanted.partial_cmp(v), Some(std::cmp::Ordering::Less))
            })
        } else {
            sorted.partition_point(|v| v < wanted)
        } as i32;
    }
}
