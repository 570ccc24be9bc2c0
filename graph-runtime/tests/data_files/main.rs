//! Files of data: what is well formed is read, and everything else is an error that says where.

mod csv;
mod damaged;
mod idx;
mod npy;

use std::path::PathBuf;

/// A file of these bytes, and the folder that goes with it.
fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    std::fs::write(&path, bytes).expect("a file");
    (folder, path)
}
