//! What the program is told.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Parser;

/// Trains a network on handwritten digits, all in one graph.
#[derive(Parser)]
pub struct Arguments {
    /// A folder with MNIST's four IDX files, gzipped or not; without it, the digits of the repository.
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// How often each image is seen; 1 for MNIST and 40 for the digits of the repository if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: Option<u32>,
    /// The seed of the first parameters and of the order of the images.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub seed: i64,
    /// Where the model goes.
    #[arg(long, value_name = "FILE", default_value = "target/mnist.safetensors")]
    pub model: PathBuf,
}

impl Arguments {
    /// Makes the folder that the model goes to. Fails now, and not after the training, if nothing can be written there.
    pub fn prepare_folder(&self) -> Result<(), String> {
        let path = &self.model;
        let problem =
            |error: &dyn Display| format!("no model can be written to {}: {error}", path.display());
        if path.is_dir() {
            return Err(problem(&"it is a folder"));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        std::fs::create_dir_all(folder).map_err(|error| problem(&error))?;
        tempfile::tempfile_in(folder).map_err(|error| problem(&error))?;
        Ok(())
    }
}
