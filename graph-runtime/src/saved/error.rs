//! Errors of files of functions.

use std::io;
use std::path::{Path, PathBuf};

use graph_formats::file::ReadError;
use thiserror::Error;

/// An error of saving or loading functions.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file can't be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The bytes aren't a file of functions.
    #[error("{}{error}", path.as_ref().map(|path| format!("{}: ", path.display())).unwrap_or_default())]
    Format {
        /// The file, if it is one.
        path: Option<PathBuf>,
        /// What is wrong, and where.
        error: ReadError,
    },
    /// A graph has what a file can't hold, or a device has no room for a variable.
    #[error(transparent)]
    Graph(#[from] crate::Error),
    /// A folder isn't a model of TensorFlow, or the model needs what isn't here.
    #[cfg(feature = "saved-model")]
    #[error(transparent)]
    TensorFlow(#[from] graph_formats::tensorflow::Error),
    /// There is no function of this name.
    #[error("there is no function `{name}`, but {}", listed(known))]
    NoFunction {
        /// The name that was asked for.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
}

impl FileError {
    /// The error of reading a file.
    pub(super) fn of_file(self, path: &Path) -> FileError {
        match self {
            FileError::Format { error, .. } => FileError::Format {
                path: Some(path.to_owned()),
                error,
            },
            other => other,
        }
    }
}

impl From<ReadError> for FileError {
    fn from(error: ReadError) -> FileError {
        FileError::Format { path: None, error }
    }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "none at all".to_owned(),
        names => names
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", "),
    }
}
