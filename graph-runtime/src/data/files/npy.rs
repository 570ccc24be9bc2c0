//! The npy file format, in which NumPy saves arrays: a [header], then the values. The header gives their axis order and byte order.
//!
//! The parser is written by hand. `ndarray-npy` and `npyz` bring some thirty crates each (a parser generator and big integers) for the
//! header, which is one line of Python.

mod header;

use std::path::Path;

use graph_kernels::{Array, Element, transpose};

use super::{DataError, bytes_of};
use crate::tensor::Tensor;
use crate::trace::AnyTensor;
use header::Header;

/// Element types of tensors that npy files can hold: `f32`, `f64`, `i8` to `i64`, `u8` to `u64` and `bool`. Needs the feature `npy`.
pub trait NpyElement: Element {
    /// The type's descriptor in a file, without the byte order.
    #[doc(hidden)]
    const CODE: &'static [u8];
    /// Decodes bytes, whose number is a multiple of the size of a value. `Err` has the position of the byte that isn't a value.
    #[doc(hidden)]
    fn values(bytes: &[u8], is_big_endian: bool) -> Result<Vec<Self>, usize>;
}

macro_rules! numbers {
    ($($type:ident $code:literal;)*) => { $(
        impl NpyElement for $type {
            const CODE: &'static [u8] = $code;
            fn values(bytes: &[u8], is_big_endian: bool) -> Result<Vec<$type>, usize> {
                let of = if is_big_endian { $type::from_be_bytes } else { $type::from_le_bytes };
                let (chunks, _) = bytes.as_chunks();
                Ok(chunks.iter().map(|bytes| of(*bytes)).collect())
            }
        }
    )* };
}
numbers! {
    f32 b"f4"; f64 b"f8"; i8 b"i1"; i16 b"i2"; i32 b"i4"; i64 b"i8"; u8 b"u1"; u16 b"u2"; u32 b"u4"; u64 b"u8";
}

impl NpyElement for bool {
    const CODE: &'static [u8] = b"b1";
    fn values(bytes: &[u8], _: bool) -> Result<Vec<bool>, usize> {
        match bytes.iter().position(|byte| *byte > 1) {
            Some(wrong) => Err(wrong),
            None => Ok(bytes.iter().map(|byte| *byte == 1).collect()),
        }
    }
}

/// Reads an npy file, in C or Fortran order and of either byte order. Needs the feature `npy`.
///
/// ```
/// use graph_runtime::data::read_npy;
/// use graph_runtime::prelude::*;
/// # let file = tempfile::NamedTempFile::new().unwrap();
/// # let header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }\n";
/// # let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
/// # bytes.extend((header.len() as u16).to_le_bytes());
/// # bytes.extend(header.bytes());
/// # bytes.extend([7i32, 8].map(i32::to_le_bytes).concat());
/// # std::fs::write(&file, bytes).unwrap();
/// # let path = file.path();
/// // numpy.save(path, numpy.array([7, 8], "int32"))
/// let numbers: Tensor<i32> = read_npy(path)?;
/// assert_eq!(numbers.to_vec(), [7, 8]);
/// # Ok::<(), graph_runtime::data::DataError>(())
/// ```
///
/// # Errors
/// If the file can't be read, is too short, too long or corrupt, or holds values of another type than `T`. The error has the byte offset.
pub fn read_npy<T: NpyElement>(path: impl AsRef<Path>) -> Result<Tensor<T>, DataError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(|e| DataError::new(path, None, e.to_string()))?;
    let array = parse::<T>(&bytes);
    let array = array.map_err(|fault| DataError::new(path, fault.at as u64, fault.message))?;
    Ok(Tensor::from_any(AnyTensor::constant(array)))
}

/// An error in a file, with its byte offset.
struct Fault {
    at: usize,
    message: String,
}

impl Fault {
    fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault {
            at,
            message: message.into(),
        }
    }
}

fn parse<T: NpyElement>(bytes: &[u8]) -> Result<Array, Fault> {
    let header = Header::read(bytes)?;
    let is_big_endian = byte_order::<T>(&header)?;
    let values = values_of::<T>(bytes, &header)?;
    let values = T::values(values, is_big_endian).map_err(|wrong| {
        let at = header.end + wrong;
        Fault::new(at, format!("there is no {} in this byte", T::DTYPE))
    })?;
    if !header.is_fortran_order {
        // The copy is aligned for the kernels; the bytes of the file may not be.
        return Ok(Array::copy_of(&header.shape, &values));
    }
    // In Fortran order the first axis varies fastest: the bytes are a row-major array with the axes in the opposite order.
    let opposite: Vec<usize> = header.shape.iter().rev().copied().collect();
    let axes: Vec<i64> = (0..opposite.len() as i64).rev().collect();
    let mut array = Array::default();
    transpose(&Array::new(&opposite, values), &axes, &mut array)
        .map_err(|fault| Fault::new(header.end, fault.to_string()))?;
    Ok(array)
}

/// Whether the values are big-endian; an error if they aren't of the type that is read.
fn byte_order<T: NpyElement>(header: &Header<'_>) -> Result<bool, Fault> {
    let is_byte = T::DTYPE.bytes() == 1;
    match header.descriptor.strip_suffix(T::CODE) {
        Some(b"<") => Ok(false),
        Some(b">") => Ok(true),
        // A type of one byte has no byte order: the descriptor has `|` or nothing.
        Some(b"|" | b"") if is_byte => Ok(false),
        _ => {
            let (found, wanted) = (header::shown(header.descriptor), T::DTYPE);
            Err(Fault::new(
                header.begin,
                format!("the values are {found}, where {wanted} is read"),
            ))
        }
    }
}

/// The bytes of the values; an error unless their number is what the shape requires.
fn values_of<'a, T: NpyElement>(bytes: &'a [u8], header: &Header<'_>) -> Result<&'a [u8], Fault> {
    let expected = bytes_of(&header.shape, T::DTYPE.bytes()).ok_or_else(|| {
        let message = format!(
            "the sizes {:?} overflow: no file is that large",
            header.shape
        );
        Fault::new(header.end, message)
    })?;
    let found = bytes.get(header.end..).unwrap_or_default();
    if let Some(missing) = expected.checked_sub(found.len()).filter(|n| *n > 0) {
        let message = format!("the file ends {missing} bytes too early");
        return Err(Fault::new(bytes.len(), message));
    }
    match found.split_at(expected) {
        (values, []) => Ok(values),
        (_, more) => {
            let message = format!("{} bytes follow the values", more.len());
            Err(Fault::new(header.end + expected, message))
        }
    }
}
