//! Arrays as bytes, little-endian, and the names that safetensors has for dtypes.

use graph_kernels::{Array, Buffer, DType, Element, bf16, f16, len_of};

/// The dtypes with their names in the format and the sizes of their elements.
const DTYPES: [(DType, &str, usize); 13] = [
    (DType::F32, "F32", 4),
    (DType::F64, "F64", 8),
    (DType::F16, "F16", 2),
    (DType::BF16, "BF16", 2),
    (DType::I32, "I32", 4),
    (DType::I64, "I64", 8),
    (DType::U8, "U8", 1),
    (DType::I8, "I8", 1),
    (DType::I16, "I16", 2),
    (DType::U16, "U16", 2),
    (DType::U32, "U32", 4),
    (DType::U64, "U64", 8),
    (DType::Bool, "BOOL", 1),
];

/// The name of a dtype in the format; strings are stored as bytes.
pub(super) fn name_of(dtype: DType) -> &'static str {
    let mut all = DTYPES.iter();
    all.find(|(own, ..)| *own == dtype)
        .map_or("U8", |(_, name, _)| name)
}

/// The dtype with this name.
pub(super) fn dtype_of(name: &str) -> Option<DType> {
    let mut all = DTYPES.iter();
    all.find(|(_, own, _)| *own == name)
        .map(|(dtype, ..)| *dtype)
}

/// The size of an element in bytes, of dtypes that the format has.
pub(super) fn element_size(dtype: DType) -> usize {
    let mut all = DTYPES.iter();
    all.find(|(own, ..)| *own == dtype)
        .map_or(1, |(.., size)| *size)
}

/// The number of bytes of an array.
pub(super) fn length(array: &Array) -> usize {
    match array.buffer() {
        Buffer::Str(texts) => texts.iter().map(|text| 8 + text.len()).sum(),
        _ => array.len() * element_size(array.dtype()),
    }
}

/// Appends the bytes of an array.
pub(super) fn append(array: &Array, out: &mut Vec<u8>) {
    macro_rules! little_endian {
        ($values:expr) => {
            out.extend($values.iter().flat_map(|v| v.to_le_bytes()))
        };
    }
    match array.buffer() {
        Buffer::F32(v) => little_endian!(v),
        Buffer::F64(v) => little_endian!(v),
        Buffer::F16(v) => little_endian!(v),
        Buffer::BF16(v) => little_endian!(v),
        Buffer::I32(v) | Buffer::U32(v) => little_endian!(v),
        Buffer::I64(v) | Buffer::U64(v) => little_endian!(v),
        Buffer::I16(v) | Buffer::U16(v) => little_endian!(v),
        Buffer::U8(v) | Buffer::I8(v) => out.extend_from_slice(v),
        Buffer::Bool(v) => out.extend(v.iter().map(|v| u8::from(*v))),
        Buffer::Str(v) => {
            out.extend(v.iter().flat_map(|text| (text.len() as u64).to_le_bytes()));
            out.extend(v.iter().flat_map(|text| text.as_bytes()));
        }
    }
}

/// The array of a dtype and shape with these bytes.
///
/// # Errors
/// If the bytes are too many or too few, or no such values.
pub(super) fn array(dtype: DType, shape: &[usize], bytes: &[u8]) -> Result<Array, String> {
    let count = len_of(shape).ok_or_else(|| format!("the shape {shape:?} is too large"))?;
    if dtype == DType::Str {
        return strings(shape, count, bytes);
    }
    let wanted = count.checked_mul(element_size(dtype));
    if wanted != Some(bytes.len()) {
        return Err(format!(
            "{} bytes aren't a {dtype} of shape {shape:?}",
            bytes.len()
        ));
    }
    Ok(match dtype {
        DType::F32 => values(shape, bytes, f32::from_le_bytes),
        DType::F64 => values(shape, bytes, f64::from_le_bytes),
        DType::F16 => values(shape, bytes, f16::from_le_bytes),
        DType::BF16 => values(shape, bytes, bf16::from_le_bytes),
        DType::I32 => values(shape, bytes, i32::from_le_bytes),
        DType::I64 => values(shape, bytes, i64::from_le_bytes),
        DType::U8 => values(shape, bytes, |[byte]: [u8; 1]| byte),
        DType::I8 => values(shape, bytes, i8::from_le_bytes),
        DType::I16 => values(shape, bytes, i16::from_le_bytes),
        DType::U16 => values(shape, bytes, u16::from_le_bytes),
        DType::U32 => values(shape, bytes, u32::from_le_bytes),
        DType::U64 => values(shape, bytes, u64::from_le_bytes),
        DType::Bool | DType::Str => values(shape, bytes, |[byte]: [u8; 1]| byte != 0),
    })
}

/// Decodes values of `N` bytes each.
fn values<T: Element, const N: usize>(
    shape: &[usize],
    bytes: &[u8],
    of: impl Fn([u8; N]) -> T,
) -> Array {
    let (chunks, _) = bytes.as_chunks::<N>();
    Array::new(shape, chunks.iter().map(|bytes| of(*bytes)).collect())
}

/// Strings: their lengths, then their texts.
fn strings(shape: &[usize], count: usize, bytes: &[u8]) -> Result<Array, String> {
    let lengths = count
        .checked_mul(8)
        .and_then(|size| bytes.split_at_checked(size));
    let Some((lengths, mut rest)) = lengths else {
        return Err(format!(
            "{} bytes have no room for the lengths of {count} strings",
            bytes.len()
        ));
    };
    let (lengths, _) = lengths.as_chunks::<8>();
    let mut texts = Vec::with_capacity(count);
    for length in lengths {
        let length = usize::try_from(u64::from_le_bytes(*length)).ok();
        let Some((text, behind)) = length.and_then(|length| rest.split_at_checked(length)) else {
            return Err(format!("string {} is longer than the bytes", texts.len()));
        };
        let text = std::str::from_utf8(text)
            .map_err(|error| format!("string {}: {error}", texts.len()))?;
        texts.push(text.to_owned());
        rest = behind;
    }
    match rest {
        [] => Ok(Array::new(shape, texts)),
        rest => Err(format!("{} bytes more than the strings have", rest.len())),
    }
}
