//! `x.unwrap()` and `x.expect("…")` of a local variable that is needed again, by the other branch or later. Both methods take an
//! `Option` or `Result` by value, so plain Rust requires a `Copy` type here; under `#[graph_fn]`, an `Option` or `Result` of
//! tensors is copied, too. Other types may have methods of these names that do anything, so their call uses the variable itself:
//!
//! ```text
//! match ag::unwrapped(&x).copy() {
//!     Ok(copy) => { copy.here(); copy.value().unwrap() }
//!     Err(moved) => { moved.here(); x.unwrap() }
//! }
//! ```

use std::fmt::{Debug, Formatter};
use std::marker::PhantomData;

use super::again::{Copied, Moved, NotMoved, UsableAgain};

/// A variable that is unwrapped; its type decides how.
pub struct Unwrapped<'a, X>(&'a X);

/// Wraps a variable that is unwrapped.
#[inline(always)]
pub fn unwrapped<X>(variable: &X) -> Unwrapped<'_, X> {
    Unwrapped(variable)
}

/// A copy to unwrap.
pub struct CopyOf<X>(X);

impl<X> CopyOf<X> {
    /// Marks that a copy exists.
    #[inline(always)]
    pub fn here(&self) {}
    /// The copy.
    #[inline(always)]
    pub fn value(self) -> X {
        self.0
    }
}

/// Replaces the copy, for a type that isn't copied.
pub struct NoCopyOf<X>(PhantomData<X>);

impl<X> NoCopyOf<X> {
    /// Ends the path, for the compiler.
    #[inline(always)]
    pub fn here(&self) -> NotMoved {
        unreachable!("the value is not copied")
    }
    /// Gives the call after it its type; never called.
    pub fn value(self) -> X {
        unreachable!("the value is not copied")
    }
}

/// The text of an error, with a `Debug` that shows it unquoted.
pub struct Shown(String);

impl Debug for Shown {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

// The compiler tries the three traits in this order, because it tries a receiver first by value, then by reference, then by `&mut`.

/// `Option`s and `Result`s that are `Copy`.
pub trait UnwrappedCopied<X> {
    #[doc(hidden)]
    fn copy(self) -> Result<CopyOf<X>, Copied>;
}
impl<T: Copy> UnwrappedCopied<Option<T>> for Unwrapped<'_, Option<T>> {
    #[inline(always)]
    fn copy(self) -> Result<CopyOf<Option<T>>, Copied> {
        Ok(CopyOf(*self.0))
    }
}
impl<T: Copy, E: Copy> UnwrappedCopied<Result<T, E>> for Unwrapped<'_, Result<T, E>> {
    #[inline(always)]
    fn copy(self) -> Result<CopyOf<Result<T, E>>, Copied> {
        Ok(CopyOf(*self.0))
    }
}

/// `Option`s and `Result`s of tensors and of structures of tensors.
pub trait UnwrappedReused<X> {
    #[doc(hidden)]
    fn copy(&self) -> Result<CopyOf<X>, Copied>;
}
impl<T: UsableAgain> UnwrappedReused<Option<T>> for Unwrapped<'_, Option<T>> {
    fn copy(&self) -> Result<CopyOf<Option<T>>, Copied> {
        Ok(CopyOf(self.0.as_ref().map(T::reuse)))
    }
}
impl<T: UsableAgain, E: Debug> UnwrappedReused<Result<T, Shown>> for Unwrapped<'_, Result<T, E>> {
    fn copy(&self) -> Result<CopyOf<Result<T, Shown>>, Copied> {
        let shown = |error| Shown(format!("{error:?}"));
        Ok(CopyOf(self.0.as_ref().map(T::reuse).map_err(shown)))
    }
}

/// Everything else.
pub trait UnwrappedOther<X> {
    #[doc(hidden)]
    fn copy(&mut self) -> Result<NoCopyOf<X>, Moved>;
}
impl<X> UnwrappedOther<X> for Unwrapped<'_, X> {
    #[inline(always)]
    fn copy(&mut self) -> Result<NoCopyOf<X>, Moved> {
        Err(Moved(()))
    }
}
