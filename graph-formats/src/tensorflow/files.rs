//! Files that are written as a whole or not at all.

use std::ffi::OsString;
use std::path::Path;

use super::error::{Error, Result};

/// Writes a file beside its place, and moves it there.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut beside = OsString::from(path);
    beside.push(format!(".{}.tmp", std::process::id()));
    let beside = Path::new(&beside);
    let written = std::fs::write(beside, bytes).and_then(|()| std::fs::rename(beside, path));
    written.map_err(|error| {
        // The file may not exist.
        let _ = std::fs::remove_file(beside);
        Error::io(path, &error)
    })
}

/// The bytes of a file.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| Error::io(path, &error))
}
