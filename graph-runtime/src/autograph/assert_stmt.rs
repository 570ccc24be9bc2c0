//! `assert!`: Rust's over a `bool`, an assertion of the graph over a tensor, whose message shows what the tensors were.

use std::fmt::Write;

use super::if_stmt::Condition;
use super::print::message;
use crate::error::Location;
use crate::graph::SUMMARIZE;
use crate::tensor::Tensor;
use crate::trace;
use crate::variable::Variable;
use graph_kernels::Element;

/// What `assert!` can check: a `bool`, or a tensor all of whose values must be true.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be asserted",
    label = "expected `bool` or `Tensor<bool>`",
    note = "compare it: `assert!(x > 0)`, `assert!(x != 0.0)`"
)]
pub trait Assertable {
    #[doc(hidden)]
    fn check(self, summarize: Option<usize>, text: &'static str, says: impl FnOnce() -> Says);
}

/// What an assertion says that fails.
pub enum Says {
    /// A message of the user's.
    Message(String),
    /// The sides of the comparison that doesn't hold, as far as they are tensors.
    Sides(Vec<(&'static str, Option<String>)>),
}

#[diagnostic::do_not_recommend]
impl Assertable for bool {
    #[track_caller]
    fn check(self, _: Option<usize>, text: &'static str, says: impl FnOnce() -> Says) {
        if !self {
            match says() {
                Says::Message(message) => panic!("{message}"),
                Says::Sides(_) => panic!("assertion failed: {text}"),
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl<S> Assertable for Tensor<bool, S>
where
    Tensor<bool, S>: Condition,
{
    #[track_caller]
    fn check(self, summarize: Option<usize>, text: &'static str, says: impl FnOnce() -> Says) {
        let location = Location::caller();
        let (message, tensors) = message(&location, summarize, || match says() {
            Says::Message(message) => format!("assertion failed: {message}"),
            Says::Sides(sides) => {
                let mut message = format!("assertion failed: {text}");
                for (name, value) in sides {
                    if let Some(value) = value {
                        // Writing to a string can't fail.
                        let _ = write!(message, "\n  {name}: {value}");
                    }
                }
                message
            }
        });
        trace::assert_that(self.dynamic().all().as_any(), message, &tensors, location);
    }
}

/// `assert!(condition)`; `text` is the condition's source.
#[track_caller]
pub fn assert_stmt(condition: impl Assertable, text: &'static str) {
    condition.check(SUMMARIZE, text, || Says::Sides(Vec::new()));
}

/// `assert!(left < right)`, whose message shows the sides.
#[track_caller]
pub fn assert_sides<const N: usize>(
    condition: impl Assertable,
    text: &'static str,
    sides: impl FnOnce() -> [(&'static str, Option<String>); N],
) {
    condition.check(SUMMARIZE, text, || Says::Sides(sides().into()));
}

/// `assert!(condition, message)`.
#[track_caller]
pub fn assert_says(condition: impl Assertable, message: impl FnOnce() -> String) {
    condition.check(SUMMARIZE, "", || Says::Message(message()));
}

/// `graph_assert!(condition, message; summarize = edge)`.
#[track_caller]
pub fn assert_summarized(condition: impl Assertable, edge: i64, message: impl FnOnce() -> String) {
    let summarize = usize::try_from(edge).ok();
    condition.check(summarize, "", || Says::Message(message()));
}

/// A side of an asserted comparison.
pub struct Side<'a, T: ?Sized>(&'a T);

/// A side of an asserted comparison.
pub fn side<T: ?Sized>(value: &T) -> Side<'_, T> {
    Side(value)
}

/// Tensors, and variables for what they hold.
pub trait SideTensor {
    /// What a message shows of it.
    fn shown(self) -> Option<String>;
}

/// Everything else, which Rust's messages don't show either.
pub trait SidePlain {
    /// Nothing.
    fn shown(&self) -> Option<String>;
}

impl<T: ?Sized> SidePlain for Side<'_, T> {
    fn shown(&self) -> Option<String> {
        None
    }
}

macro_rules! side_tensors {
    ($($type:ty)*) => { $(
        impl<T: Element, S> SideTensor for Side<'_, $type> {
            fn shown(self) -> Option<String> {
                Some(format!("{:?}", self.0))
            }
        }
    )* };
}
side_tensors! { Tensor<T, S> &Tensor<T, S> Variable<T, S> &Variable<T, S> }
