//! Arrays as bytes, and the names that safetensors has for dtypes.

use graph_kernels::{Array, Buffer, DType, len_of};

use crate::little_endian;

/// The name of a dtype in the format; strings are stored as bytes.
pub(super) fn name_of(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "F32",
        DType::F64 => "F64",
        DType::F16 => "F16",
        DType::BF16 => "BF16",
        DType::I32 => "I32",
        DType::I64 => "I64",
        DType::U8 | DType::Str => "U8",
        DType::I8 => "I8",
        DType::I16 => "I16",
        DType::U16 => "U16",
        DType::U32 => "U32",
        DType::U64 => "U64",
        DType::Bool => "BOOL",
    }
}

/// The dtype of numbers or truth values with this name.
pub(super) fn dtype_of(name: &str) -> Option<DType> {
    let stored_as_itself = |dtype: &DType| *dtype != DType::Str;
    let mut all = DType::ALL.into_iter().filter(stored_as_itself);
    all.find(|dtype| name_of(*dtype) == name)
}

/// The size of an element in bytes; 1 for strings, which are stored as bytes.
pub(super) fn element_size(dtype: DType) -> usize {
    match dtype {
        DType::Str => 1,
        dtype => dtype.bytes(),
    }
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
    let Buffer::Str(texts) = array.buffer() else {
        return little_endian::append(array, out);
    };
    out.extend(
        texts
            .iter()
            .flat_map(|text| (text.len() as u64).to_le_bytes()),
    );
    out.extend(texts.iter().flat_map(|text| text.as_bytes()));
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
    little_endian::array(dtype, shape, bytes).ok_or_else(|| {
        let length = bytes.len();
        format!("{length} bytes aren't a {dtype} of shape {shape:?}")
    })
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
