//! Errors of tracing and of running a graph: what is wrong, in which op, and on which line of the user's source.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A line of the user's source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Path of the file as the compiler knows it.
    pub file: Cow<'static, str>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The construct at this line, if a branch of a graph came from it.
    pub construct: Construct,
}

/// The source construct that a branch of a graph came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Construct {
    #[default]
    If,
    Match,
    And,
    Or,
}

impl Location {
    /// The location of the caller of the innermost `#[track_caller]` function.
    #[inline]
    #[track_caller]
    pub fn caller() -> Location {
        Location::from(Caller::here().0)
    }

    /// The location, for another construct than an `if`.
    #[inline]
    pub fn of(self, construct: Construct) -> Location {
        Location { construct, ..self }
    }

    /// A location that names no line.
    pub fn unknown() -> Location {
        Location {
            file: Cow::Borrowed(""),
            line: 0,
            column: 0,
            construct: Construct::If,
        }
    }
}

/// The line of a call that passes through a trait object, where `#[track_caller]` doesn't work.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Caller(&'static std::panic::Location<'static>);

thread_local! {
    /// The line that replaces the lines of the code that is running.
    static STANDS_IN: Cell<Option<Caller>> = const { Cell::new(None) };
}

impl Caller {
    /// The caller of the innermost `#[track_caller]` function, or the line that replaces it.
    #[track_caller]
    #[inline]
    pub fn here() -> Caller {
        match STANDS_IN.get() {
            Some(caller) => caller,
            None => Caller(std::panic::Location::caller()),
        }
    }

    /// Runs `f` so that everything in it has this location.
    pub fn stands_in<R>(self, f: impl FnOnce() -> R) -> R {
        Caller::with(Some(self), f)
    }

    /// Runs `f` so that its own lines are used again.
    pub fn hidden<R>(f: impl FnOnce() -> R) -> R {
        Caller::with(None, f)
    }

    fn with<R>(caller: Option<Caller>, f: impl FnOnce() -> R) -> R {
        struct Before(Option<Caller>);
        impl Drop for Before {
            fn drop(&mut self) {
                STANDS_IN.set(self.0);
            }
        }
        let _before = Before(STANDS_IN.replace(caller));
        f()
    }
}

impl From<&'static std::panic::Location<'static>> for Location {
    #[inline]
    fn from(l: &'static std::panic::Location<'static>) -> Location {
        Location {
            file: Cow::Borrowed(l.file()),
            line: l.line(),
            column: l.column(),
            construct: Construct::If,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return f.write_str("<unknown location>");
        }
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// When an error was detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// While tracing: wrong shapes or dtypes, a tensor out of scope, state whose structure changes.
    Trace,
    /// While running: an index out of bounds, a division by zero, a failed assertion.
    Run,
}

/// An error of a graph function. The message names the op and the shapes, the location is the user's line.
#[derive(Clone, PartialEq)]
pub struct Error(Arc<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    stage: Stage,
    message: String,
    location: Location,
    around: Vec<String>,
}

/// The result of a fallible graph operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error that was detected while tracing.
    pub fn trace(message: impl Into<String>, location: Location) -> Error {
        Error(Arc::new(Inner {
            stage: Stage::Trace,
            message: message.into(),
            location,
            around: Vec::new(),
        }))
    }

    /// An error that was detected while running.
    pub fn run(message: impl Into<String>, location: Location) -> Error {
        Error(Arc::new(Inner {
            stage: Stage::Run,
            message: message.into(),
            location,
            around: Vec::new(),
        }))
    }

    /// Appends loops and branches around the error to those that it has already.
    pub fn within(mut self, around: Vec<String>) -> Error {
        if !around.is_empty() {
            Arc::make_mut(&mut self.0).around.extend(around);
        }
        self
    }

    /// When the error was detected.
    pub fn stage(&self) -> Stage {
        self.0.stage
    }

    /// What went wrong, without the location.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The user's line.
    pub fn location(&self) -> &Location {
        &self.0.location
    }

    /// The loops and branches of the graph in which an error of a run happened, from the innermost to the outermost:
    /// `in iteration 7 of the loop at src/main.rs:3:5`, `in the else branch of the if at src/main.rs:2:5`. Iterations count from 1.
    pub fn around(&self) -> &[String] {
        &self.0.around
    }
}

/// Set by [`ended_by`].
static END: OnceLock<fn(&Error)> = OnceLock::new();

/// Sets how [`fail`] ends a function: `end` unwinds to the call of the innermost running function, and returns if none is running. The
/// crate that runs functions calls this once.
pub fn ended_by(end: fn(&Error)) {
    END.get_or_init(|| end);
}

/// Ends the innermost running function with an error; panics if none is running.
#[track_caller]
pub fn fail(error: Error) -> ! {
    if let Some(end) = END.get() {
        end(&error);
    }
    panic!("{error}")
}

/// The same text as by `Display`: it is what a program prints whose `main` returns an error, or that unwraps one.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  at {}", self.message(), self.location())?;
        self.around()
            .iter()
            .try_for_each(|scope| write!(f, ", {scope}"))
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_main_returns_prints_as_text() {
        let location = Location {
            file: "src/main.rs".into(),
            line: 3,
            column: 5,
            construct: Construct::If,
        };
        let error = Error::run("no GPU", location);
        assert_eq!(format!("{error:?}"), "no GPU\n  at src/main.rs:3:5");
    }
}
