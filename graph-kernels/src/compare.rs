//! Comparisons, the logic of truth values, and the choice between two arrays element by element.

use crate::dispatch::{dispatch, typed};
use crate::zip::{View, zip, zip_same, zip3};
use crate::{Array, Element, KernelError};

/// A comparing kernel for a class of dtypes.
macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident: $class:ident $operator:tt;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// If the shapes don't broadcast, or the dtypes differ or aren't of the kernel's class.
        pub fn $name(a: &Array, b: &Array, out: &mut Array) -> Result<(), KernelError> {
            let op = stringify!($name);
            dispatch!($class op, a, x => zip_same(op, (a, x), b, out, |a, b| a $operator b))
        }
    )* };
}

comparisons! {
    /// `a < b`.
    less: number <;
    /// `a <= b`.
    less_equal: number <=;
    /// `a > b`.
    greater: number >;
    /// `a >= b`.
    greater_equal: number >=;
    /// `a == b`.
    equal: any ==;
    /// `a != b`.
    not_equal: any !=;
}

/// A kernel over two arrays of truth values.
macro_rules! logical {
    ($($(#[$doc:meta])* $name:ident $operator:tt;)*) => { $(
        $(#[$doc])*
        ///
        /// # Errors
        /// If the shapes don't broadcast or an operand isn't `bool`.
        pub fn $name(a: &Array, b: &Array, out: &mut Array) -> Result<(), KernelError> {
            let op = stringify!($name);
            zip_same(op, (a, typed::<bool>(op, a)?), b, out, |a, b| *a $operator *b)
        }
    )* };
}

logical! {
    /// `a && b`.
    logical_and &;
    /// `a || b`.
    logical_or |;
}

/// `a` where `cond` is true, `b` where it is false; all three broadcast.
///
/// # Errors
/// If `cond` isn't `bool`, the dtypes of `a` and `b` differ, or the shapes don't broadcast.
pub fn select(cond: &Array, a: &Array, b: &Array, out: &mut Array) -> Result<(), KernelError> {
    let cond = View::new(cond.shape(), typed::<bool>("select", cond)?);
    dispatch!(any "select", a, x => select_values(cond, View::new(a.shape(), x), b, out))
}

fn select_values<T: Element>(
    cond: View<bool>,
    a: View<T>,
    b: &Array,
    out: &mut Array,
) -> Result<(), KernelError> {
    let b = View::new(b.shape(), typed::<T>("select", b)?);
    match (cond.shape, cond.values) {
        // One condition for all: what is left is broadcasting.
        ([], [true]) => zip(a, b, out, |a, _| a.clone()),
        ([], [false]) => zip(a, b, out, |_, b| b.clone()),
        _ => zip3(
            cond,
            a,
            b,
            out,
            |cond, a, b| if *cond { a.clone() } else { b.clone() },
        ),
    }
}
