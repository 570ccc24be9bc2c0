//! Arrays of numbers and truth values as little-endian bytes, which is how every format here stores them. Strings each format stores in its own way.

use graph_kernels::{Array, DType, KernelError, len_of};

/// Appends the bytes of an array; strings have none.
pub fn append(array: &Array, out: &mut Vec<u8>) {
    let Some(bytes) = array.bytes() else {
        return;
    };
    let from = out.len();
    out.extend_from_slice(bytes);
    in_this_order(array.dtype(), &mut out[from..]);
}

/// The array of a dtype and shape with these bytes: if it has as many, and isn't of strings.
pub fn array(dtype: DType, shape: &[usize], bytes: &[u8]) -> Option<Array> {
    if dtype == DType::Str || len_of(shape)?.checked_mul(dtype.bytes())? != bytes.len() {
        return None;
    }
    let filled = Array::of_bytes(dtype, shape, |filled| {
        filled.copy_from_slice(bytes);
        in_this_order(dtype, filled);
        Ok::<(), KernelError>(())
    });
    filled.ok()
}

/// From the machine's order of bytes to little-endian, or back.
fn in_this_order(dtype: DType, bytes: &mut [u8]) {
    if cfg!(target_endian = "big") {
        bytes
            .chunks_exact_mut(dtype.bytes())
            .for_each(<[u8]>::reverse);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_byte_comes_first() {
        let x = Array::new(&[2], vec![0x0102_0304i32, -2]);
        let mut bytes = vec![9];
        append(&x, &mut bytes);
        assert_eq!(bytes, [9, 4, 3, 2, 1, 254, 255, 255, 255]);
        assert_eq!(array(DType::I32, &[2], &bytes[1..]), Some(x));
    }

    #[test]
    fn too_many_or_too_few_bytes_are_no_array() {
        assert_eq!(array(DType::I32, &[2], &[0; 7]), None);
        assert_eq!(array(DType::I32, &[2], &[0; 9]), None);
        assert_eq!(array(DType::I64, &[usize::MAX, 2], &[0; 8]), None);
        assert_eq!(array(DType::Str, &[0], &[]), None);
    }

    #[test]
    fn a_byte_that_isnt_zero_is_true() {
        let x = array(DType::Bool, &[3], &[0, 1, 2]);
        assert_eq!(x, Some(Array::new(&[3], vec![false, true, true])));
    }
}
