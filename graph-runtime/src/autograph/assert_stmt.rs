//! `assert!`: Rust's over a `bool`, an assertion of the graph over a tensor.

use super::if_stmt::Condition;
use crate::error::Location;
use crate::tensor::Tensor;
use crate::trace;

/// What `assert!` can check: a `bool`, or a tensor all of whose values must be true.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be asserted",
    label = "expected `bool` or `Tensor<bool>`",
    note = "compare it: `assert!(x > 0)`, `assert!(x != 0.0)`"
)]
pub trait Assertable {
    #[doc(hidden)]
    fn check(self, text: &'static str, message: impl FnOnce() -> Option<String>);
}

#[diagnostic::do_not_recommend]
impl Assertable for bool {
    #[track_caller]
    fn check(self, text: &'static str, message: impl FnOnce() -> Option<String>) {
        if !self {
            match message() {
                Some(message) => panic!("{message}"),
                None => panic!("assertion failed: {text}"),
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
    fn check(self, text: &'static str, message: impl FnOnce() -> Option<String>) {
        let message = message().unwrap_or_else(|| text.to_owned());
        trace::assert_that(self.dynamic().all().as_any(), message, Location::caller());
    }
}

/// `assert!(condition, message)`; `text` is the condition's source.
#[track_caller]
pub fn assert_stmt(
    condition: impl Assertable,
    text: &'static str,
    message: impl FnOnce() -> Option<String>,
) {
    condition.check(text, message);
}

/// Asserts a condition where `#[graph_fn]` doesn't stand, in helpers and in eager code: in a graph it is checked each time the
/// graph runs, in program order, whether or not anything needs the values. (Under `#[graph_fn]`, `assert!` does the same.)
///
/// ```should_panic
/// # use graph_runtime::prelude::*;
/// fn root(x: Tensor<f32>) -> Tensor<f32> {
///     graph_assert!(x.ge(0.0), "no root of what is negative");
///     x.sqrt()
/// }
/// root(tensor(-1.0));
/// ```
#[macro_export]
macro_rules! graph_assert {
    ($condition:expr $(,)?) => {
        $crate::autograph::assert_stmt($condition, stringify!($condition), || None)
    };
    ($condition:expr, $($message:tt)+) => {
        $crate::autograph::assert_stmt($condition, stringify!($condition), || Some(format!($($message)+)))
    };
}
