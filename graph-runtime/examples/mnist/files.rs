//! The images: MNIST's from a folder of the user's, or the digits in the repository.

use std::path::{Path, PathBuf};

use graph_runtime::data::{DataError, read_idx};
use graph_runtime::prelude::*;

/// Images of shape `[n, height, width]`, and labels of shape `[n]`.
pub type Labelled = (Tensor<u8>, Tensor<u8>);

/// What is learned from, and what is tested on.
pub struct Images {
    pub training: Labelled,
    pub unseen: Labelled,
    /// The darkest pixel.
    pub ink: f32,
    /// How often each image should be seen.
    pub epochs: usize,
}

impl Images {
    /// MNIST from a folder, or else the digits of the repository.
    pub fn read(folder: Option<&Path>) -> Result<Images, DataError> {
        let digits = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/digits");
        let (folder, ink, epochs, test) = match folder {
            Some(folder) => (folder, 255.0, 1, "t10k"),
            None => (Path::new(digits), 16.0, 40, "test"),
        };
        Ok(Images {
            training: labelled(folder, "train")?,
            unseen: labelled(folder, test)?,
            ink,
            epochs,
        })
    }
}

fn labelled(folder: &Path, part: &str) -> Result<Labelled, DataError> {
    let images = read_idx(file(folder, &format!("{part}-images"), "idx3-ubyte"))?;
    let labels = read_idx(file(folder, &format!("{part}-labels"), "idx1-ubyte"))?;
    Ok((images, labels))
}

/// The file under one of the names that it has in the places where MNIST is found; the first one if there is none.
fn file(folder: &Path, name: &str, format: &str) -> PathBuf {
    let names = [".", "-"].map(|dot| folder.join(format!("{name}{dot}{format}")));
    let gzipped = names.clone().map(|name| name.with_added_extension("gz"));
    let mut all = names.iter().chain(&gzipped);
    all.find(|name| name.exists()).unwrap_or(&names[0]).clone()
}
