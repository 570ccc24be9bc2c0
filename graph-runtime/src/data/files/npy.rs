//! The npy file format, in which NumPy saves arrays.

use std::path::Path;

use graph_kernels::Element;
use ndarray::{ArrayView, IxDyn};
use ndarray_npy::{ViewElement, ViewNpyError, ViewNpyExt};

use super::DataError;
use crate::tensor::Tensor;

/// Values that npy files hold, of types that tensors have: `f32`, `f64`, `i32`, `i64`, `u8` and `bool`.
pub trait NpyElement: Element + ViewElement + Clone {}
impl NpyElement for f32 {}
impl NpyElement for f64 {}
impl NpyElement for i32 {}
impl NpyElement for i64 {}
impl NpyElement for u8 {}
impl NpyElement for bool {}

/// Reads an npy file, in C or Fortran order.
///
/// # Errors
/// If the file can't be read, is short, long or corrupt, or holds values of another type than `T`; with the byte where that shows.
pub fn read_npy<T: NpyElement>(path: impl AsRef<Path>) -> Result<Tensor<T>, DataError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path);
    parse(
        path,
        &bytes.map_err(|e| DataError::new(path, None, e.to_string()))?,
    )
}

/// How the file begins, and where the two bytes of the version are behind it.
const MAGIC: &[u8] = b"\x93NUMPY";

fn parse<T: NpyElement>(path: &Path, bytes: &[u8]) -> Result<Tensor<T>, DataError> {
    let end = bytes.len() as u64;
    let error = |offset: u64, message: String| DataError::new(path, offset, message);
    let begin = header_end(bytes).map_err(|(offset, message)| error(offset, message))?;
    // The values are looked at where they stand, so they must stand at an address that is a multiple of 8.
    let mut words = vec![0u64; bytes.len().div_ceil(8) + 1];
    let shift = begin.wrapping_neg() % 8;
    let copy = &mut bytemuck::cast_slice_mut::<u64, u8>(&mut words)[shift..][..bytes.len()];
    copy.copy_from_slice(bytes);
    let view = ArrayView::<T, IxDyn>::view_npy(copy).map_err(|fault| match fault {
        ViewNpyError::ParseHeader(fault) => {
            error(10, format!("the header is no npy header: {fault}"))
        }
        ViewNpyError::WrongDescriptor(found) => error(
            10,
            format!("the values are {found}, where {} is read", T::DTYPE),
        ),
        ViewNpyError::MissingBytes(count) => {
            error(end, format!("the file ends {count} bytes too early"))
        }
        ViewNpyError::ExtraBytes(count) => error(
            end.saturating_sub(count as u64),
            format!("there are {count} bytes more than values"),
        ),
        other => error(begin as u64, other.to_string()),
    })?;
    let shape = view.shape().to_vec();
    let values = view.iter().cloned().collect();
    Tensor::from_vec(&shape, values).map_err(|fault| error(begin as u64, fault.to_string()))
}

/// Where the values begin: behind a header whose length is within the file, so that nothing is made of a length that isn't.
fn header_end(bytes: &[u8]) -> Result<usize, (u64, String)> {
    if !bytes.starts_with(MAGIC) {
        return Err((0, "an npy file starts with 93 and NUMPY".to_owned()));
    }
    let short = || (bytes.len() as u64, "the file ends in its header".to_owned());
    let (length, begin) = match bytes.get(6).ok_or_else(short)? {
        1 => (bytes.get(8..10).ok_or_else(short)?, 10usize),
        2 | 3 => (bytes.get(8..12).ok_or_else(short)?, 12),
        version => return Err((6, format!("version {version} of the format isn't known"))),
    };
    let length = length
        .iter()
        .rev()
        .fold(0, |n, byte| n << 8 | usize::from(*byte));
    let end = begin + length;
    if end > bytes.len() {
        return Err(short());
    }
    Ok(end)
}
