//! The IDX file format of MNIST and similar datasets: four bytes (two zeros, the type of a value, the number of axes), the size of each
//! axis as a big-endian `u32`, then the values, row-major and big-endian. The file may be compressed by gzip.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use graph_kernels::Element;

use super::{DataError, bytes_of};
use crate::tensor::Tensor;

/// The first bytes of a compressed file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Element types of tensors that IDX files can hold: `u8`, `i8`, `i16`, `i32`, `f32` and `f64`.
pub trait IdxElement: Element + Sized {
    /// The code of the type in a file.
    #[doc(hidden)]
    const CODE: u8;
    /// Decodes bytes, whose number is a multiple of the size of a value.
    #[doc(hidden)]
    fn values(bytes: Vec<u8>) -> Vec<Self>;
}

impl IdxElement for u8 {
    const CODE: u8 = 0x08;
    fn values(bytes: Vec<u8>) -> Vec<u8> {
        bytes
    }
}

macro_rules! elements {
    ($($type:ident $code:literal;)*) => { $(
        impl IdxElement for $type {
            const CODE: u8 = $code;
            fn values(bytes: Vec<u8>) -> Vec<$type> {
                let (chunks, _) = bytes.as_chunks();
                chunks.iter().map(|bytes| $type::from_be_bytes(*bytes)).collect()
            }
        }
    )* };
}
elements! { i8 0x09; i16 0x0b; i32 0x0c; f32 0x0d; f64 0x0e; }

/// The codes of all types of the format.
const TYPES: [(u8, &str); 6] = [
    (0x08, "uint8"),
    (0x09, "int8"),
    (0x0b, "int16"),
    (0x0c, "int32"),
    (0x0d, "float32"),
    (0x0e, "float64"),
];

/// Reads an IDX file, such as those of MNIST. A file compressed by gzip needs the feature `gzip`.
///
/// ```
/// use graph_runtime::data::read_idx;
/// use graph_runtime::prelude::*;
/// let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/digits");
/// let images = read_idx::<u8>(format!("{folder}/test-images.idx3-ubyte")).unwrap();
/// let labels = read_idx::<u8>(format!("{folder}/test-labels.idx1-ubyte")).unwrap();
/// let digits = Dataset::from_slices((images, labels));
/// assert_eq!(digits.len(), Some(297));
/// ```
///
/// # Errors
/// If the file can't be read, is too short, too long or corrupt, or holds values of another type than `T`. The error has the byte offset.
pub fn read_idx<T: IdxElement>(path: impl AsRef<Path>) -> Result<Tensor<T>, DataError> {
    let path = path.as_ref();
    let io = |error: std::io::Error| DataError::new(path, None, error.to_string());
    let mut file = BufReader::new(File::open(path).map_err(io)?);
    if file.fill_buf().map_err(io)?.starts_with(&GZIP) {
        return parse(path, decompressed(path, file)?);
    }
    parse(path, file)
}

#[cfg(feature = "gzip")]
fn decompressed(_: &Path, file: impl BufRead) -> Result<impl Read, DataError> {
    Ok(flate2::bufread::MultiGzDecoder::new(file))
}

#[cfg(not(feature = "gzip"))]
fn decompressed(path: &Path, file: impl BufRead) -> Result<impl Read, DataError> {
    let _ = file;
    let message = "the file is compressed; the feature `gzip` of graph-runtime reads it";
    Err::<std::io::Empty, _>(DataError::new(path, 0, message))
}

/// The content of a file that is being read.
struct Content<'a, R> {
    path: &'a Path,
    reader: R,
    /// The number of bytes read so far.
    offset: u64,
}

impl<R: Read> Content<'_, R> {
    fn error(&self, message: impl Into<String>) -> DataError {
        DataError::new(self.path, self.offset, message)
    }

    /// Reads up to `count` bytes. The memory grows with the bytes that are read, not with the size that a header claims.
    fn up_to(&mut self, count: u64) -> Result<Vec<u8>, DataError> {
        let mut bytes = Vec::new();
        let result = self.reader.by_ref().take(count).read_to_end(&mut bytes);
        self.offset += bytes.len() as u64;
        match result {
            Ok(_) => Ok(bytes),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Err(self.error("the compressed file ends too early"))
            }
            Err(error) => Err(self.error(error.to_string())),
        }
    }

    fn word(&mut self, what: &str) -> Result<[u8; 4], DataError> {
        let bytes = self.up_to(4)?;
        let found = bytes.len();
        bytes.try_into().map_err(|_| {
            self.error(format!(
                "the file ends in {what}: it has {found} of 4 bytes"
            ))
        })
    }
}

fn parse<T: IdxElement>(path: &Path, reader: impl Read) -> Result<Tensor<T>, DataError> {
    let mut content = Content {
        path,
        reader,
        offset: 0,
    };
    let [zero, also_zero, code, axes] = content.word("its magic number")?;
    let error = |offset: u64, message: String| Err(DataError::new(path, offset, message));
    if (zero, also_zero) != (0, 0) {
        return error(
            0,
            format!("an IDX file starts with two zero bytes, not {zero:02x} {also_zero:02x}"),
        );
    }
    if code != T::CODE {
        let known = TYPES.iter().find(|(known, _)| *known == code);
        let name = known.map_or("no type that the format knows", |(_, name)| name);
        let wanted = T::DTYPE;
        return error(
            2,
            format!("the values are 0x{code:02x}, {name}, where {wanted} is read"),
        );
    }
    let mut sizes = Vec::new();
    for axis in 0..axes {
        let size = content.word(&format!("the size of axis {axis}"))?;
        sizes.push(u32::from_be_bytes(size) as usize);
    }
    let Some(expected) = bytes_of(&sizes, T::DTYPE.bytes()) else {
        return error(4, format!("no file has values of shape {sizes:?}"));
    };
    let bytes = content.up_to(expected as u64 + 1)?;
    if bytes.len() < expected {
        let found = bytes.len();
        return Err(content.error(format!(
            "the file ends after {found} of the {expected} bytes that values of shape {sizes:?} take"
        )));
    }
    if bytes.len() > expected {
        content.offset -= 1;
        return Err(content.error(format!("bytes follow the values of shape {sizes:?}")));
    }
    let tensor = Tensor::from_vec(&sizes, T::values(bytes));
    tensor.map_err(|e| content.error(e.to_string()))
}
