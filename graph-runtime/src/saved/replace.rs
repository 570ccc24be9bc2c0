//! Replaces a file: at each moment there is either the whole old file or the whole new one.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a new file in the same folder, waits until it is on the disk, and renames it to the old name. If the process is killed before
/// that, the old file stays, perhaps with a part of the new one under a name that ends with `.part`. A path that isn't a regular file, such
/// as a pipe, is written to directly.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return write(&mut File::create(path)?);
    }
    let path = without_link(path);
    let (part, mut file) = create_beside(&path)?;
    let written = old
        .map_or(Ok(()), |old| file.set_permissions(old.permissions()))
        .and_then(|()| write(&mut file))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&part, &path));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    } else if cfg!(unix) {
        // Syncs the folder, so that the new name survives a power failure. Some file systems can't, and the file is complete in any case.
        let _ = File::open(folder_of(&path)).and_then(|folder| folder.sync_all());
    }
    written
}

/// Resolves a symbolic link, even if its target doesn't exist yet.
fn without_link(path: &Path) -> PathBuf {
    let target = || fs::read_link(path).map(|to| folder_of(path).join(to));
    let found = fs::canonicalize(path).or_else(|_| target());
    found.unwrap_or_else(|_| path.to_owned())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Creates a file in the same folder, so on the same file system. No other thread or process writes to it.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}-{number}.part", std::process::id()));
        let part = path.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&part) {
            // The file was left by a killed process with the same process id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (part, file)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Write};

    use super::*;

    /// A disk that takes `at_once` bytes at a time, interrupts writes in between, and is full after `left` bytes.
    struct Disk<'a> {
        file: &'a mut File,
        left: usize,
        at_once: usize,
        interrupted: bool,
    }

    impl Write for Disk<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
            if self.left == 0 {
                return Err(ErrorKind::StorageFull.into());
            }
            let len = bytes.len().min(self.at_once).min(self.left);
            self.left -= len;
            self.file.write(&bytes[..len])
        }
        fn flush(&mut self) -> io::Result<()> {
            self.file.flush()
        }
    }

    /// Replaces a file by writing to such a disk.
    fn replace_on(path: &Path, bytes: &[u8], left: usize, at_once: usize) -> io::Result<()> {
        replace(path, |file| {
            let mut disk = Disk {
                file,
                left,
                at_once,
                interrupted: false,
            };
            disk.write_all(bytes)
        })
    }

    #[test]
    fn a_disk_that_is_full_after_any_byte_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let new: Vec<u8> = (0..100).collect();
        for at_once in [1, 7, 100] {
            for left in 0..new.len() {
                fs::write(&path, "old").unwrap();
                let error = replace_on(&path, &new, left, at_once).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::StorageFull);
                assert_eq!(fs::read(&path).unwrap(), b"old", "{left} bytes");
                fs::remove_file(&path).unwrap();
                replace_on(&path, &new, left, at_once).unwrap_err();
                let count = fs::read_dir(&folder).unwrap().count();
                assert_eq!(count, 0, "nothing is there where nothing was");
            }
            replace_on(&path, &new, new.len(), at_once).unwrap();
            assert_eq!(fs::read(&path).unwrap(), new);
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[test]
    fn threads_that_replace_one_file_write_to_files_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::thread::scope(|scope| {
            for thread in 0..4u8 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..20 {
                        replace_on(path, &[thread; 200], 200, 30).unwrap();
                        let seen = fs::read(path).unwrap();
                        assert!(seen == [seen[0]; 200], "{seen:?}");
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions_and_a_link_its_target() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let [path, link, nowhere] = ["file", "link", "nowhere"].map(|n| folder.path().join(n));
        fs::write(&path, "secret").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("file", &link).unwrap();
        replace_on(&link, b"new", 3, 3).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        symlink("later", &nowhere).unwrap();
        replace_on(&nowhere, b"new", 3, 3).unwrap();
        assert_eq!(fs::read(folder.path().join("later")).unwrap(), b"new");
        assert!([link, nowhere].iter().all(|link| link.is_symlink()));
    }
}
