//! Counts of values (`bincount`), and distinct values (`unique`).

use std::cmp::Ordering;

use crate::dispatch::{dispatch, shape_text};
use crate::indices::{Index, with_indices};
use crate::number::Number;
use crate::widened::AsInt64;
use crate::{Array, Element, KernelError};

/// How often each number from 0 on occurs in `x`, as `int32`. The result ends at the largest number in `x`, and has at least `min` and at
/// most `max` counts.
///
/// # Errors
/// `Input arr must be non-negative!`
pub fn bincount(x: &Array, min: i64, max: Option<i64>, out: &mut Array) -> Result<(), KernelError> {
    with_indices!("bincount", x, bins => count_bins::<_, i32>(bins, |_| 1, (min, max), out))
}

/// For each number from 0 on, the sum of the weights of its occurrences in `x`; sizes are as in [`bincount`].
///
/// # Errors
/// `Input arr must be non-negative!`, or if there isn't one weight for each number.
pub fn weighted_bincount(
    x: &Array,
    weights: &Array,
    min: i64,
    max: Option<i64>,
    out: &mut Array,
) -> Result<(), KernelError> {
    check_weights(x.shape(), weights.shape())?;
    if let Some(done) = AsInt64::ByBits.map(weights, out, |weights, out| {
        weighted_bincount(x, weights, min, max, out)
    }) {
        return done;
    }
    dispatch!(number "weighted_bincount", weights, w => {
        with_indices!("weighted_bincount", x, bins => count_bins(bins, |n| w[n], (min, max), out))
    })
}

/// Fails unless there is one weight for each number.
///
/// # Errors
/// `` `weights` must be the same shape as `arr`. .. ``
pub fn check_weights(x: &[usize], weights: &[usize]) -> Result<(), KernelError> {
    if x == weights {
        return Ok(());
    }
    Err(KernelError::Shape(format!(
        "`weights` must be the same shape as `arr`. Received {} and {}",
        shape_text(weights),
        shape_text(x)
    )))
}

/// The minimum and maximum number of bins; the minimum is at most the maximum.
///
/// # Errors
/// If one is negative.
pub fn bin_limits(min: i64, max: Option<i64>) -> Result<(usize, usize), KernelError> {
    let size = |n: i64| {
        let text =
            || KernelError::Value(format!("the number of bins must be non-negative, got {n}"));
        usize::try_from(n).map_err(|_| text())
    };
    let max = max.map_or(Ok(usize::MAX), size)?;
    Ok((size(min)?.min(max), max))
}

fn count_bins<I: Index, T: Number>(
    bins: &[I],
    weight: impl Fn(usize) -> T,
    (min, max): (i64, Option<i64>),
    out: &mut Array,
) -> Result<(), KernelError> {
    let (least, most) = bin_limits(min, max)?;
    let mut largest = -1;
    for bin in bins.iter().map(|bin| bin.wide()) {
        if bin < 0 {
            return Err(KernelError::Value(
                "Input arr must be non-negative!".to_owned(),
            ));
        }
        largest = largest.max(bin);
    }
    let named = usize::try_from(largest.saturating_add(1)).unwrap_or(usize::MAX);
    let count = named.clamp(least, most);
    let out = out.reset_as::<T>(&[count])?;
    out.fill(T::ZERO);
    for (n, bin) in bins.iter().enumerate() {
        if let Some(bin) = bin.below(count) {
            out[bin] = out[bin].add(weight(n));
        }
    }
    Ok(())
}

/// The distinct values of a vector.
struct Groups {
    /// The position of the first occurrence of each distinct value, ascending.
    firsts: Vec<usize>,
    /// For each value, the index of its distinct value.
    group_of: Vec<usize>,
}

impl Groups {
    /// The groups of equal values. NaN equals nothing.
    fn new<T: Element + PartialOrd>(x: &[T]) -> Groups {
        // Sorted by value and then position, the first of each run of equal values is its first occurrence.
        let mut order: Vec<usize> = (0..x.len()).collect();
        order.sort_by(|a, b| compare(&x[*a], &x[*b]));
        let mut first_of = vec![0; x.len()];
        let mut first = None;
        for at in order {
            let begins = first.is_none_or(|first: usize| x[first] != x[at]);
            let of = if begins { at } else { first.unwrap_or(at) };
            first_of[at] = of;
            first = Some(of);
        }
        let (mut firsts, mut group_of) = (Vec::new(), Vec::with_capacity(x.len()));
        for (at, first) in first_of.iter().enumerate() {
            if *first == at {
                group_of.push(firsts.len());
                firsts.push(at);
            } else {
                group_of.push(group_of[*first]);
            }
        }
        Groups { firsts, group_of }
    }
}

/// The order of two values, NaN behind all others.
fn compare<T: PartialOrd>(a: &T, b: &T) -> Ordering {
    let is_nan = |v: &T| v.partial_cmp(v).is_none();
    a.partial_cmp(b)
        .unwrap_or_else(|| is_nan(a).cmp(&is_nan(b)))
}

/// Fails unless `x` is a vector.
fn vector(x: &Array) -> Result<(), KernelError> {
    if x.rank() == 1 {
        return Ok(());
    }
    let text = format!(
        "unique expects a 1D vector, not shape {}",
        shape_text(x.shape())
    );
    Err(KernelError::Shape(text))
}

/// The distinct values of a vector in the order of their first occurrence. Every NaN is distinct.
///
/// # Errors
/// `unique expects a 1D vector, not shape [1,1]`.
pub fn unique(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    vector(x)?;
    dispatch!(any "unique", x, v => write_firsts(x, v, out))
}

fn write_firsts<T: Element + PartialOrd>(
    array: &Array,
    x: &[T],
    out: &mut Array,
) -> Result<(), KernelError> {
    let firsts = Groups::new(x).firsts;
    let out = out.reset_like::<T>(array, &[firsts.len()])?;
    out.iter_mut()
        .zip(firsts)
        .for_each(|(o, at)| o.clone_from(&x[at]));
    Ok(())
}

/// For each value of a vector, its index in the result of [`unique`], as `int32`.
///
/// # Errors
/// `unique expects a 1D vector, not shape [1,1]`.
pub fn unique_index(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    vector(x)?;
    dispatch!(any "unique_index", x, v => {
        let out = out.reset_as::<i32>(&[v.len()])?;
        out.iter_mut().zip(Groups::new(v).group_of).for_each(|(o, group)| *o = group as i32);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_number_is_an_error_not_an_allocation() {
        let mut out = Array::default();
        let x = Array::new(&[1], vec![i64::MAX]);
        assert!(bincount(&x, 0, None, &mut out).is_err());
        assert!(bincount(&x, i64::MAX, None, &mut out).is_err());
        assert_eq!(bincount(&x, 0, Some(2), &mut out), Ok(()));
        assert_eq!(out.values::<i32>().unwrap(), [0, 0]);
    }

    #[test]
    fn every_nan_is_distinct_and_zeros_are_one() {
        let x = Array::new(&[5], vec![f64::NAN, 0.0, -0.0, f64::NAN, 1.0]);
        let mut out = Array::default();
        unique_index(&x, &mut out).unwrap();
        assert_eq!(out.values::<i32>().unwrap(), [0, 1, 1, 2, 3]);
    }
}
