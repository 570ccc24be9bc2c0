//! IDX files, compressed or not.

use std::io::Write;

use graph_runtime::data::{DataError, read_idx};
use graph_runtime::prelude::*;

use crate::file;

pub fn idx_of<T: graph_runtime::data::IdxElement>(bytes: &[u8]) -> Result<Tensor<T>, DataError> {
    let (_folder, path) = file(bytes);
    read_idx(path)
}

/// The bytes of an IDX file: magic number, sizes, values.
pub fn idx(magic: [u8; 4], sizes: &[u32], values: &[u8]) -> Vec<u8> {
    let sizes = sizes.iter().flat_map(|size| size.to_be_bytes());
    magic
        .into_iter()
        .chain(sizes)
        .chain(values.iter().copied())
        .collect()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}

#[test]
fn idx_files_are_read_compressed_or_not() {
    let bytes = idx([0, 0, 8, 2], &[2, 3], &[1, 2, 3, 4, 5, 6]);
    for bytes in [bytes.clone(), gzip(&bytes)] {
        let read: Tensor<u8> = idx_of(&bytes).unwrap();
        assert_eq!(read.shape().to_string(), "[2,3]");
        assert_eq!(read.to_vec(), [1, 2, 3, 4, 5, 6]);
    }
    let floats = [1.5f32, -2.0].map(f32::to_be_bytes).concat();
    let read: Tensor<f32> = idx_of(&idx([0, 0, 13, 1], &[2], &floats)).unwrap();
    assert_eq!(read.to_vec(), [1.5, -2.0]);
    let numbers = (-5i32).to_be_bytes();
    assert_eq!(
        idx_of::<i32>(&idx([0, 0, 12, 0], &[], &numbers))
            .unwrap()
            .item(),
        -5
    );
    assert_eq!(
        idx_of::<i8>(&idx([0, 0, 9, 1], &[2], &[1, 255]))
            .unwrap()
            .to_vec(),
        [1, -1]
    );
    assert_eq!(
        idx_of::<i16>(&idx([0, 0, 11, 1], &[1], &[255, 254]))
            .unwrap()
            .to_vec(),
        [-2]
    );
    let empty = idx_of::<u8>(&idx([0, 0, 8, 2], &[0, u32::MAX], &[])).unwrap();
    assert!(empty.to_vec().is_empty());
}

#[test]
fn every_departure_of_an_idx_file_has_its_place() {
    let cases: &[(Vec<u8>, u64, &str)] = &[
        (
            vec![],
            0,
            "the file ends in its magic number: it has 0 of 4 bytes",
        ),
        (
            vec![0, 0, 8],
            3,
            "the file ends in its magic number: it has 3 of 4 bytes",
        ),
        (
            idx([0, 0, 8, 2], &[3], &[0, 0, 0]),
            11,
            "the file ends in the size of axis 1: it has 3 of 4 bytes",
        ),
        (
            idx([1, 0, 8, 1], &[0], &[]),
            0,
            "an IDX file starts with two zero bytes, not 01 00",
        ),
        (
            idx([0, 0, 13, 1], &[0], &[]),
            2,
            "the values are 0x0d, float32, where uint8 is read",
        ),
        (
            idx([0, 0, 7, 1], &[0], &[]),
            2,
            "the values are 0x07, no type that the format knows, where uint8 is read",
        ),
        (
            idx([0, 0, 8, 1], &[3], &[1, 2]),
            10,
            "the file ends after 2 of the 3 bytes that values of shape [3] take",
        ),
        (
            idx([0, 0, 8, 1], &[3], &[1, 2, 3, 4]),
            11,
            "bytes follow the values of shape [3]",
        ),
        // 2^31 · 2^31 · 4 is 2^64, which wraps to 0, the length of the values in this file.
        (
            idx([0, 0, 8, 3], &[1 << 31, 1 << 31, 4], &[]),
            4,
            "no file has values of shape [2147483648, 2147483648, 4]",
        ),
        (
            idx([0, 0, 8, 2], &[1 << 31, 1 << 31], &[7]),
            13,
            "the file ends after 1 of the 4611686018427387904 bytes that values of shape [2147483648, 2147483648] take",
        ),
    ];
    for (bytes, offset, message) in cases {
        let error = idx_of::<u8>(bytes).expect_err(message);
        assert_eq!((error.message(), error.offset()), (*message, Some(*offset)));
        // A compressed file has the same content.
        let error = idx_of::<u8>(&gzip(bytes)).expect_err(message);
        assert_eq!((error.message(), error.offset()), (*message, Some(*offset)));
    }
    let error = read_idx::<u8>("no/such/file").unwrap_err();
    assert!(error.to_string().starts_with("no/such/file: "), "{error}");
}
