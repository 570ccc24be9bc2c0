//! Reading data files. Nothing in a file is trusted: a deviation from the format is an error with its position.

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

/// The number of bytes of an array with this shape and `width` bytes for each value; `None` if memory can't hold them.
fn bytes_of(shape: &[usize], width: usize) -> Option<usize> {
    let bytes = len_of(shape)?.checked_mul(width);
    bytes.filter(|n| isize::try_from(*n).is_ok())
}

/// An error in a data file and its position.
#[derive(Debug, Error)]
#[error("{}{}: {message}", path.display(), place(*offset))]
pub struct DataError {
    /// The file.
    path: PathBuf,
    /// The byte offset of the error, from 0 (in the decompressed content, if the file is compressed).
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

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The byte offset of the error, from 0, if there is one; in the decompressed content, if the file is compressed.
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// The description of the error.
    pub fn message(&self) -> &str {
        &self.message
    }
}
