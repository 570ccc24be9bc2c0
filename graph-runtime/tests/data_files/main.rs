//! Data files: well-formed files are read; all others give an error with its position.

mod csv;
mod damaged;
mod idx;
mod npy;

use std::path::PathBuf;

/// A file with these bytes, and its temporary folder.
fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    std::fs::write(&path, bytes).expect("a file");
    (folder, path)
}
