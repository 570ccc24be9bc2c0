//! The images: MNIST from a folder that the user gives, or the digits of the repository.

use std::error::Error;
use std::path::{Path, PathBuf};

use graph_runtime::data::read_idx;
use graph_runtime::prelude::*;

use super::CLASSES;

/// Images of shape `[n, height, width]`, and labels of shape `[n]`.
pub type Labelled = (Tensor<u8>, Tensor<u8>);

/// The training images and the test images.
pub struct Images {
    pub training: Labelled,
    pub unseen: Labelled,
    /// The value of the darkest pixel.
    pub ink: f32,
    /// The number of epochs for which these images should be trained.
    pub epochs: usize,
}

impl Images {
    /// Reads MNIST from a folder, or the digits of the repository if none is given.
    pub fn read(folder: Option<&Path>) -> Result<Images, Box<dyn Error>> {
        let digits = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/digits");
        let (folder, ink, epochs, test) = match folder {
            Some(folder) => (folder, 255.0, 1, "t10k"),
            None => (Path::new(digits), 16.0, 40, "test"),
        };
        let (training, unseen) = (labelled(folder, "train")?, labelled(folder, test)?);
        let size = |(images, _): &Labelled| [images.dim(1), images.dim(2)];
        let (learned, tested) = (size(&training), size(&unseen));
        if learned != tested {
            let folder = folder.display();
            return Err(format!(
                "{folder}: the images to learn from are of {learned:?} pixels, those to be tested on of {tested:?}"
            )
            .into());
        }
        Ok(Images {
            training,
            unseen,
            ink,
            epochs,
        })
    }
}

/// The images and labels of one part, after a check that they match.
fn labelled(folder: &Path, part: &str) -> Result<Labelled, Box<dyn Error>> {
    let path = file(folder, &format!("{part}-images"), "idx3-ubyte")?;
    let images: Tensor<u8> = read_idx(&path)?;
    if images.rank() != 3 || images.dim(0) == 0 {
        let shape = images.shape();
        return Err(format!(
            "{}: images [n, rows, columns] belong there, not {shape}",
            path.display()
        )
        .into());
    }
    let path = file(folder, &format!("{part}-labels"), "idx1-ubyte")?;
    let labels: Tensor<u8> = read_idx(&path)?;
    let (found, count) = (labels.shape(), images.dim(0));
    if labels.rank() != 1 || labels.dim(0) != count {
        return Err(format!(
            "{}: labels of shape [{count}] belong to the images, not {found}",
            path.display()
        )
        .into());
    }
    // The labels follow the magic number and their count.
    if let Some(at) = labels
        .to_vec()
        .iter()
        .position(|label| usize::from(*label) >= CLASSES)
    {
        let label = labels.to_vec()[at];
        return Err(format!(
            "{}: at byte {}: {label} is no digit",
            path.display(),
            at + 8
        )
        .into());
    }
    Ok((images, labels))
}

/// Finds a file by one of the names under which MNIST's files are distributed.
fn file(folder: &Path, name: &str, format: &str) -> Result<PathBuf, String> {
    let names = [".", "-"].map(|dot| folder.join(format!("{name}{dot}{format}")));
    let gzipped = names.clone().map(|name| name.with_added_extension("gz"));
    let mut all = names.iter().chain(&gzipped);
    all.find(|name| name.exists()).cloned().ok_or_else(|| {
        let folder = folder.display();
        format!(
            "{folder}: there is no {name}.{format} or {name}-{format}, nor one with .gz behind it"
        )
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder with the digits of the repository under MNIST's names, in which one file is changed or missing.
    fn changed(
        name: &str,
        change: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>,
    ) -> Result<Images, String> {
        let digits = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../data/digits"));
        let folder = std::env::temp_dir().join(format!("mnist-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (from, to) in [
            ("train-images.idx3-ubyte", "train-images-idx3-ubyte"),
            ("train-labels.idx1-ubyte", "train-labels-idx1-ubyte"),
            ("test-images.idx3-ubyte", "t10k-images-idx3-ubyte"),
            ("test-labels.idx1-ubyte", "t10k-labels-idx1-ubyte"),
        ] {
            fs::write(folder.join(to), fs::read(digits.join(from)).unwrap()).unwrap();
        }
        let path = folder.join(name);
        let content = change(fs::read(&path).unwrap());
        fs::remove_file(&path).unwrap();
        if let Some(content) = content {
            fs::write(&path, content).unwrap();
        }
        let read = Images::read(Some(&folder));
        fs::remove_dir_all(&folder).unwrap();
        read.map_err(|error| {
            error
                .to_string()
                .replace(&format!("{}/", folder.display()), "")
        })
    }

    #[test]
    fn a_folder_that_is_wrong_says_what_and_where() {
        assert!(changed("t10k-labels-idx1-ubyte", Some).is_ok());
        let refused = |name: &str, change: &dyn Fn(Vec<u8>) -> Option<Vec<u8>>, expected: &str| {
            let message = changed(name, change).err().expect("an error");
            assert!(message.contains(expected), "{message}");
        };
        let labels = "train-labels-idx1-ubyte";
        refused(
            labels,
            &|_| None,
            "there is no train-labels.idx1-ubyte or train-labels-idx1-ubyte",
        );
        refused(
            labels,
            &|all| Some(all[..100].to_vec()),
            "train-labels-idx1-ubyte: at byte 100: ",
        );
        let label = |mut all: Vec<u8>| {
            all[20] = 99;
            Some(all)
        };
        refused(
            labels,
            &label,
            "train-labels-idx1-ubyte: at byte 20: 99 is no digit",
        );
        let one = |_| Some(vec![0, 0, 8, 1, 0, 0, 0, 1, 7]);
        refused(
            labels,
            &one,
            "labels of shape [1500] belong to the images, not [1]",
        );
        refused(
            "train-images-idx3-ubyte",
            &one,
            "images [n, rows, columns] belong there, not [1]",
        );
        let wide = |mut all: Vec<u8>| {
            (all[11], all[15]) = (4, 16);
            Some(all)
        };
        refused(
            "t10k-images-idx3-ubyte",
            &wide,
            "of [8, 8] pixels, those to be tested on of [4, 16]",
        );
    }
}
