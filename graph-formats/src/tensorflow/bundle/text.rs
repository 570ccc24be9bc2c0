//! Tensors of strings: the length of each, a checksum of the lengths, and the bytes of all. The tensor's checksum is that of the lengths as numbers of
//! 32 bits (of 64 where they need them), of their checksum, and of the bytes.

use graph_kernels::len_of;

use super::varint;
use crate::checksum::Checksum;
use crate::tensorflow::error::{Error, Result};

/// The checksum of the lengths so far, with another.
fn with_length(checksum: Checksum, length: usize) -> Checksum {
    match u32::try_from(length) {
        Ok(length) => checksum.with(&length.to_le_bytes()),
        Err(_) => checksum.with(&(length as u64).to_le_bytes()),
    }
}

/// The bytes of strings, and their checksum.
pub(super) fn write<'a>(values: impl IntoIterator<Item = &'a [u8]> + Clone) -> (Vec<u8>, u32) {
    let (mut bytes, mut checksum) = (Vec::new(), Checksum::new());
    for value in values.clone() {
        varint::write(&mut bytes, value.len() as u64);
        checksum = with_length(checksum, value.len());
    }
    let lengths = checksum.masked().to_le_bytes();
    bytes.extend_from_slice(&lengths);
    checksum = checksum.with(&lengths);
    for value in values {
        checksum = checksum.with(value);
        bytes.extend_from_slice(value);
    }
    (bytes, checksum.masked())
}

/// The strings of a shape in these bytes.
pub(super) fn read(bytes: &[u8], dims: &[usize], expected: u32) -> Result<Vec<Vec<u8>>> {
    let wrong = || Error::invalid("the strings of the tensor are wrong");
    let count = len_of(dims)
        .filter(|count| *count <= bytes.len())
        .ok_or_else(wrong)?;
    let (mut rest, mut checksum) = (bytes, Checksum::new());
    let mut lengths = Vec::with_capacity(count);
    for _ in 0..count {
        let length = varint::read(&mut rest)
            .and_then(|n| usize::try_from(n).ok())
            .ok_or_else(wrong)?;
        checksum = with_length(checksum, length);
        lengths.push(length);
    }
    let (of_lengths, mut rest) = rest.split_first_chunk::<4>().ok_or_else(wrong)?;
    if checksum.masked() != u32::from_le_bytes(*of_lengths) {
        return Err(Error::invalid(
            "the checksum of the lengths of strings is wrong",
        ));
    }
    checksum = checksum.with(of_lengths).with(rest);
    if checksum.masked() != expected {
        return Err(Error::invalid("the checksum of the tensor is wrong"));
    }
    let mut values = Vec::with_capacity(count);
    for length in lengths {
        let (value, after) = rest.split_at_checked(length).ok_or_else(wrong)?;
        values.push(value.to_vec());
        rest = after;
    }
    Ok(values)
}
