//! Dtypes and shapes as messages of TensorFlow, and back.

use graph_ir::types::{Dim, Shape, TensorType};
use graph_kernels::DType;

use super::error::{Error, Result};
use super::proto::tensor_shape_proto::Dim as ProtoDim;
use super::proto::{DataType, TensorShapeProto};

/// Each dtype and its number in TensorFlow.
const DTYPES: [(DType, DataType); 14] = [
    (DType::F32, DataType::DtFloat),
    (DType::F64, DataType::DtDouble),
    (DType::F16, DataType::DtHalf),
    (DType::BF16, DataType::DtBfloat16),
    (DType::I8, DataType::DtInt8),
    (DType::I16, DataType::DtInt16),
    (DType::I32, DataType::DtInt32),
    (DType::I64, DataType::DtInt64),
    (DType::U8, DataType::DtUint8),
    (DType::U16, DataType::DtUint16),
    (DType::U32, DataType::DtUint32),
    (DType::U64, DataType::DtUint64),
    (DType::Bool, DataType::DtBool),
    (DType::Str, DataType::DtString),
];

/// TensorFlow's dtype.
pub(crate) fn data_type(dtype: DType) -> DataType {
    let found = DTYPES.iter().find(|(own, _)| *own == dtype);
    found.map_or(DataType::DtInvalid, |(_, tf)| *tf)
}

/// The dtype with this number.
pub(crate) fn dtype_of(number: i32) -> Result<DType> {
    let found = DTYPES.iter().find(|(_, tf)| *tf as i32 == number);
    found.map(|(own, _)| *own).ok_or_else(|| {
        let name = DataType::try_from(number).map_or("unknown", |tf| tf.as_str_name());
        Error::unsupported(format!("the dtype {name} ({number})"))
    })
}

/// A shape as a message; a size that isn't known is -1.
pub(crate) fn shape_proto(shape: &Shape) -> TensorShapeProto {
    let size = |dim: &Dim| ProtoDim {
        size: dim.map_or(-1, |n| i64::try_from(n).unwrap_or(i64::MAX)),
        name: String::new(),
    };
    TensorShapeProto {
        dim: shape.dims().unwrap_or_default().iter().map(size).collect(),
        unknown_rank: shape.dims().is_none(),
    }
}

/// The most axes of an array in TensorFlow.
const MAX_RANK: usize = 254;

/// The shape of a message; a missing message is an unknown shape.
pub(crate) fn shape_of(proto: Option<&TensorShapeProto>) -> Result<Shape> {
    let Some(proto) = proto.filter(|proto| !proto.unknown_rank) else {
        return Ok(Shape::unknown());
    };
    if proto.dim.len() > MAX_RANK {
        return Err(Error::invalid(format!(
            "a shape of {} axes",
            proto.dim.len()
        )));
    }
    let dim = |dim: &ProtoDim| match dim.size {
        -1 => Ok(None),
        size => usize::try_from(size)
            .map(Some)
            .map_err(|_| Error::invalid(format!("a shape with the size {size}"))),
    };
    let dims: Result<Vec<Dim>> = proto.dim.iter().map(dim).collect();
    Ok(Shape::of(dims?))
}

/// The type that a dtype and a shape describe.
pub(crate) fn tensor_type(dtype: i32, shape: Option<&TensorShapeProto>) -> Result<TensorType> {
    Ok(TensorType::new(dtype_of(dtype)?, shape_of(shape)?))
}
