//! `unwrap` and `expect` of a `None` or an `Err` of Rust. Under a tensor condition they fail the run if it takes the branch, like
//! `panic!`. The value is checked before the method takes it. Values of other types aren't checked, because their methods of these
//! names may do anything:
//!
//! ```text
//! (match ag::unwrapping(text.parse::<f32>()).checked() {
//!     Ok(there) => there,
//!     Err(missing) => {
//!         if if_stmt.traced() {
//!             if_stmt.graph().fails(missing.says_why());
//!             continue 'if_stmt;
//!         }
//!         missing.value()
//!     }
//! })
//! .unwrap()
//! ```
//!
//! The result of the `match` is a temporary of the same statement as the receiver was, so the method's result may borrow from it.

use std::fmt::Debug;
use std::mem::ManuallyDrop;

/// The value to unwrap, before it is checked. It isn't dropped, so that no borrow lives longer than before.
pub struct Unwrapping<X>(Option<ManuallyDrop<X>>);

/// Wraps a value to unwrap.
#[inline(always)]
pub fn unwrapping<X>(value: X) -> Unwrapping<X> {
    Unwrapping(Some(ManuallyDrop::new(value)))
}

impl<X> Unwrapping<X> {
    #[inline(always)]
    fn take(&mut self) -> X {
        let Some(value) = self.0.take() else {
            unreachable!("it is looked at once")
        };
        ManuallyDrop::into_inner(value)
    }
}

/// A value that can't be unwrapped: a `None` or an `Err`.
pub struct Missing<X> {
    value: X,
    why: fn(&X) -> Why,
}

/// The reason, as the standard library states it.
enum Why {
    None,
    Err(String),
}

impl<X> Missing<X> {
    /// The value itself, so that its method panics.
    #[inline(always)]
    pub fn value(self) -> X {
        self.value
    }

    /// The message of `unwrap`.
    pub fn says_why(self) -> impl FnOnce() -> String {
        move || match (self.why)(&self.value) {
            Why::None => "called `Option::unwrap()` on a `None` value".to_owned(),
            Why::Err(error) => format!("called `Result::unwrap()` on an `Err` value: {error}"),
        }
    }

    /// The message of `expect`.
    pub fn says(self, text: &str) -> impl FnOnce() -> String {
        move || match (self.why)(&self.value) {
            Why::None => text.to_owned(),
            Why::Err(error) => format!("{text}: {error}"),
        }
    }
}

/// An `Option` or `Result`, or a reference to one.
trait Wrapped {
    fn is_missing(&self) -> bool;
    fn why(&self) -> Why;
}

impl<T> Wrapped for Option<T> {
    #[inline(always)]
    fn is_missing(&self) -> bool {
        self.is_none()
    }
    fn why(&self) -> Why {
        Why::None
    }
}

impl<T, E: Debug> Wrapped for Result<T, E> {
    #[inline(always)]
    fn is_missing(&self) -> bool {
        self.is_err()
    }
    fn why(&self) -> Why {
        match self {
            Ok(_) => Why::None,
            Err(error) => Why::Err(format!("{error:?}")),
        }
    }
}

impl<X: Wrapped> Wrapped for &X {
    #[inline(always)]
    fn is_missing(&self) -> bool {
        X::is_missing(self)
    }
    fn why(&self) -> Why {
        X::why(self)
    }
}

// The compiler tries the two traits in this order, because it tries a receiver first by value, then by reference, then by `&mut`.

/// `Option`s and `Result`s.
pub trait CheckedWrapped<X> {
    #[doc(hidden)]
    fn checked(self) -> Result<X, Missing<X>>;
}
impl<X: Wrapped> CheckedWrapped<X> for Unwrapping<X> {
    #[inline(always)]
    fn checked(mut self) -> Result<X, Missing<X>> {
        let value = self.take();
        match value.is_missing() {
            false => Ok(value),
            true => Err(Missing { value, why: X::why }),
        }
    }
}

/// Everything else.
pub trait CheckedOther<X> {
    #[doc(hidden)]
    fn checked(&mut self) -> Result<X, Missing<X>>;
}
impl<X> CheckedOther<X> for Unwrapping<X> {
    #[inline(always)]
    fn checked(&mut self) -> Result<X, Missing<X>> {
        Ok(self.take())
    }
}
