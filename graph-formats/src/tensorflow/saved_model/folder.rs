//! The folder of a model. It is written beside its place and moved there, so that no reader sees a part of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use graph_ir::error::{Error as TraceError, Location};

use super::{Files, Model, SAVED_MODEL, VARIABLES, load as reading, save as writing};
use crate::tensorflow::bundle::Bundle;
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::files;

impl Model {
    /// The files of the model, by their paths inside its folder. Equal models give equal bytes.
    ///
    /// # Errors
    /// If a graph contains what TensorFlow can't say. The error names the op, the reason and the user's line.
    pub fn to_files(&self) -> graph_ir::error::Result<Files> {
        writing::files(self)
    }
}

/// Saves a model as a folder, which replaces one that is there.
///
/// # Errors
/// If a graph contains what TensorFlow can't say, before anything is written; or if the folder can't be written.
pub fn save(path: impl AsRef<Path>, model: &Model) -> graph_ir::error::Result<()> {
    let files = model.to_files()?;
    write(path.as_ref(), &files)
        .map_err(|error| TraceError::trace(error.to_string(), Location::unknown()))
}

/// The folder beside another.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut beside = OsString::from(path);
    beside.push(format!(".{}.{suffix}", std::process::id()));
    beside.into()
}

fn write(path: &Path, files: &Files) -> Result<()> {
    let new = beside(path, "tmp");
    let written = write_all(&new, files).and_then(|()| replace(path, &new));
    if written.is_err() {
        // It may not exist.
        let _ = std::fs::remove_dir_all(&new);
    }
    written
}

fn write_all(folder: &Path, files: &Files) -> Result<()> {
    for (name, bytes) in files {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).map_err(|error| Error::io(parent, &error))?;
        std::fs::write(&path, bytes).map_err(|error| Error::io(&path, &error))?;
    }
    Ok(())
}

/// Moves a folder to its place.
fn replace(path: &Path, new: &Path) -> Result<()> {
    let old = beside(path, "old");
    let is_there = path.exists();
    if is_there {
        std::fs::rename(path, &old).map_err(|error| Error::io(path, &error))?;
    }
    let moved = std::fs::rename(new, path);
    match &moved {
        Ok(()) if is_there => {
            std::fs::remove_dir_all(&old).map_err(|error| Error::io(&old, &error))
        }
        Ok(()) => Ok(()),
        Err(error) => {
            // What was there stays.
            let _ = std::fs::rename(&old, path);
            Err(Error::io(path, error))
        }
    }
}

/// Loads a model that this crate or TensorFlow saved.
///
/// # Errors
/// If a file can't be read, isn't valid, or no function of the model can be read.
pub fn load(path: impl AsRef<Path>) -> Result<Model> {
    let path = path.as_ref();
    let file = path.join(SAVED_MODEL);
    let saved = files::read(&file)?;
    let variables = path.join(VARIABLES);
    let has_variables = path.join(format!("{VARIABLES}.index")).exists();
    let bundle = if has_variables {
        Bundle::load(variables)?
    } else {
        Bundle::new()
    };
    reading::model(&saved, &bundle).map_err(|error| error.at(file.display()))
}

/// Reads a model from its files, which are those of [`Model::to_files`].
///
/// # Errors
/// As [`load`].
pub fn from_bytes(files: &Files) -> Result<Model> {
    let missing = |name: &str| Error::invalid(format!("the file {name} is missing"));
    let saved = files.get(SAVED_MODEL).ok_or_else(|| missing(SAVED_MODEL))?;
    let index = files.get(&format!("{VARIABLES}.index"));
    let data = files
        .iter()
        .filter(|(name, _)| name.starts_with(&format!("{VARIABLES}.data-")));
    let data: Vec<&Vec<u8>> = data.map(|(_, bytes)| bytes).collect();
    let bundle = index.map_or_else(
        || Ok(Bundle::new()),
        |index| Bundle::from_bytes(index, &data),
    )?;
    reading::model(saved, &bundle)
}
