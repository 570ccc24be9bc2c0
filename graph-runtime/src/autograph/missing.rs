//! `unwrap` and `expect` of a Rust value that isn't there: `None`, or an `Err`. In a branch that a tensor decides about they fail the run where that
//! branch runs, as `panic!` does. The value is looked at before the method takes it; of any other type nothing is asked, for its methods of
//! these names may do anything:
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
//! What the `match` gives is a value of the statement as the receiver was, so that what the method returns may borrow from it.

use std::fmt::Debug;
use std::mem::ManuallyDrop;

/// What is unwrapped, until it was looked at. It drops nothing, so that it ends no borrow late.
pub struct Unwrapping<X>(Option<ManuallyDrop<X>>);

/// What is unwrapped.
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

/// A value that has nothing to unwrap.
pub struct Missing<X> {
    value: X,
    why: fn(&X) -> Why,
}

/// What the standard library says of it.
enum Why {
    None,
    Err(String),
}

impl<X> Missing<X> {
    /// The value itself, for the method to panic.
    #[inline(always)]
    pub fn value(self) -> X {
        self.value
    }

    /// What `unwrap` says.
    pub fn says_why(self) -> impl FnOnce() -> String {
        move || match (self.why)(&self.value) {
            Why::None => "called `Option::unwrap()` on a `None` value".to_owned(),
            Why::Err(error) => format!("called `Result::unwrap()` on an `Err` value: {error}"),
        }
    }

    /// What `expect` says.
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

// The compiler tries the two traits in this order, for it tries a receiver by value, then by reference, then by `&mut`.

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
