//! Updates of a copy of an array at rows of positions: replace, add, subtract, minimum and maximum.

use crate::dispatch::{alike_mut, dispatch, shape_text, undefined};
use crate::indices::{Index, PositionRows, with_indices};
use crate::number::Number;
use crate::widened::AsInt64;
use crate::{Array, Dims, Element, KernelError};

/// Dispatches on arrays of numbers, or of any dtype if values are only moved.
macro_rules! class {
    (moved $op:expr, $($rest:tt)*) => { dispatch!(moved $($rest)*) };
    (number $($rest:tt)*) => { dispatch!(number $($rest)*) };
}

/// Declares the kernels: the name, that of the kernel in place, the dtypes, and how an update changes a value.
macro_rules! scatters {
    ($($(#[$doc:meta])* $name:ident $in_place:ident $class:ident $($taken:ident)? |$old:ident, $new:ident| $change:expr;)*) => { $(
        $(#[$doc])*
        ///
        /// The last axis of `indices` holds positions on the first axes of `x`; `updates` has the other axes of `indices` and then the
        /// other axes of `x`. If several rows have the same position, they are applied in order.
        ///
        /// # Errors
        /// `indices[1] = [3] does not index into shape [3,2]`, or if the shapes don't fit.
        pub fn $name(
            x: &Array,
            indices: &Array,
            updates: &Array,
            out: &mut Array,
        ) -> Result<(), KernelError> {
            out.assign(x)?;
            $in_place(out, indices, updates)
        }

        #[doc = concat!("[`", stringify!($name), "`] that changes `x` itself.")]
        ///
        /// # Errors
        #[doc = concat!("As [`", stringify!($name), "`]; then `x` is as it was.")]
        pub fn $in_place(x: &mut Array, indices: &Array, updates: &Array) -> Result<(), KernelError> {
            $(if let Some(done) =
                AsInt64::$taken.change(x, updates, |x, updates| $in_place(x, indices, updates))
            {
                return done;
            })?
            class!($class stringify!($name), updates, v => {
                scatter(stringify!($name), x, indices, (updates, v), |old, new| {
                    for ($old, $new) in old.iter_mut().zip(new) {
                        $change
                    }
                })
            })
        }
    )* };
}
scatters! {
    /// A copy of `x` with updates in place of the parts at the rows of `indices`.
    scatter_update scatter_update_in_place moved |old, new| old.clone_from(new);
    /// A copy of `x` with the updates added at the rows of `indices`.
    scatter_add scatter_add_in_place number ByBits |old, new| *old = old.add(*new);
    /// A copy of `x` with the updates subtracted at the rows of `indices`.
    scatter_sub scatter_sub_in_place number ByBits |old, new| *old = old.sub(*new);
    /// A copy of `x` with the smaller of value and update at the rows of `indices`; NaN wins.
    scatter_min scatter_min_in_place number ByOrder |old, new| *old = Number::minimum(*old, *new);
    /// A copy of `x` with the larger of value and update at the rows of `indices`; NaN wins.
    scatter_max scatter_max_in_place number ByOrder |old, new| *old = Number::maximum(*old, *new);
}

/// Fails unless the updates fit the rows of positions and the part of the array at each.
///
/// # Errors
/// `Outer dimensions of indices and update must match. ..`, `Inner dimensions of output shape must match ..`.
pub fn check_updates(x: &[usize], indices: &[usize], updates: &[usize]) -> Result<(), KernelError> {
    let (depth, outer) = indices.split_last().unwrap_or((&0, &[]));
    if !updates.starts_with(outer) {
        return Err(KernelError::Shape(format!(
            "Outer dimensions of indices and update must match. Indices shape: {}, updates shape:{}",
            shape_text(indices),
            shape_text(updates)
        )));
    }
    if updates[outer.len()..] != x[*depth..] {
        return Err(KernelError::Shape(format!(
            "Inner dimensions of output shape must match inner dimensions of updates shape. Output: {} updates: {}",
            shape_text(x),
            shape_text(updates)
        )));
    }
    Ok(())
}

/// Applies updates to values. A function pointer, so that the code that finds the positions is compiled once per type.
type Change<T> = fn(&mut [T], &[T]);

fn scatter<T: Element>(
    op: &str,
    x: &mut Array,
    indices: &Array,
    (array, updates): (&Array, &[T]),
    change: Change<T>,
) -> Result<(), KernelError> {
    let shape = Dims::from_slice(x.shape());
    let values = alike_mut::<T>(op, array, x)?;
    with_indices!(op, indices, i => {
        let rows = PositionRows::new(i, indices.shape(), shape.len())?;
        check_updates(&shape, indices.shape(), array.shape())?;
        write_rows(&rows, &shape, updates, values, change)
    })
}

fn write_rows<T: Element, I: Index>(
    rows: &PositionRows<'_, I>,
    shape: &[usize],
    updates: &[T],
    out: &mut [T],
    change: Change<T>,
) -> Result<(), KernelError> {
    let (indexed, run) = shape.split_at(rows.depth);
    let len: usize = run.iter().product();
    if rows.depth == 0 && len == 0 {
        // There may be too many rows without positions to walk them all.
        return Ok(());
    }
    // All positions are checked first, so that nothing is written if one is wrong.
    if let Some(n) = (0..rows.count()).find(|n| rows.flat(*n, indexed).is_none()) {
        let (text, shape) = (rows.text(n), shape_text(shape));
        return Err(KernelError::Value(format!(
            "{text} does not index into shape {shape}"
        )));
    }
    for (n, at) in (0..rows.count()).filter_map(|n| Some((n, rows.flat(n, indexed)?))) {
        let old = &mut out[at * len..(at + 1) * len];
        let new = &updates[n * len..(n + 1) * len];
        change(old, new);
    }
    Ok(())
}

/// The permutation that undoes a permutation of `0..n`.
///
/// # Errors
/// `3 is not between 0 and 3`, `2 is duplicated in the input.`, or if `x` isn't a vector.
pub fn invert_permutation(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    if x.rank() != 1 {
        return Err(KernelError::Shape(format!(
            "invert_permutation expects a 1D vector, not shape {}",
            shape_text(x.shape())
        )));
    }
    match x.buffer() {
        crate::Buffer::I32(v) => inverted(v, |n| n as i32, -1, out),
        crate::Buffer::I64(v) => inverted(v, |n| n as i64, -1, out),
        other => Err(undefined("invert_permutation", other.dtype())),
    }
}

fn inverted<I: Index + Element>(
    x: &[I],
    number: impl Fn(usize) -> I,
    unset: I,
    out: &mut Array,
) -> Result<(), KernelError> {
    let shape: Dims = Dims::from_slice(&[x.len()]);
    let out = out.reset_as::<I>(&shape)?;
    out.fill(unset);
    for (n, i) in x.iter().enumerate() {
        let given = i.wide();
        let at = i.below(x.len()).ok_or_else(|| {
            KernelError::Value(format!("{given} is not between 0 and {}", x.len()))
        })?;
        if out[at] != unset {
            return Err(KernelError::Value(format!(
                "{given} is duplicated in the input."
            )));
        }
        out[at] = number(n);
    }
    Ok(())
}
