//! The digits as tensors: images of 8×8 pixels as rows of 64 values between 0 and 1, and labels from 0 to 9.

use std::path::{Path, PathBuf};

use graph_runtime::data::{self, read_idx};
use graph_runtime::tensor::Tensor;
use thiserror::Error;

/// The number of classes, one for each digit.
pub const CLASSES: usize = 10;
/// The height and the width of an image.
const SIDE: usize = 8;
/// The value of the darkest pixel.
const INK: u8 = 16;

/// One part of the data, with a label for each image.
pub struct Digits {
    /// The images, one per row: `[n, 64]`.
    pub images: Tensor<f32>,
    /// The labels: `[n]`.
    pub labels: Tensor<i32>,
}

/// An error in the data.
#[derive(Debug, Error)]
pub enum DataError {
    #[error(transparent)]
    File(#[from] data::DataError),
    #[error("{images} images but {labels} labels")]
    Count { images: usize, labels: usize },
    #[error("images of shape {0:?}; 8×8 pixels are expected")]
    Size(Vec<usize>),
    #[error("image {image} has a pixel of {value}; they go from 0 to 16")]
    Pixel { image: usize, value: u8 },
    #[error("image {image} is labelled {label}; labels go from 0 to 9")]
    Label { image: usize, label: u8 },
}

impl Digits {
    /// Reads `<part>-images.idx3-ubyte` and `<part>-labels.idx1-ubyte` from `data/digits` in the repository.
    pub fn read(part: &str) -> Result<Digits, DataError> {
        let file = |kind: &str| folder().join(format!("{part}-{kind}"));
        Digits::new(
            &read_idx(file("images.idx3-ubyte"))?,
            &read_idx(file("labels.idx1-ubyte"))?,
        )
    }

    fn new(images: &Tensor<u8>, labels: &Tensor<u8>) -> Result<Digits, DataError> {
        let shape = images.as_any().array().shape().to_vec();
        let [count, SIDE, SIDE] = shape[..] else {
            return Err(DataError::Size(shape));
        };
        let (pixels, names) = (images.to_vec(), labels.to_vec());
        if names.len() != count {
            return Err(DataError::Count {
                images: count,
                labels: names.len(),
            });
        }
        if let Some(i) = pixels.iter().position(|&value| value > INK) {
            return Err(DataError::Pixel {
                image: i / (SIDE * SIDE),
                value: pixels[i],
            });
        }
        let wrong = |label: &u8| usize::from(*label) >= CLASSES;
        if let Some(image) = names.iter().position(wrong) {
            return Err(DataError::Label {
                image,
                label: names[image],
            });
        }
        Ok(Digits {
            images: images.reshape(&[-1, (SIDE * SIDE) as isize]).cast::<f32>() / f32::from(INK),
            labels: labels.cast(),
        })
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/digits")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tensor that an IDX file with these sizes and values holds.
    fn idx(sizes: &[usize], values: &[u8]) -> Tensor<u8> {
        Tensor::from_vec(sizes, values.to_vec()).expect("as many values as the sizes say")
    }

    #[test]
    fn pixels_become_fractions_and_labels_numbers() {
        let images = [[0; 64], [16; 64], [4; 64]].concat();
        let digits =
            Digits::new(&idx(&[3, 8, 8], &images), &idx(&[3], &[9, 0, 5])).expect("good data");
        assert_eq!(digits.images.shape().to_string(), "[3,64]");
        assert_eq!(
            digits.images.to_vec(),
            [[0.0; 64], [1.0; 64], [0.25; 64]].concat()
        );
        assert_eq!(digits.labels.to_vec(), [9, 0, 5]);
    }

    #[test]
    fn parts_that_do_not_belong_together_are_refused() {
        let refused = |images: Tensor<u8>, labels: Tensor<u8>| {
            Digits::new(&images, &labels).err().map(|e| e.to_string())
        };
        let pixel = |value| idx(&[1, 8, 8], &[value; 64]);
        let cases = [
            (
                refused(idx(&[1, 4, 16], &[0; 64]), idx(&[1], &[1])),
                "images of shape [1, 4, 16]; 8×8 pixels are expected",
            ),
            (
                refused(pixel(0), idx(&[2], &[1, 2])),
                "1 images but 2 labels",
            ),
            (
                refused(pixel(17), idx(&[1], &[1])),
                "image 0 has a pixel of 17; they go from 0 to 16",
            ),
            (
                refused(pixel(16), idx(&[1], &[10])),
                "image 0 is labelled 10; labels go from 0 to 9",
            ),
        ];
        for (error, message) in cases {
            assert_eq!(error.as_deref(), Some(message));
        }
    }

    #[test]
    fn the_repository_holds_1500_and_297_digits() {
        for (part, count) in [("train", 1500), ("test", 297)] {
            let digits = Digits::read(part).expect("the files of the repository");
            assert_eq!(digits.images.shape().to_string(), format!("[{count},64]"));
            assert_eq!(digits.labels.dim(0), count);
        }
    }
}
