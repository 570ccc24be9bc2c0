//! Arrays as messages of TensorFlow, and back.

use graph_ir::types::Shape;
use graph_kernels::{Array, DType, bf16, f16, len_of, with_values};

use super::error::{Error, Result};
use super::proto::TensorProto;
use super::types::{data_type, dtype_of, shape_of, shape_proto};

/// The most values of an array that a message describes by fewer values.
const MAX_REPEATED: usize = 1 << 24;

/// An array as a message. As in TensorFlow, a single number stands in the field of its dtype, and several are little-endian bytes.
pub(crate) fn tensor_proto(array: &Array) -> TensorProto {
    let mut proto = TensorProto {
        dtype: data_type(array.dtype()) as i32,
        tensor_shape: Some(shape_proto(&Shape::known(array.shape()))),
        ..TensorProto::default()
    };
    match (array.values::<String>(), array.len()) {
        (Some(texts), _) => {
            proto.string_val = texts.iter().map(|text| text.clone().into_bytes()).collect();
        }
        (None, 1) => with_values!(array, values => values[0].write_one(&mut proto)),
        (None, _) => proto.tensor_content = content(array),
    }
    proto
}

/// The values as little-endian bytes; none for strings.
pub(crate) fn content(array: &Array) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(array.len() * array.dtype().bytes());
    with_values!(array, values => values.iter().for_each(|value| value.write(&mut bytes)));
    bytes
}

/// The array that a message describes.
pub(crate) fn array_of(proto: &TensorProto) -> Result<Array> {
    let dtype = dtype_of(proto.dtype)?;
    let shape = match &proto.tensor_shape {
        None => Shape::scalar(),
        shape => shape_of(shape.as_ref())?,
    };
    let dims = shape
        .to_known()
        .ok_or_else(|| Error::invalid("a constant of unknown shape"))?;
    let len =
        len_of(&dims).ok_or_else(|| Error::invalid("a constant of a shape that is too large"))?;
    if !proto.tensor_content.is_empty() && dtype != DType::Str {
        return from_content(dtype, &dims, &proto.tensor_content);
    }
    repeated(proto, dtype, len).map(|array| array.reshaped(&dims))
}

/// An array from its little-endian bytes.
pub(crate) fn from_content(dtype: DType, dims: &[usize], bytes: &[u8]) -> Result<Array> {
    let expected = len_of(dims).and_then(|len| len.checked_mul(dtype.bytes()));
    if expected != Some(bytes.len()) {
        let len = bytes.len();
        return Err(Error::invalid(format!(
            "{len} bytes for values of {dtype} and shape {dims:?}"
        )));
    }
    let size = dtype.bytes();
    Array::of_bytes(dtype, dims, |filled| {
        for (to, from) in filled.chunks_exact_mut(size).zip(bytes.chunks_exact(size)) {
            to.copy_from_slice(from);
            #[cfg(target_endian = "big")]
            to.reverse();
        }
        Ok(())
    })
}

/// A vector whose last given value repeats; without any, its values are 0.
fn repeated(proto: &TensorProto, dtype: DType, len: usize) -> Result<Array> {
    /// Narrows the numbers of a field that is wider than the dtype.
    fn narrow<A: Copy, T: graph_kernels::Element>(
        given: &[A],
        to: impl Fn(A) -> T,
        len: usize,
    ) -> Result<Array> {
        vector(given.iter().map(|value| to(*value)).collect(), len)
    }
    match dtype {
        DType::F32 => vector(proto.float_val.clone(), len),
        DType::F64 => vector(proto.double_val.clone(), len),
        DType::F16 => narrow(&proto.half_val, |bits| f16::from_bits(bits as u16), len),
        DType::BF16 => narrow(&proto.half_val, |bits| bf16::from_bits(bits as u16), len),
        DType::I8 => narrow(&proto.int_val, |n| n as i8, len),
        DType::I16 => narrow(&proto.int_val, |n| n as i16, len),
        DType::I32 => vector(proto.int_val.clone(), len),
        DType::I64 => vector(proto.int64_val.clone(), len),
        DType::U8 => narrow(&proto.int_val, |n| n as u8, len),
        DType::U16 => narrow(&proto.int_val, |n| n as u16, len),
        DType::U32 => vector(proto.uint32_val.clone(), len),
        DType::U64 => vector(proto.uint64_val.clone(), len),
        DType::Bool => vector(proto.bool_val.clone(), len),
        DType::Str => {
            let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone());
            let texts: std::result::Result<Vec<String>, _> =
                proto.string_val.iter().map(text).collect();
            vector(
                texts.map_err(|_| Error::unsupported("a string that isn't UTF-8"))?,
                len,
            )
        }
    }
}

fn vector<T: graph_kernels::Element>(mut values: Vec<T>, len: usize) -> Result<Array> {
    if values.len() > len {
        return Err(Error::invalid(format!(
            "{} values for {len} places",
            values.len()
        )));
    }
    if values.len() < len && len > MAX_REPEATED {
        return Err(Error::invalid(format!("{len} values that repeat one")));
    }
    let last = values.last().cloned().unwrap_or_default();
    values.resize(len, last);
    Ok(Array::new(&[len], values))
}

/// A value in a message.
trait Write {
    /// Appends the value's little-endian bytes.
    fn write(&self, to: &mut Vec<u8>);
    /// Writes it as the only value.
    fn write_one(&self, to: &mut TensorProto);
}

macro_rules! write {
    ($($type:ty: $value:ident => $bytes:expr, $field:ident $one:expr;)*) => { $(
        impl Write for $type {
            fn write(&self, to: &mut Vec<u8>) {
                let $value = self;
                to.extend_from_slice($bytes);
            }
            fn write_one(&self, to: &mut TensorProto) {
                let $value = self;
                to.$field.push($one);
            }
        }
    )* };
}
write! {
    f32: v => &v.to_le_bytes(), float_val *v;
    f64: v => &v.to_le_bytes(), double_val *v;
    f16: v => &v.to_bits().to_le_bytes(), half_val i32::from(v.to_bits());
    bf16: v => &v.to_bits().to_le_bytes(), half_val i32::from(v.to_bits());
    i8: v => &v.to_le_bytes(), int_val i32::from(*v);
    i16: v => &v.to_le_bytes(), int_val i32::from(*v);
    i32: v => &v.to_le_bytes(), int_val *v;
    i64: v => &v.to_le_bytes(), int64_val *v;
    u8: v => &v.to_le_bytes(), int_val i32::from(*v);
    u16: v => &v.to_le_bytes(), int_val i32::from(*v);
    u32: v => &v.to_le_bytes(), uint32_val *v;
    u64: v => &v.to_le_bytes(), uint64_val *v;
    bool: v => &[u8::from(*v)], bool_val *v;
    String: v => { let _ = v; &[] }, string_val v.clone().into_bytes();
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_ir::types::TensorType;

    #[test]
    fn arrays_of_every_dtype_come_back() {
        let arrays = [
            Array::new(&[2], vec![1.5f32, -0.0]),
            Array::scalar(f64::MIN_POSITIVE),
            Array::new(&[1], vec![f16::from_f32(-2.5)]),
            Array::new(&[2], vec![bf16::from_f32(3.0), bf16::from_f32(-1.0)]),
            Array::new(&[3], vec![-1i8, 0, 127]),
            Array::scalar(-5i16),
            Array::new(&[2, 1], vec![i32::MIN, 7]),
            Array::scalar(i64::MIN),
            Array::new(&[2], vec![255u8, 0]),
            Array::scalar(65535u16),
            Array::new(&[2], vec![u32::MAX, 1]),
            Array::scalar(u64::MAX),
            Array::new(&[2], vec![true, false]),
            Array::new(&[2], vec!["ä".to_owned(), String::new()]),
            Array::zeros(DType::F32, &[0, 3]),
        ];
        for array in arrays {
            assert_eq!(
                array_of(&tensor_proto(&array)),
                Ok(array.clone()),
                "{}",
                TensorType::of_array(&array)
            );
        }
    }

    #[test]
    fn the_last_value_repeats_and_sizes_that_lie_are_refused() {
        let mut proto = tensor_proto(&Array::new(&[3], vec![0f32; 3]));
        proto.tensor_content.clear();
        assert_eq!(array_of(&proto), Ok(Array::new(&[3], vec![0f32; 3])));
        proto.float_val = vec![1.0, 2.0];
        assert_eq!(array_of(&proto), Ok(Array::new(&[3], vec![1f32, 2.0, 2.0])));
        proto.float_val = vec![1.0; 4];
        assert!(
            array_of(&proto)
                .unwrap_err()
                .to_string()
                .contains("4 values for 3 places")
        );
        proto.tensor_shape = Some(shape_proto(&Shape::known(&[1 << 40])));
        proto.float_val.clear();
        assert!(array_of(&proto).is_err());
        proto.tensor_content = vec![0; 8];
        assert!(
            array_of(&proto)
                .unwrap_err()
                .to_string()
                .contains("8 bytes for values")
        );
    }
}
