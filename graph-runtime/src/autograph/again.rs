//! Moves of a local variable that is used again later. Plain Rust allows this only for `Copy` types. Under `#[graph_fn]`, tensors,
//! structures of tensors, and variables are copied there, too. Any other type is moved, and the compiler reports the later use:
//!
//! ```text
//! match ag__::again(&x).copy() { Ok(copy) => copy, Err(moved) => { moved.here(); x } }
//! ```
//!
//! For a copied type, the result of `here` is uninhabited, so the compiler knows that the move after it is never reached.

use std::convert::Infallible;

use graph_kernels::Element;

use crate::error::{Error, Location};
use crate::state::GraphState;
use crate::trace::{self, Parts};
use crate::variable::Variable;

/// A variable that is used later; its type decides whether it is copied.
pub struct Again<'a, T>(&'a T);

/// Wraps a variable that is used later.
pub fn again<T>(variable: &T) -> Again<'_, T> {
    Again(variable)
}

/// A variable that a closure captures by value and that is used elsewhere, too. The closure gets a copy. A type that can't be copied is refused.
pub struct Captured<'a, T>(&'a T);

/// Wraps such a variable.
pub fn captured<T>(variable: &T) -> Captured<'_, T> {
    Captured(variable)
}

/// `Copy` types.
pub trait CapturedCopied<T> {
    #[doc(hidden)]
    fn copy(self) -> T;
}
impl<T: Copy> CapturedCopied<T> for Captured<'_, T> {
    #[inline(always)]
    fn copy(self) -> T {
        *self.0
    }
}

/// Tensors, structures of tensors, and types that are refused.
pub trait CapturedReused<T> {
    #[doc(hidden)]
    #[track_caller]
    fn copy(&self) -> T
    where
        T: UsableAgain;
}
impl<T> CapturedReused<T> for Captured<'_, T> {
    #[inline]
    #[track_caller]
    fn copy(&self) -> T
    where
        T: UsableAgain,
    {
        self.0.reuse()
    }
}

/// An uninhabited type: the compiler knows that no move happens after it.
pub struct NotMoved {
    /// The proof of it, for the compiler.
    pub witness: Infallible,
}

/// Replaces the move of a variable that is copied.
pub struct Copied(());

impl Copied {
    /// Ends the path, for the compiler.
    #[inline(always)]
    pub fn here(self) -> NotMoved {
        unreachable!("the value was copied")
    }
}

/// Marks the move of a variable.
pub struct Moved(pub(super) ());

impl Moved {
    /// Marks the place of the move.
    #[inline(always)]
    pub fn here(self) {}
}

/// Values that generated code copies where plain Rust would move them.
#[diagnostic::on_unimplemented(
    message = "a closure takes this `{Self}` by value, and it is used elsewhere, too",
    label = "`{Self}` is moved into the closure",
    note = "only `Copy` types, tensors and what is made of tensors stay usable: clone it before, or use a reference to it in the closure"
)]
pub trait UsableAgain {
    #[doc(hidden)]
    #[track_caller]
    fn reuse(&self) -> Self;
}
#[diagnostic::do_not_recommend]
impl<T: GraphState> UsableAgain for T {
    #[track_caller]
    fn reuse(&self) -> T {
        match Parts::of(self) {
            Some(parts) => parts.rebuild(parts.leaves.clone()),
            None => {
                let message = "an `Err` that is used once more can't be copied: write `.clone()` where it is taken first, or match on it";
                trace::fail(Error::trace(message, Location::caller()))
            }
        }
    }
}
#[diagnostic::do_not_recommend]
impl<T: Element> UsableAgain for Variable<T> {
    fn reuse(&self) -> Variable<T> {
        self.clone()
    }
}

// The compiler tries the three traits in this order, because it tries a receiver first by value, then by reference, then by `&mut`.

/// `Copy` types.
pub trait AgainCopied<T> {
    #[doc(hidden)]
    fn copy(self) -> Result<T, Copied>;
}
impl<T: Copy> AgainCopied<T> for Again<'_, T> {
    #[inline(always)]
    fn copy(self) -> Result<T, Copied> {
        Ok(*self.0)
    }
}

/// Tensors and structures of tensors.
pub trait AgainReused<T> {
    #[doc(hidden)]
    #[track_caller]
    fn copy(&self) -> Result<T, Copied>;
}
impl<T: UsableAgain> AgainReused<T> for Again<'_, T> {
    #[inline]
    #[track_caller]
    fn copy(&self) -> Result<T, Copied> {
        Ok(self.0.reuse())
    }
}

/// Everything else.
pub trait AgainMoved<T> {
    #[doc(hidden)]
    fn copy(&mut self) -> Result<T, Moved>;
}
impl<T> AgainMoved<T> for Again<'_, T> {
    #[inline(always)]
    fn copy(&mut self) -> Result<T, Moved> {
        Err(Moved(()))
    }
}
