//! `graph_print!`: prints tensors when the graph runs; everything else is formatted while tracing.

use std::fmt::{self, Debug, Display};

use crate::error::Location;
use crate::graph::{Message, Print, PrintTo, SUMMARIZE};
use crate::tensor::Tensor;
use crate::trace::{self, AnyTensor};
use crate::variable::Variable;

/// A print with its options.
pub struct Printing {
    summarize: Option<usize>,
    end: String,
    to: PrintTo,
}

/// A print on the standard output.
pub fn printing() -> Printing {
    Printing {
        summarize: SUMMARIZE,
        end: "\n".to_owned(),
        to: PrintTo::Stdout,
    }
}

impl Printing {
    /// How many entries are shown at each edge of a long axis; a negative number shows them all.
    pub fn summarize(mut self, edge: i64) -> Printing {
        self.summarize = usize::try_from(edge).ok();
        self
    }

    /// Sets the text after the message, instead of a line break.
    pub fn end(mut self, end: impl Display) -> Printing {
        self.end = end.to_string();
        self
    }

    /// Sets the destination.
    pub fn to(mut self, to: PrintTo) -> Printing {
        self.to = to;
        self
    }

    /// Prints in program order when the graph runs; outside of graph functions, at once.
    #[track_caller]
    pub fn print(self, text: fmt::Arguments<'_>) {
        let Printing { summarize, end, to } = self;
        let location = Location::caller();
        let (message, tensors) = message(&location, summarize, || text.to_string());
        trace::print(Print { message, end, to }, &tensors, location);
    }
}

/// A message, and the tensors in it.
pub(super) fn message(
    location: &Location,
    summarize: Option<usize>,
    format: impl FnOnce() -> String,
) -> (Message, Vec<AnyTensor>) {
    let (message, tensors) = trace::gather(location, format);
    (
        Message {
            summarize,
            ..message
        },
        tensors,
    )
}

/// An argument that the format string doesn't name: it prints as `{}`, or if it has no `Display`, as `{:?}`. Tensors print as
/// `tf.print` prints them.
pub struct Listed<'a, T: ?Sized>(&'a T);

/// Wraps an argument that the format string doesn't name.
pub fn listed<T: ?Sized>(value: &T) -> Listed<'_, T> {
    Listed(value)
}

/// Tensors and variables. Several strings are printed in quotes, as in TensorFlow.
macro_rules! listed_tensors {
    ($([$($b:lifetime)?] $type:ty;)*) => { $(
        impl<'a, $($b,)? T, S> Listed<'a, $type> {
            /// The value.
            pub fn text(self) -> ByDebug<'a, $type> {
                ByDebug(self.0)
            }
        }
    )* };
}
listed_tensors! {
    [] Tensor<T, S>;
    ['b] &'b Tensor<T, S>;
    [] Variable<T, S>;
    ['b] &'b Variable<T, S>;
}

/// Values with `Display`.
pub trait ListedDisplay<'a, T: ?Sized> {
    /// The value.
    fn text(self) -> &'a T;
}

impl<'a, T: Display + ?Sized> ListedDisplay<'a, T> for Listed<'a, T> {
    fn text(self) -> &'a T {
        self.0
    }
}

/// Values with only `Debug`.
pub trait ListedDebug<'a, T: ?Sized> {
    /// The value.
    fn text(&self) -> ByDebug<'a, T>;
}

impl<'a, T: Debug + ?Sized> ListedDebug<'a, T> for Listed<'a, T> {
    fn text(&self) -> ByDebug<'a, T> {
        ByDebug(self.0)
    }
}

/// A value that prints as `{:?}`.
pub struct ByDebug<'a, T: ?Sized>(&'a T);

impl<T: Debug + ?Sized> Display for ByDebug<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Values that can't be printed; implemented only for the compiler's message.
pub trait Unlisted<T: ?Sized> {
    /// Never called.
    fn text(&mut self) -> String
    where
        T: Debug,
    {
        unreachable!("no program gets here")
    }
}

impl<T: ?Sized> Unlisted<T> for Listed<'_, T> {}
