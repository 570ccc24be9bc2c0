//! The source of a crate, which cargo downloads from the registry.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Fault;
use crate::list::Entry;

/// The folder of the repository.
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The folder in which cargo has unpacked the crate. The crate is downloaded if necessary.
pub fn unpacked(entry: &Entry, work: &Path) -> Result<PathBuf, Fault> {
    let asking = work.join("asking").join(&entry.name);
    fs::create_dir_all(asking.join("src"))?;
    fs::write(asking.join("src/lib.rs"), "")?;
    let Entry { name, version, .. } = entry;
    let manifest = format!(
        "[workspace]\n[package]\nname = \"asking\"\nedition = \"2024\"\n[dependencies]\n{name} = \"={version}\"\n"
    );
    fs::write(asking.join("Cargo.toml"), manifest)?;
    same_versions(&asking)?;
    let metadata = metadata(&asking, true).or_else(|_| metadata(&asking, false))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let package = packages
        .filter(|package| package["source"].is_string())
        .find(|package| package["name"] == **name && package["version"] == **version)
        .ok_or_else(|| format!("cargo doesn't know {name} {version}"))?;
    let manifest = package["manifest_path"].as_str().unwrap_or_default();
    Ok(Path::new(manifest)
        .parent()
        .ok_or("a manifest without a folder")?
        .to_owned())
}

/// Makes cargo use the versions of this repository for common dependencies, so that graph-runtime is built only once for
/// all crates.
pub fn same_versions(folder: &Path) -> Result<(), Fault> {
    fs::copy(repository().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(())
}

fn metadata(folder: &Path, offline: bool) -> Result<Value, Fault> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1"]);
    command.args(offline.then_some("--offline"));
    let output = command.current_dir(folder).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Copies a folder, except files that configure cargo.
pub fn copy(from: &Path, to: &Path) -> Result<(), Fault> {
    const LEFT_OUT: [&str; 5] = [
        ".cargo",
        ".git",
        "Cargo.lock",
        "rust-toolchain",
        "rust-toolchain.toml",
    ];
    fs::create_dir_all(to)?;
    for item in fs::read_dir(from)? {
        let item = item?;
        let target = to.join(item.file_name());
        if LEFT_OUT.iter().any(|name| item.file_name() == **name) {
            continue;
        }
        if item.file_type()?.is_dir() {
            copy(&item.path(), &target)?;
        } else {
            // `fs::copy` isn't used, because the registry's files may be read-only.
            fs::write(target, fs::read(item.path())?)?;
        }
    }
    Ok(())
}

/// All Rust files in a folder, ordered by path.
fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    let mut files = Vec::new();
    for item in fs::read_dir(folder)? {
        let item = item?;
        if item.file_type()?.is_dir() {
            files.extend(rust_files(&item.path())?);
        } else if item.path().extension().is_some_and(|end| end == "rs") {
            files.push(item.path());
        }
    }
    files.sort();
    Ok(files)
}

/// The files of which a crate's library and tests may consist.
pub fn tested_files(folder: &Path) -> Result<Vec<PathBuf>, Fault> {
    const OTHERS: [&str; 4] = ["benches", "build.rs", "examples", "fuzz"];
    let mut files = rust_files(folder)?;
    files.retain(|file| {
        !OTHERS
            .iter()
            .any(|other| file.starts_with(folder.join(other)))
    });
    Ok(files)
}
