//! Files as sources of data. Nothing in a file is trusted: what isn't exactly such a file is an error that names the place.

#[cfg(feature = "csv")]
mod csv;
mod idx;
#[cfg(feature = "npy")]
mod npy;

use std::path::{Path, PathBuf};

use graph_kernels::len_of;
use thiserror::Error;

#[cfg(feature = "csv")]
pub use csv::Csv;
pub use idx::{IdxElement, read_idx};
#[cfg(feature = "npy")]
pub use npy::{NpyElement, read_npy};

/// How many bytes values of a shape take, each of so many, if memory can hold them.
fn bytes_of(shape: &[usize], width: usize) -> Option<usize> {
    let bytes = len_of(shape)?.checked_mul(width);
    bytes.filter(|n| isize::try_from(*n).is_ok())
}

/// What is wrong with a file, and where.
#[derive(Debug, Error)]
#[error("{}{}: {message}", path.display(), place(*offset))]
pub struct DataError {
    /// The file.
    path: PathBuf,
    /// The byte at which it is wrong, counted from 0 (of the content, if the file is compressed).
    offset: Option<u64>,
    message: String,
}

fn place(offset: Option<u64>) -> String {
    offset.map_or_else(String::new, |offset| format!(": at byte {offset}"))
}

impl DataError {
    fn new(path: &Path, offset: impl Into<Option<u64>>, message: impl Into<String>) -> DataError {
        DataError {
            path: path.to_owned(),
            offset: offset.into(),
            message: message.into(),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The byte at which it is wrong, counted from 0, where that can be said; of the content, if the file is compressed.
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }
}
