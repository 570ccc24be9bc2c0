//! The npy file format, in which NumPy saves arrays: a [header], then the values in the orders of bytes and axes that the header says.
//!
//! It is read by hand, because `ndarray-npy` and `npyz` take a parser generator and integers of any length for the one line of Python that
//! a header is: some thirty crates each.

mod header;

use std::path::Path;

use graph_kernels::{Array, Element, transpose};

use super::{DataError, bytes_of};
use crate::tensor::Tensor;
use crate::trace::AnyTensor;
use header::Header;

/// Values that npy files hold, of types that tensors have: `f32`, `f64`, `i8` to `i64`, `u8` to `u64` and `bool`. Needs the feature `npy`.
pub trait NpyElement: Element {
    /// The type's descriptor, but for the order of its bytes.
    #[doc(hidden)]
    const CODE: &'static [u8];
    /// The values of these bytes, a multiple of their size. `Err` has the byte that is no value.
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

/// Reads an npy file, in C or Fortran order, of either order of bytes. Needs the feature `npy`.
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
/// If the file can't be read, is short, long or corrupt, or holds values of another type than `T`; with the byte where that shows.
pub fn read_npy<T: NpyElement>(path: impl AsRef<Path>) -> Result<Tensor<T>, DataError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(|e| DataError::new(path, None, e.to_string()))?;
    let array = parse::<T>(&bytes);
    let array = array.map_err(|fault| DataError::new(path, fault.at as u64, fault.message))?;
    Ok(Tensor::from_any(AnyTensor::constant(array)))
}

/// What is wrong with a file, and at which byte.
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
        // A copy lies where kernels read it fastest, which the values out of a file may not.
        return Ok(Array::copy_of(&header.shape, &values));
    }
    // The first axis goes fastest: these are the rows of the array whose axes stand in the opposite order.
    let opposite: Vec<usize> = header.shape.iter().rev().copied().collect();
    let axes: Vec<i64> = (0..opposite.len() as i64).rev().collect();
    let mut array = Array::default();
    transpose(&Array::new(&opposite, values), &axes, &mut array)
        .map_err(|fault| Fault::new(header.end, fault.to_string()))?;
    Ok(array)
}

/// Whether the values are big-endian, if they are of the type that is read.
fn byte_order<T: NpyElement>(header: &Header<'_>) -> Result<bool, Fault> {
    let is_byte = T::DTYPE.bytes() == 1;
    match header.descriptor.strip_suffix(T::CODE) {
        Some(b"<") => Ok(false),
        Some(b">") => Ok(true),
        // A byte has no order, and says so, or nothing.
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

/// The bytes of the values, of which there are as many as the shape says.
fn values_of<'a, T: NpyElement>(bytes: &'a [u8], header: &Header<'_>) -> Result<&'a [u8], Fault> {
    let expected = bytes_of(&header.shape, T::DTYPE.bytes()).ok_or_else(|| {
        let message = format!("the sizes {:?} overflow: no file has so much", header.shape);
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
            let message = format!("there are {} bytes more than values", more.len());
            Err(Fault::new(header.end + expected, message))
        }
    }
}
