//! Every reader of files returns a value or an error, whatever the file contains: files damaged in small pieces, the same in each run, and
//! files whose sizes have a product larger than the file.

use std::path::Path;

use graph_runtime::data::{Csv, read_idx, read_npy};
use graph_runtime::nn::Module;
use graph_runtime::prelude::*;

/// Reads a file. Returns whether it was accepted.
type Reader = fn(&Path) -> bool;

/// A format: its name, its reader, files of which the first is well formed, and pieces that damage them.
type Format = (
    &'static str,
    Reader,
    &'static [&'static [u8]],
    &'static [&'static [u8]],
);

const FORMATS: &[Format] = &[
    (
        "idx",
        |path| {
            read_idx::<u8>(path).is_ok() | read_idx::<f32>(path).is_ok()
        },
        &[
            b"\0\0\x08\x02\0\0\0\x02\0\0\0\x03abcdef",
            b"\0\0\x0d\x01\0\0\0\x01\0\0\x80\x3f",
            b"\0\0\x08\x04\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x1f\x8b\x08\0\0\0\0\0\x02\x03\x63\x60\xe0\x60\x64\x60\x60\x60\x4a\x4c\x02\0\x8b\xf6\xc6\x4a\x0a\0\0\0",
        ],
        &[b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x80\0\0\0", b"\x08\xff"],
    ),
    (
        "npy",
        |path| {
            read_npy::<f32>(path).is_ok() | read_npy::<bool>(path).is_ok()
        },
        &[
            b"\x93NUMPY\x01\0\x46\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }          \n\0\0\x80\x3f\0\0\0\x40",
            b"\x93NUMPY\x02\0\x46\0\0\0{'descr': '|b1', 'fortran_order': True, 'shape': (0, 3, 4), }        \n",
        ],
        &[
            b"18446744073709551615", b"4611686018427387904, 4, ", b"0, ", b"\xff\xff", b"'", b"(", b")", b"{", b"}", b"'<f4'", b"True",
        ],
    ),
    (
        "csv",
        |path| {
            type Line = (Tensor<i64>, Tensor<f32, S1<2>>, Tensor<bool>, Tensor<String>);
            let lines = Csv::new(path).dataset::<Line>();
            lines.is_ok_and(|lines| values(&lines).is_ok())
        },
        &[b"i,a,b,t,s\n1,0.5,2.5,true,\"a,b\"\n-7,1e3,inf,false,c\n"],
        &[b"\"", b"\n", b"\r", b",", b"\xff\xfe", b"nan", b"9223372036854775808", b"\0"],
    ),
    (
        "safetensors",
        |path| {
            #[derive(Module)]
            struct Open {
                open: Variable<f32, shape![_, _]>,
                fixed: Variable<i32, shape![2]>,
            }
            let model = Open {
                open: Variable::new(tensor([[1.0f32]]).with_shape()),
                fixed: Variable::new(tensor([1, 2]).with_shape()),
            };
            model.load(path).is_ok()
        },
        &[
            b"\x75\0\0\0\0\0\0\0{\"open\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]},\"fixed\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[8,16]}}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            b"\x89\0\0\0\0\0\0\0{\"open\":{\"dtype\":\"F32\",\"shape\":[0,18446744073709551615,2],\"data_offsets\":[0,0]},\"fixed\":{\"dtype\":\"I32\",\"shape\":[2],\"data_offsets\":[0,8]}}\0\0\0\0\0\0\0\0",
        ],
        &[
            b"18446744073709551615", b"0,", b"4611686018427387904,4", b"-1", b"\"F64\"", b"\"BOOL\"", b"[", b"]", b"{", b"\"", b"\xff\xff\xff\xff",
        ],
    ),
];

#[graph_fn]
fn values(
    lines: &Dataset<(
        Tensor<i64>,
        Tensor<f32, S1<2>>,
        Tensor<bool>,
        Tensor<String>,
    )>,
) -> graph_runtime::Result<Tensor<f32>> {
    let mut sum = tensor(0.0);
    for (_, values, ..) in lines {
        sum += values.sum();
    }
    Ok(sum)
}

/// Pseudorandom numbers by Knuth's generator, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }
}

/// Replaces a few pieces of the file: by a piece of syntax, another part of the file, one byte, or nothing.
fn damaged(file: &[u8], pieces: &[&[u8]], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..1 + numbers.below(3) {
        let at = numbers.below(bytes.len() + 1);
        let end = (at + numbers.below(12)).min(bytes.len());
        let piece = match numbers.below(4) {
            0 => pieces[numbers.below(pieces.len())].to_vec(),
            1 => {
                let from = numbers.below(bytes.len() + 1);
                bytes[from..(from + 9).min(bytes.len())].to_vec()
            }
            2 => vec![numbers.below(256) as u8],
            _ => Vec::new(),
        };
        bytes.splice(at..end, piece);
        if numbers.below(8) == 0 {
            bytes.truncate(numbers.below(bytes.len() + 1));
        }
    }
    bytes
}

#[test]
fn every_file_is_read_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    for (name, read, files, pieces) in FORMATS {
        for (which, file) in files.iter().enumerate() {
            let mut numbers = Numbers(which as u64);
            for round in 0..400 {
                let bytes = match round {
                    0 => file.to_vec(),
                    _ => damaged(file, pieces, &mut numbers),
                };
                std::fs::write(&path, &bytes).expect("a file");
                let read = std::panic::catch_unwind(|| read(&path));
                let text = bytes.escape_ascii();
                assert!(read.is_ok(), "{name}: {text}");
                assert!(
                    round > 0 || which > 0 || read.is_ok_and(|read| read),
                    "{name}: {text}"
                );
            }
        }
    }
}
