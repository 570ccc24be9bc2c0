//! The IDX file format, in which MNIST and its relatives come: four bytes (two zeros, the type of a value, the
//! number of axes), the size of each axis as a big-endian `u32`, then the values, row-major. Only bytes as
//! values are read. Nothing in a file is trusted: what isn't exactly such a file is an error.

use std::path::{Path, PathBuf};
use std::{fs, io};

use thiserror::Error;

/// The type code of unsigned bytes.
const UNSIGNED_BYTE: u8 = 0x08;

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum IdxError {
    #[error("{path}: {error}")]
    Read { path: PathBuf, error: io::Error },
    #[error("the file ends inside its header")]
    ShortHeader,
    #[error("an IDX file starts with two zero bytes, not {0:02x} {1:02x}")]
    Magic(u8, u8),
    #[error("values of type 0x{0:02x}; only unsigned bytes (0x08) are read here")]
    ValueType(u8),
    #[error("{found} axes instead of {expected}")]
    Axes { expected: usize, found: usize },
    #[error("{found} bytes of values instead of {sizes:?} = {expected}")]
    Length {
        sizes: Vec<usize>,
        expected: String,
        found: usize,
    },
}

/// An array of bytes with `N` axes.
#[derive(Debug, PartialEq)]
pub struct Idx<const N: usize> {
    /// The size of each axis.
    pub sizes: [usize; N],
    /// As many values as the sizes say, row-major.
    pub values: Vec<u8>,
}

impl<const N: usize> Idx<N> {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Idx<N>, IdxError> {
        let bytes = fs::read(path).map_err(|error| IdxError::Read {
            path: path.to_owned(),
            error,
        })?;
        Idx::parse(&bytes)
    }

    /// Reads the content of a file.
    pub fn parse(bytes: &[u8]) -> Result<Idx<N>, IdxError> {
        let (magic, mut rest) = bytes.split_first_chunk().ok_or(IdxError::ShortHeader)?;
        let [zero, also_zero, value_type, axes] = *magic;
        if (zero, also_zero) != (0, 0) {
            return Err(IdxError::Magic(zero, also_zero));
        }
        if value_type != UNSIGNED_BYTE {
            return Err(IdxError::ValueType(value_type));
        }
        if usize::from(axes) != N {
            return Err(IdxError::Axes {
                expected: N,
                found: usize::from(axes),
            });
        }
        let mut sizes = [0; N];
        for size in &mut sizes {
            let (bytes, behind) = rest.split_first_chunk().ok_or(IdxError::ShortHeader)?;
            *size = u32::from_be_bytes(*bytes) as usize;
            rest = behind;
        }
        // Sizes that multiply to more than memory can hold must not wrap to a length that fits.
        let expected = sizes
            .iter()
            .try_fold(1usize, |n, size| n.checked_mul(*size));
        if expected != Some(rest.len()) {
            return Err(IdxError::Length {
                sizes: sizes.to_vec(),
                expected: expected.map_or("too many".to_owned(), |n| n.to_string()),
                found: rest.len(),
            });
        }
        Ok(Idx {
            sizes,
            values: rest.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A file with the given start, sizes and values.
    fn file(magic: [u8; 4], sizes: &[u32], values: &[u8]) -> Vec<u8> {
        let sizes = sizes.iter().flat_map(|size| size.to_be_bytes());
        magic
            .into_iter()
            .chain(sizes)
            .chain(values.iter().copied())
            .collect()
    }

    #[test]
    fn a_file_is_its_sizes_and_values() {
        let bytes = file([0, 0, 8, 2], &[2, 3], &[1, 2, 3, 4, 5, 6]);
        let idx = Idx::<2>::parse(&bytes).expect("well formed");
        assert_eq!(idx.sizes, [2, 3]);
        assert_eq!(idx.values, [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_file_may_be_empty_along_an_axis() {
        let idx = Idx::<2>::parse(&file([0, 0, 8, 2], &[0, u32::MAX], &[])).expect("well formed");
        assert_eq!(idx.values, []);
    }

    #[test]
    fn every_departure_is_named() {
        let cases: &[(Vec<u8>, &str)] = &[
            (vec![], "the file ends inside its header"),
            (vec![0, 0, 8], "the file ends inside its header"),
            (
                file([0, 0, 8, 1], &[], &[0, 0, 0]),
                "the file ends inside its header",
            ),
            (
                file([0x1f, 0x8b, 8, 1], &[0], &[]),
                "an IDX file starts with two zero bytes, not 1f 8b",
            ),
            (
                file([0, 0, 0x0d, 1], &[0], &[]),
                "values of type 0x0d; only unsigned bytes (0x08) are read here",
            ),
            (file([0, 0, 8, 3], &[1, 1, 1], &[0]), "3 axes instead of 1"),
            (
                file([0, 0, 8, 1], &[3], &[1, 2]),
                "2 bytes of values instead of [3] = 3",
            ),
            (
                file([0, 0, 8, 1], &[3], &[1, 2, 3, 4]),
                "4 bytes of values instead of [3] = 3",
            ),
        ];
        for (bytes, message) in cases {
            let error = Idx::<1>::parse(bytes).expect_err(message);
            assert_eq!(error.to_string(), *message);
        }
    }

    #[test]
    fn sizes_whose_product_wraps_are_refused() {
        // 2^31 · 2^31 · 4 is 2^64, which wraps to 0: the length of the values here.
        let bytes = file([0, 0, 8, 3], &[1 << 31, 1 << 31, 4], &[]);
        let error = Idx::<3>::parse(&bytes).expect_err("no file is that long");
        assert_eq!(
            error.to_string(),
            "0 bytes of values instead of [2147483648, 2147483648, 4] = too many"
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = Idx::<1>::parse(&bytes);
            let _ = Idx::<3>::parse(&bytes);
        }

        #[test]
        fn what_is_read_has_as_many_values_as_its_sizes_say(
            sizes in any::<[u8; 2]>(),
            values in proptest::collection::vec(any::<u8>(), 0..64),
        ) {
            let sizes = sizes.map(|size| u32::from(size % 9));
            let fits = sizes[0] as usize * sizes[1] as usize == values.len();
            let read = Idx::<2>::parse(&file([0, 0, 8, 2], &sizes, &values));
            prop_assert_eq!(read.is_ok(), fits);
        }
    }
}
