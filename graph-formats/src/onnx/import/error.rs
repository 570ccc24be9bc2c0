//! Errors of reading a model: what is wrong, and at which node.

use std::fmt;

use graph_ir::ops::AttrError;
use graph_kernels::KernelError;

use super::build::Val;

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file isn't a valid model, or can't be read.
    Invalid,
    /// The model is (or may be) valid, but needs what isn't here; the message names the op, dtype or attribute.
    Unsupported,
    /// The values given to a call don't fit the model's inputs.
    Arguments,
    /// The run of the model failed.
    Run,
}

/// An error of reading or running a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    /// An error of a kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error {
            kind,
            message: message.into(),
        }
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// The result of a step of the import.
pub(crate) type Result<T, E = Fault> = std::result::Result<T, E>;

/// An error within the import, before it is known whether more knowledge of the arguments helps.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// The model is wrong.
    Invalid(String),
    /// The model needs what isn't here.
    Unsupported(String),
    /// The graph depends on a shape that isn't known; the text says for what.
    NeedsShape(String),
    /// The graph depends on the value of a tensor that isn't known; the text says for what.
    NeedsValue(String, Val),
}

/// The error for a wrong model.
pub(crate) fn invalid<T>(text: impl Into<String>) -> Result<T> {
    Err(Fault::Invalid(text.into()))
}

/// The error for what isn't here.
pub(crate) fn unsupported<T>(text: impl Into<String>) -> Result<T> {
    Err(Fault::Unsupported(text.into()))
}

impl Fault {
    /// The fault with the place before its text.
    pub fn at(self, place: &dyn fmt::Display) -> Fault {
        match self {
            Fault::Invalid(text) => Fault::Invalid(format!("{place}: {text}")),
            Fault::Unsupported(text) => Fault::Unsupported(format!("{place}: {text}")),
            Fault::NeedsShape(text) => Fault::NeedsShape(format!("{place}: {text}")),
            Fault::NeedsValue(text, val) => Fault::NeedsValue(format!("{place}: {text}"), val),
        }
    }

    /// The error for users, if nothing more can become known.
    pub fn into_error(self) -> Error {
        match self {
            Fault::Invalid(text) => Error::new(ErrorKind::Invalid, text),
            Fault::Unsupported(text) => Error::new(ErrorKind::Unsupported, text),
            Fault::NeedsShape(text) => Error::new(
                ErrorKind::Unsupported,
                format!("{text} depends on a shape that is known only at run time"),
            ),
            Fault::NeedsValue(text, _) => Error::new(
                ErrorKind::Unsupported,
                format!("{text} is known only at run time"),
            ),
        }
    }

    /// Whether knowledge of the arguments may help.
    pub fn is_open(&self) -> bool {
        matches!(self, Fault::NeedsShape(_) | Fault::NeedsValue(..))
    }
}

/// A type rule refused the operands.
impl From<String> for Fault {
    fn from(text: String) -> Fault {
        Fault::Unsupported(text)
    }
}

impl From<AttrError> for Fault {
    fn from(error: AttrError) -> Fault {
        Fault::Unsupported(error.to_string())
    }
}

impl From<KernelError> for Fault {
    fn from(error: KernelError) -> Fault {
        Fault::Invalid(error.to_string())
    }
}
