//! Constant tensors of a model: initializers and attributes, with their data in the file or beside it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use graph_kernels::{Array, DType, bf16, f16, len_of};

use super::error::{Result, invalid, unsupported};
use super::types::{MAX_RANK, dtype};
use crate::little_endian;
use crate::onnx::proto::tensor_proto::DataLocation;
use crate::onnx::proto::{SparseTensorProto, TensorProto};

/// The most elements of a sparse tensor as a dense one.
const MAX_DENSE: usize = 1 << 24;

/// Where external data may lie: the model's folder, if the model came from a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folder(pub Option<PathBuf>);

/// Reads a tensor.
pub(crate) fn read(tensor: &TensorProto, folder: &Folder) -> Result<Array> {
    let dtype = dtype(tensor.data_type)?;
    let shape = shape(&tensor.dims)?;
    let Some(len) = len_of(&shape) else {
        return invalid(format!("a tensor of shape {shape:?}"));
    };
    if tensor.data_location == Some(DataLocation::External as i32) {
        let bytes = external(tensor, folder, len.saturating_mul(width(dtype)?))?;
        return of_bytes(dtype, &shape, &bytes);
    }
    match &tensor.raw_data {
        Some(_) if dtype == DType::Str => invalid("strings as raw data"),
        Some(bytes) => of_bytes(dtype, &shape, bytes),
        None => of_fields(tensor, dtype, &shape, len),
    }
}

/// The sizes of a shape in the file.
fn shape(dims: &[i64]) -> Result<Vec<usize>> {
    if dims.len() > MAX_RANK {
        return invalid(format!("a tensor of rank {}", dims.len()));
    }
    let sizes: Option<Vec<usize>> = dims.iter().map(|n| usize::try_from(*n).ok()).collect();
    sizes.map_or_else(|| invalid(format!("a tensor of shape {dims:?}")), Ok)
}

/// The number of bytes of an element.
fn width(dtype: DType) -> Result<usize> {
    match dtype {
        DType::Str => invalid("strings as external data"),
        dtype => Ok(dtype.bytes()),
    }
}

/// Decodes little-endian bytes.
fn of_bytes(dtype: DType, shape: &[usize], bytes: &[u8]) -> Result<Array> {
    little_endian::array(dtype, shape, bytes).map_or_else(
        || {
            let length = bytes.len();
            invalid(format!(
                "a tensor {dtype}{shape:?} has {length} bytes of data"
            ))
        },
        Ok,
    )
}

/// Decodes the typed fields.
fn of_fields(tensor: &TensorProto, dtype: DType, shape: &[usize], len: usize) -> Result<Array> {
    macro_rules! field {
        ($field:ident, $value:pat => $read:expr) => {{
            if tensor.$field.len() != len {
                return invalid(format!(
                    "a tensor {dtype}{shape:?} has {} values",
                    tensor.$field.len()
                ));
            }
            Array::copy_of(
                shape,
                &tensor.$field.iter().map(|$value| $read).collect::<Vec<_>>(),
            )
        }};
    }
    Ok(match dtype {
        DType::F32 => field!(float_data, v => *v),
        DType::F64 => field!(double_data, v => *v),
        DType::F16 => field!(int32_data, v => f16::from_bits(*v as u16)),
        DType::BF16 => field!(int32_data, v => bf16::from_bits(*v as u16)),
        DType::I32 => field!(int32_data, v => *v),
        DType::I64 => field!(int64_data, v => *v),
        DType::U8 => field!(int32_data, v => *v as u8),
        DType::I8 => field!(int32_data, v => *v as i8),
        DType::I16 => field!(int32_data, v => *v as i16),
        DType::U16 => field!(int32_data, v => *v as u16),
        DType::U32 => field!(uint64_data, v => *v as u32),
        DType::U64 => field!(uint64_data, v => *v),
        DType::Bool => field!(int32_data, v => *v != 0),
        DType::Str => field!(string_data, v => String::from_utf8_lossy(v).into_owned()),
    })
}

/// Reads data from a file beside the model. The path stays within the model's folder, also through links.
fn external(tensor: &TensorProto, folder: &Folder, expected: usize) -> Result<Vec<u8>> {
    let entry = |key: &str| {
        let mut entries = tensor.external_data.iter();
        entries
            .find(|entry| entry.key == key)
            .map(|entry| entry.value.as_str())
    };
    let number = |key: &str| match entry(key).map(str::parse::<u64>) {
        None => Ok(None),
        Some(Ok(n)) => Ok(Some(n)),
        Some(Err(_)) => invalid(format!("the {key} of external data is not a number")),
    };
    let Some(location) = entry("location") else {
        return invalid("external data without a location");
    };
    let (offset, length) = (number("offset")?.unwrap_or(0), number("length")?);
    if length.is_some_and(|length| length != expected as u64) {
        return invalid("the length of external data isn't that of the tensor");
    }
    let mut file = open(location, folder)?;
    let size = file.metadata().map_or(0, |data| data.len());
    let end = offset.checked_add(expected as u64);
    if end.is_none_or(|end| end > size) {
        return invalid(format!("external data ends after its file `{location}`"));
    }
    if length.is_none() && end != Some(size) {
        return invalid(format!(
            "external data in `{location}` is longer than the tensor"
        ));
    }
    let mut bytes = vec![0; expected];
    let read = file
        .seek(SeekFrom::Start(offset))
        .and_then(|_| file.read_exact(&mut bytes));
    read.map_or_else(
        |error| invalid(format!("`{location}`: {error}")),
        |()| Ok(bytes),
    )
}

fn open(location: &str, folder: &Folder) -> Result<File> {
    let Some(folder) = &folder.0 else {
        return unsupported("external data of a model that isn't read from a file");
    };
    let path = Path::new(location);
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if location.is_empty() || location.contains('\\') || !path.components().all(is_plain) {
        return invalid(format!(
            "external data at `{location}`, outside the model's folder"
        ));
    }
    let places = (folder.canonicalize(), folder.join(path).canonicalize());
    let (Ok(root), Ok(place)) = places else {
        return invalid(format!("there is no external data at `{location}`"));
    };
    if !place.starts_with(&root) || !place.is_file() {
        return invalid(format!(
            "external data at `{location}`, outside the model's folder"
        ));
    }
    File::open(&place).map_or_else(|error| invalid(format!("`{location}`: {error}")), Ok)
}

/// The number of elements of a sparse tensor as a dense one.
pub(crate) fn dense_len(sparse: &SparseTensorProto) -> Result<usize> {
    let shape = shape(&sparse.dims)?;
    match len_of(&shape).filter(|len| *len <= MAX_DENSE) {
        Some(len) => Ok(len),
        None => unsupported(format!("a sparse tensor of shape {shape:?}")),
    }
}

/// Reads a sparse tensor as a dense one.
pub(crate) fn read_sparse(sparse: &SparseTensorProto, folder: &Folder) -> Result<Array> {
    let (Some(values), Some(indices)) = (&sparse.values, &sparse.indices) else {
        return invalid("a sparse tensor without values or indices");
    };
    let (values, indices) = (read(values, folder)?, read(indices, folder)?);
    dense_len(sparse)?;
    let shape = shape(&sparse.dims)?;
    let (Some(indices), [count]) = (
        indices.values::<i64>().map(|v| (indices.shape(), v)),
        values.shape(),
    ) else {
        return invalid("a sparse tensor has int64 indices and a vector of values");
    };
    let positions = positions(indices, *count, &shape)?;
    let mut dense = Array::zeros(values.dtype(), &shape);
    macro_rules! write {
        ($($type:ty)*) => { $(
            if let (Some(from), Some(to)) = (values.values::<$type>(), dense.values_mut::<$type>()) {
                for (at, value) in positions.iter().zip(from) {
                    to[*at] = value.clone();
                }
            }
        )* };
    }
    write!(f32 f64 f16 bf16 i32 i64 u8 i8 i16 u16 u32 u64 bool String);
    Ok(dense)
}

/// The positions in the dense tensor of the values of a sparse one, whose indices are linear or by axis.
fn positions(
    (shape_of_indices, indices): (&[usize], &[i64]),
    count: usize,
    shape: &[usize],
) -> Result<Vec<usize>> {
    let wrong = || invalid("an index of a sparse tensor lies outside it");
    let len: usize = shape.iter().product();
    let within = |at: i64, len: usize| usize::try_from(at).ok().filter(|at| *at < len);
    let found: Option<Vec<usize>> = match shape_of_indices {
        [n] if *n == count => indices.iter().map(|at| within(*at, len)).collect(),
        [n, rank] if *n == count && *rank == shape.len() && *rank > 0 => indices
            .chunks_exact(*rank)
            .map(|row| {
                let mut axes = row.iter().zip(shape);
                axes.try_fold(0, |at, (i, size)| Some(at * size + within(*i, *size)?))
            })
            .collect(),
        _ => return invalid("the indices of a sparse tensor don't fit its values"),
    };
    found.map_or_else(wrong, Ok)
}
