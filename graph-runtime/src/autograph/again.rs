//! A local variable whose value is taken though the variable is used later. Plain Rust lets that be for `Copy` types only. Under
//! `#[graph_fn]` tensors and what is made of them, and variables, are copied there, too. Any other type is moved, and the compiler says so:
//!
//! ```text
//! if ag__::again(&x).copies() { ag__::again(&x).copy() } else { ag__::again(&x).moves(); x }
//! ```

use std::convert::Infallible;

use graph_kernels::Element;

use crate::state::{GraphState, Parts};
use crate::variable::Variable;

/// A variable that is used later; its type decides if it is copied.
pub struct Again<'a, T>(&'a T);

/// A variable that is used later.
pub fn again<T>(variable: &T) -> Again<'_, T> {
    Again(variable)
}

/// Has no values: the compiler knows that behind it nothing is moved.
pub struct NotMoved {
    /// Tells the compiler so.
    pub witness: Infallible,
}

/// Values that generated code copies where plain Rust would move them.
pub trait Reuse {
    #[doc(hidden)]
    fn reuse(&self) -> Self;
}
#[diagnostic::do_not_recommend]
impl<T: GraphState> Reuse for T {
    fn reuse(&self) -> T {
        match Parts::of(self) {
            Some(parts) => parts.rebuild(parts.leaves.clone()),
            None => unreachable!("graph state is no `Err`"),
        }
    }
}
#[diagnostic::do_not_recommend]
impl<T: Element> Reuse for Variable<T> {
    fn reuse(&self) -> Variable<T> {
        self.clone()
    }
}

// The compiler tries the three traits in this order, for it tries a receiver by value, then by reference, then by `&mut`.

/// `Copy` types.
pub trait AgainCopied<T> {
    #[doc(hidden)]
    fn copies(self) -> bool;
    #[doc(hidden)]
    fn copy(self) -> T;
    #[doc(hidden)]
    fn moves(self) -> NotMoved;
}
impl<T: Copy> AgainCopied<T> for Again<'_, T> {
    #[inline(always)]
    fn copies(self) -> bool {
        true
    }
    #[inline(always)]
    fn copy(self) -> T {
        *self.0
    }
    fn moves(self) -> NotMoved {
        unreachable!("it is copied")
    }
}

/// Tensors and what is made of them.
pub trait AgainReused<T> {
    #[doc(hidden)]
    fn copies(&self) -> bool;
    #[doc(hidden)]
    fn copy(&self) -> T;
    #[doc(hidden)]
    fn moves(&self) -> NotMoved;
}
impl<T: Reuse> AgainReused<T> for Again<'_, T> {
    #[inline]
    fn copies(&self) -> bool {
        true
    }
    #[inline]
    fn copy(&self) -> T {
        self.0.reuse()
    }
    fn moves(&self) -> NotMoved {
        unreachable!("it is copied")
    }
}

/// Everything else.
pub trait AgainMoved<T> {
    #[doc(hidden)]
    fn copies(&mut self) -> bool;
    #[doc(hidden)]
    fn copy(&mut self) -> T;
    #[doc(hidden)]
    fn moves(&mut self);
}
impl<T> AgainMoved<T> for Again<'_, T> {
    #[inline(always)]
    fn copies(&mut self) -> bool {
        false
    }
    fn copy(&mut self) -> T {
        unreachable!("it is moved")
    }
    #[inline(always)]
    fn moves(&mut self) {}
}
