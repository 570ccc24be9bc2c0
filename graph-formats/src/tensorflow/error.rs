//! Errors of reading TensorFlow's files: what is wrong, and where.

use std::fmt;

use graph_ir::ops::AttrError;
use graph_kernels::KernelError;

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file isn't valid.
    Invalid,
    /// The file is (or may be) valid, but needs what isn't here; the message names the op, dtype or attribute.
    Unsupported,
    /// A file can't be read or written.
    Io,
}

/// An error of reading or writing TensorFlow's files.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// The result of a step of reading.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error {
            kind,
            message: message.into(),
        }
    }

    /// The error of a wrong file.
    pub(crate) fn invalid(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Invalid, message)
    }

    /// The error of what isn't here.
    pub(crate) fn unsupported(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Unsupported, message)
    }

    /// The error of a file that can't be read or written.
    pub(crate) fn io(path: &std::path::Path, error: &std::io::Error) -> Error {
        Error::new(ErrorKind::Io, format!("{}: {error}", path.display()))
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The error with the place before its text.
    pub(crate) fn at(self, place: impl fmt::Display) -> Error {
        Error::new(self.kind, format!("{place}: {}", self.message))
    }
}

/// A type rule refused the operands.
impl From<String> for Error {
    fn from(text: String) -> Error {
        Error::unsupported(text)
    }
}

impl From<AttrError> for Error {
    fn from(error: AttrError) -> Error {
        Error::unsupported(error.to_string())
    }
}

impl From<KernelError> for Error {
    fn from(error: KernelError) -> Error {
        Error::invalid(error.to_string())
    }
}

impl From<prost::DecodeError> for Error {
    fn from(error: prost::DecodeError) -> Error {
        Error::invalid(error.to_string())
    }
}
