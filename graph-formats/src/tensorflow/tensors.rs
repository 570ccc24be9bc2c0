//! Arrays as messages of TensorFlow, and back.

use std::cell::Cell;
use std::rc::Rc;

use graph_ir::types::Shape;
use graph_kernels::{Array, DType, Element, bf16, f16, len_of, with_values};

use super::error::{Error, Result};
use super::proto::TensorProto;
use super::types::{data_type, dtype_of, shape_of, shape_proto};
use crate::little_endian;

/// The most values that the messages of a file describe by repeating others.
const MAX_REPEATED: usize = 1 << 26;

/// How many values the messages of a file may still describe by repeating others: a small message may describe a large array, and a small file
/// many of them. Clones share the number.
#[derive(Clone, Debug)]
pub(crate) struct Room(Rc<Cell<usize>>);

impl Default for Room {
    fn default() -> Room {
        Room(Rc::new(Cell::new(MAX_REPEATED)))
    }
}

impl Room {
    /// Counts values.
    pub fn take(&self, values: usize) -> Result<()> {
        let left = self.0.get().checked_sub(values);
        let left =
            left.ok_or_else(|| Error::invalid(format!("{values} values that repeat others")))?;
        self.0.set(left);
        Ok(())
    }
}

/// An array as a message. As in TensorFlow, a single number is in the field of its dtype, and several are little-endian bytes.
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
    let mut bytes = Vec::new();
    little_endian::append(array, &mut bytes);
    bytes
}

/// The array that a message describes.
pub(crate) fn array_of(proto: &TensorProto, room: &Room) -> Result<Array> {
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
    repeated(proto, dtype, len, room).map(|array| array.reshaped(&dims))
}

/// An array from its little-endian bytes.
pub(crate) fn from_content(dtype: DType, dims: &[usize], bytes: &[u8]) -> Result<Array> {
    little_endian::array(dtype, dims, bytes).ok_or_else(|| {
        let length = bytes.len();
        Error::invalid(format!(
            "{length} bytes for values of {dtype} and shape {dims:?}"
        ))
    })
}

/// A vector whose last given value repeats; without any, its values are 0.
fn repeated(proto: &TensorProto, dtype: DType, len: usize, room: &Room) -> Result<Array> {
    let places = Places { len, room };
    match dtype {
        DType::F32 => places.filled(proto.float_val.clone()),
        DType::F64 => places.filled(proto.double_val.clone()),
        DType::F16 => places.narrowed(&proto.half_val, |bits| f16::from_bits(bits as u16)),
        DType::BF16 => places.narrowed(&proto.half_val, |bits| bf16::from_bits(bits as u16)),
        DType::I8 => places.narrowed(&proto.int_val, |n| n as i8),
        DType::I16 => places.narrowed(&proto.int_val, |n| n as i16),
        DType::I32 => places.filled(proto.int_val.clone()),
        DType::I64 => places.filled(proto.int64_val.clone()),
        DType::U8 => places.narrowed(&proto.int_val, |n| n as u8),
        DType::U16 => places.narrowed(&proto.int_val, |n| n as u16),
        DType::U32 => places.filled(proto.uint32_val.clone()),
        DType::U64 => places.filled(proto.uint64_val.clone()),
        DType::Bool => places.filled(proto.bool_val.clone()),
        DType::Str => {
            let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone());
            let texts: std::result::Result<Vec<String>, _> =
                proto.string_val.iter().map(text).collect();
            places.filled(texts.map_err(|_| Error::unsupported("a string that isn't UTF-8"))?)
        }
    }
}

/// The places of a vector, which are filled with values.
struct Places<'a> {
    len: usize,
    room: &'a Room,
}

impl Places<'_> {
    /// Narrows the numbers of a field that is wider than the dtype.
    fn narrowed<A: Copy, T: Element>(&self, given: &[A], to: impl Fn(A) -> T) -> Result<Array> {
        self.filled(given.iter().map(|value| to(*value)).collect())
    }

    fn filled<T: Element>(&self, mut values: Vec<T>) -> Result<Array> {
        let (given, len) = (values.len(), self.len);
        let missing = len.checked_sub(given);
        let missing =
            missing.ok_or_else(|| Error::invalid(format!("{given} values for {len} places")))?;
        self.room.take(missing)?;
        let last = values.last().cloned().unwrap_or_default();
        values.resize(len, last);
        Ok(Array::new(&[len], values))
    }
}

/// A value in a message.
trait Write {
    /// Writes it as the only value.
    fn write_one(&self, to: &mut TensorProto);
}

macro_rules! write {
    ($($type:ty: $value:ident => $field:ident $one:expr;)*) => { $(
        impl Write for $type {
            fn write_one(&self, to: &mut TensorProto) {
                let $value = self;
                to.$field.push($one);
            }
        }
    )* };
}
write! {
    f32: v => float_val *v;
    f64: v => double_val *v;
    f16: v => half_val i32::from(v.to_bits());
    bf16: v => half_val i32::from(v.to_bits());
    i8: v => int_val i32::from(*v);
    i16: v => int_val i32::from(*v);
    i32: v => int_val *v;
    i64: v => int64_val *v;
    u8: v => int_val i32::from(*v);
    u16: v => int_val i32::from(*v);
    u32: v => uint32_val *v;
    u64: v => uint64_val *v;
    bool: v => bool_val *v;
    String: v => string_val v.clone().into_bytes();
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
                array_of(&tensor_proto(&array), &Room::default()),
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
        assert_eq!(
            array_of(&proto, &Room::default()),
            Ok(Array::new(&[3], vec![0f32; 3]))
        );
        proto.float_val = vec![1.0, 2.0];
        assert_eq!(
            array_of(&proto, &Room::default()),
            Ok(Array::new(&[3], vec![1f32, 2.0, 2.0]))
        );
        proto.float_val = vec![1.0; 4];
        assert!(
            array_of(&proto, &Room::default())
                .unwrap_err()
                .to_string()
                .contains("4 values for 3 places")
        );
        proto.tensor_shape = Some(shape_proto(&Shape::known(&[1 << 40])));
        proto.float_val.clear();
        assert!(array_of(&proto, &Room::default()).is_err());
        proto.tensor_content = vec![0; 8];
        assert!(
            array_of(&proto, &Room::default())
                .unwrap_err()
                .to_string()
                .contains("8 bytes for values")
        );
    }
}
