//! Sorting along an axis: `sort`, `argsort` and `top_k`. NaN comes last in both directions, and equal values keep their order.
//!
//! A value is sorted by a [`SortKey`], an unsigned integer with the order of the value, with its position in the low bits: plain integers
//! sort fast, and the position makes any sort stable.

use crate::along::Split;
use crate::dispatch::{dispatch, shape_text};
use crate::number::Number;
use crate::widened::AsInt64;
use crate::{Array, Dims, KernelError, bf16, f16, scratch};

/// A number with a key for sorting.
trait SortKey: Number {
    /// A key in the high bits and a position in the low bits.
    type Placed: Ord + Copy;
    /// The key of the value, for the given direction, with its position.
    fn placed(self, descending: bool, position: u32) -> Self::Placed;
    /// The position in the low bits.
    fn position(placed: Self::Placed) -> usize;
}

/// The bits of a float as an unsigned integer with the float's order; -0 equals 0.
macro_rules! float_key {
    ($value:expr, $bits:ty, $signed:ty) => {{
        let bits = ($value + 0.0).to_bits();
        let all_if_negative = (bits as $signed >> (<$bits>::BITS - 1)) as $bits;
        bits ^ (all_if_negative | 1 << (<$bits>::BITS - 1))
    }};
}
/// Rows: the type, its key, the integer that holds key and position, and the key of a value in ascending order.
macro_rules! sort_keys {
    ($($type:ty, $key:ty, $placed:ty, $up:expr;)*) => { $(
        impl SortKey for $type {
            type Placed = $placed;

            #[inline(always)]
            fn placed(self, descending: bool, position: u32) -> $placed {
                let up: $key = $up(self);
                let key = if self.is_nan() {
                    <$key>::MAX
                } else if descending {
                    !up
                } else {
                    up
                };
                <$placed>::from(key) << 32 | <$placed>::from(position)
            }

            #[inline(always)]
            fn position(placed: $placed) -> usize {
                placed as u32 as usize
            }
        }
    )* };
}
sort_keys! {
    f32, u32, u64, |v: f32| float_key!(v, u32, i32);
    f64, u64, u128, |v: f64| float_key!(v, u64, i64);
    f16, u32, u64, |v: f16| float_key!(v.to_f32(), u32, i32);
    bf16, u32, u64, |v: bf16| float_key!(v.to_f32(), u32, i32);
    i32, u32, u64, |v: i32| v as u32 ^ 1 << 31;
    i64, u64, u128, |v: i64| v as u64 ^ 1 << 63;
    u8, u32, u64, u32::from;
}

/// Collects the keys of a lane of `x` with their positions.
fn place<T: SortKey>(
    x: &[T],
    lane: impl Iterator<Item = usize>,
    descending: bool,
    placed: &mut Vec<T::Placed>,
) {
    placed.clear();
    placed.extend(
        lane.zip(0..)
            .map(|(offset, n)| x[offset].placed(descending, n)),
    );
}

/// The axis of an array; fails if its positions don't fit `int32`.
fn split(op: &str, shape: &[usize], axis: i64) -> Result<Split, KernelError> {
    let split = Split::new(shape, axis)?;
    if i32::try_from(split.len).is_err() {
        return Err(KernelError::Shape(format!(
            "`{op}` takes at most {} values along the axis, not {}",
            i32::MAX,
            split.len
        )));
    }
    Ok(split)
}

/// The values sorted along the axis; NaN last.
///
/// # Errors
/// If the axis doesn't exist or `x` doesn't hold numbers.
pub fn sort(x: &Array, axis: i64, descending: bool, out: &mut Array) -> Result<(), KernelError> {
    if let Some(done) = AsInt64::ByOrder.map(x, out, |x, out| sort(x, axis, descending, out)) {
        return done;
    }
    dispatch!(number "sort", x, v => {
        let split = split("sort", x.shape(), axis)?;
        in_order(v, &split, descending, out.reset_as(x.shape())?, |start, n| v[start + n * split.inner])
    })
}

/// The `int32` indices that sort the values along the axis: equal values keep their order, NaN last.
///
/// # Errors
/// If the axis doesn't exist or `x` doesn't hold numbers.
pub fn argsort(x: &Array, axis: i64, descending: bool, out: &mut Array) -> Result<(), KernelError> {
    if let Some(x) = AsInt64::ByOrder.widened(x) {
        return argsort(&x, axis, descending, out);
    }
    dispatch!(number "argsort", x, v => {
        let split = split("argsort", x.shape(), axis)?;
        in_order(v, &split, descending, out.reset_as(x.shape())?, |_, n| n as i32)
    })
}

/// For each lane, writes `of` for its values in sorted order; `of` gets the lane's start and the value's position.
fn in_order<T: SortKey, O>(
    x: &[T],
    split: &Split,
    descending: bool,
    out: &mut [O],
    of: impl Fn(usize, usize) -> O,
) -> Result<(), KernelError> {
    let mut placed = scratch::list(split.len)?;
    for start in split.lanes() {
        place(x, split.lane(start), descending, &mut placed);
        placed.sort_unstable();
        for (offset, p) in split.lane(start).zip(&placed) {
            out[offset] = of(start, T::position(*p));
        }
    }
    Ok(())
}

/// The `int32` indices of the `k` largest values along the last axis, largest first; of equal values the lower index comes first, NaN
/// last.
///
/// # Errors
/// `input must have at least k columns. Had 3, needed 5`, or if `x` is a scalar or doesn't hold numbers.
pub fn top_k(x: &Array, k: i64, out: &mut Array) -> Result<(), KernelError> {
    if let Some(x) = AsInt64::ByOrder.widened(x) {
        return top_k(&x, k, out);
    }
    dispatch!(number "top_k", x, v => top_k_values(x.shape(), v, k, out))
}

fn top_k_values<T: SortKey>(
    shape: &[usize],
    x: &[T],
    k: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    let columns = *shape.last().ok_or_else(|| {
        KernelError::Shape(format!(
            "input must be >= 1-D, got shape {}",
            shape_text(shape)
        ))
    })?;
    let split = split("top_k", shape, -1)?;
    let count = top_k_count(columns, k)?;
    let mut top = Dims::from_slice(shape);
    top[split.axis] = count;
    let out = out.reset_as::<i32>(&top)?;
    if out.is_empty() {
        return Ok(());
    }
    let mut placed = scratch::list(columns)?;
    for (start, row) in split.lanes().zip(out.chunks_exact_mut(count)) {
        place(x, split.lane(start), true, &mut placed);
        if count < columns {
            placed.select_nth_unstable(count - 1);
        }
        let best = &mut placed[..count];
        best.sort_unstable();
        row.iter_mut()
            .zip(best)
            .for_each(|(o, p)| *o = T::position(*p) as i32);
    }
    Ok(())
}

/// The `k` of [`top_k`] for a last axis of a size.
///
/// # Errors
/// If it is negative or there are fewer values.
pub fn top_k_count(columns: usize, k: i64) -> Result<usize, KernelError> {
    let count =
        usize::try_from(k).map_err(|_| KernelError::Value(format!("Need k >= 0, got {k}")))?;
    if count > columns {
        return Err(KernelError::Value(format!(
            "input must have at least k columns. Had {columns}, needed {count}"
        )));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers with many equal ones, both zeros, infinities and NaN.
    fn values() -> impl Strategy<Value = Vec<f32>> {
        let special = prop::sample::select(vec![
            0.0,
            -0.0,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            1.0,
            -1.0,
        ]);
        prop::collection::vec(prop_oneof![special, any::<f32>()], 0..40)
    }

    /// The definition: smaller (larger) values come first, numbers before NaN, and equal values in their order.
    fn naive_argsort(x: &[f32], descending: bool) -> Vec<i32> {
        let mut order: Vec<i32> = Vec::new();
        for n in 0..x.len() {
            let v = x[n];
            let before = |o: &i32| {
                let other = x[*o as usize];
                let precedes = if descending { other > v } else { other < v };
                precedes || other == v || v.is_nan()
            };
            let at = order.iter().take_while(|o| before(o)).count();
            order.insert(at, n as i32);
        }
        order
    }

    proptest! {
        #[test]
        fn sorts_as_defined(x in values(), descending: bool) {
            let expected = naive_argsort(&x, descending);
            let array = Array::new(&[x.len()], x.clone());
            let mut out = Array::default();
            argsort(&array, 0, descending, &mut out).unwrap();
            prop_assert_eq!(out.values::<i32>().unwrap(), &expected);
            sort(&array, 0, descending, &mut out).unwrap();
            let bits: Vec<u32> = expected.iter().map(|n| x[*n as usize].to_bits()).collect();
            let sorted: Vec<u32> = out.values::<f32>().unwrap().iter().map(|v| v.to_bits()).collect();
            prop_assert_eq!(sorted, bits);
        }

        #[test]
        fn the_top_begins_the_descending_order(x in values(), k in 0usize..40) {
            let k = k.min(x.len());
            let mut out = Array::default();
            top_k(&Array::new(&[x.len()], x.clone()), k as i64, &mut out).unwrap();
            prop_assert_eq!(out.values::<i32>().unwrap(), &naive_argsort(&x, true)[..k]);
        }

        #[test]
        fn wide_integers_sort_by_all_their_bits(x in prop::collection::vec(any::<i64>(), 0..20)) {
            let mut out = Array::default();
            sort(&Array::new(&[x.len()], x.clone()), 0, true, &mut out).unwrap();
            let mut expected = x;
            expected.sort_by(|a, b| b.cmp(a));
            prop_assert_eq!(out.values::<i64>().unwrap(), expected);
        }
    }
}
