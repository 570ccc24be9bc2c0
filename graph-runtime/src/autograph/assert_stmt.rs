//! `assert!`: Rust's assertion for a `bool`; for a tensor, an assertion of the graph whose message shows the tensors' values. If a
//! Rust assertion fails in a branch under a tensor condition, a run that takes the branch fails.

use std::fmt::Write;

use super::print::message;
use crate::error::Location;
use crate::graph::SUMMARIZE;
use crate::kind::Condition;
use crate::tensor::Tensor;
use crate::trace;
use crate::variable::Variable;
use graph_kernels::Element;

/// The conditions of `assert!`: a `bool`, or a tensor all of whose values must be true.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be asserted",
    label = "expected `bool` or `Tensor<bool>`",
    note = "compare it: `assert!(x > 0)`, `assert!(x != 0.0)`"
)]
pub trait Assertable {
    /// Returns `says` if the assertion fails already now; otherwise it is checked in the run.
    #[doc(hidden)]
    fn check<F: FnOnce() -> Says>(
        self,
        summarize: Option<usize>,
        text: &'static str,
        says: F,
    ) -> Option<F>;
}

/// The message of a failed assertion.
pub enum Says {
    /// A message from the user.
    Message(String),
    /// The two sides of the failed comparison, those of them that are tensors.
    Sides(Vec<(&'static str, Option<String>)>),
}

/// The result of an assertion. If Rust values have failed it, it holds the function that makes the message. If the assertion is
/// under a tensor condition, the message may contain tensors, whose values only a run knows.
#[must_use]
pub struct Asserted<'m>(Option<Message<'m>>);

type Message<'m> = Box<dyn FnOnce() -> String + 'm>;

impl<'m> Asserted<'m> {
    /// The assertion holds, or is checked in the run.
    pub(super) const HOLDS: Asserted<'static> = Asserted(None);

    /// The assertion has failed with this message.
    pub(super) fn failing(message: impl FnOnce() -> String + 'm) -> Asserted<'m> {
        Asserted(Some(Box::new(message)))
    }

    /// Panics if the assertion has failed, like Rust's `assert!`.
    #[track_caller]
    pub fn or_panic(self) {
        if let Some(message) = self.0 {
            panic!("{}", message());
        }
    }

    /// The message, if the assertion has failed.
    pub fn failed(self) -> Option<Message<'m>> {
        self.0
    }
}

/// Asserts `condition`; `text` is its source code.
#[track_caller]
fn asserted<'m>(
    condition: impl Assertable,
    summarize: Option<usize>,
    text: &'static str,
    says: impl FnOnce() -> Says + 'm,
) -> Asserted<'m> {
    match condition.check(summarize, text, says) {
        None => Asserted::HOLDS,
        Some(says) => Asserted::failing(move || match says() {
            Says::Message(message) => message,
            Says::Sides(_) => format!("assertion failed: {text}"),
        }),
    }
}

#[diagnostic::do_not_recommend]
impl Assertable for bool {
    fn check<F: FnOnce() -> Says>(self, _: Option<usize>, _: &'static str, says: F) -> Option<F> {
        (!self).then_some(says)
    }
}

#[diagnostic::do_not_recommend]
impl<S> Assertable for Tensor<bool, S>
where
    Tensor<bool, S>: Condition,
{
    #[track_caller]
    fn check<F: FnOnce() -> Says>(
        self,
        summarize: Option<usize>,
        text: &'static str,
        says: F,
    ) -> Option<F> {
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
        None
    }
}

/// `assert!(condition)`; `text` is the source code of the condition.
#[track_caller]
pub fn assert_stmt<'m>(condition: impl Assertable, text: &'static str) -> Asserted<'m> {
    asserted(condition, SUMMARIZE, text, || Says::Sides(Vec::new()))
}

/// `assert!(left < right)`; the message shows both sides.
#[track_caller]
pub fn assert_sides<'m, const N: usize>(
    condition: impl Assertable,
    text: &'static str,
    sides: impl FnOnce() -> [(&'static str, Option<String>); N] + 'm,
) -> Asserted<'m> {
    asserted(condition, SUMMARIZE, text, || Says::Sides(sides().into()))
}

/// `assert!(condition, message)`.
#[track_caller]
pub fn assert_says<'m>(
    condition: impl Assertable,
    message: impl FnOnce() -> String + 'm,
) -> Asserted<'m> {
    asserted(condition, SUMMARIZE, "", || Says::Message(message()))
}

/// `graph_assert!(condition, message; summarize = edge)`.
#[track_caller]
pub fn assert_summarized<'m>(
    condition: impl Assertable,
    edge: i64,
    message: impl FnOnce() -> String + 'm,
) -> Asserted<'m> {
    let summarize = usize::try_from(edge).ok();
    asserted(condition, summarize, "", || Says::Message(message()))
}

/// A side of an asserted comparison.
pub struct Side<'a, T: ?Sized>(&'a T);

/// Wraps a side of an asserted comparison.
pub fn side<T: ?Sized>(value: &T) -> Side<'_, T> {
    Side(value)
}

/// Tensors and variables.
pub trait SideTensor {
    /// The text that shows the value in a message.
    fn shown(self) -> Option<String>;
}

/// Everything else: such values aren't shown in a message, as in Rust.
pub trait SidePlain {
    /// Returns `None`.
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
