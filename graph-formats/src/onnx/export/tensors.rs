//! Arrays and types as messages of ONNX.

use graph_ir::types::{Shape, TensorType};
use graph_kernels::{Array, Buffer, DType};

use crate::little_endian;
use crate::onnx::proto::tensor_proto::DataType;
use crate::onnx::proto::tensor_shape_proto::{Dimension, dimension};
use crate::onnx::proto::type_proto::{self, OfTensor};
use crate::onnx::proto::{TensorProto, TensorShapeProto, TypeProto, ValueInfoProto};

/// The number that ONNX gives a dtype.
pub(super) fn data_type(dtype: DType) -> DataType {
    match dtype {
        DType::F32 => DataType::Float,
        DType::F64 => DataType::Double,
        DType::F16 => DataType::Float16,
        DType::BF16 => DataType::Bfloat16,
        DType::I8 => DataType::Int8,
        DType::I16 => DataType::Int16,
        DType::I32 => DataType::Int32,
        DType::I64 => DataType::Int64,
        DType::U8 => DataType::Uint8,
        DType::U16 => DataType::Uint16,
        DType::U32 => DataType::Uint32,
        DType::U64 => DataType::Uint64,
        DType::Bool => DataType::Bool,
        DType::Str => DataType::String,
    }
}

/// An array as a tensor of this name: numbers as little-endian bytes, strings one by one.
pub fn tensor(array: &Array, name: &str) -> TensorProto {
    let mut tensor = TensorProto {
        dims: array.shape().iter().map(|n| *n as i64).collect(),
        data_type: data_type(array.dtype()) as i32,
        name: name.to_owned(),
        ..TensorProto::default()
    };
    match array.buffer() {
        Buffer::Str(texts) => {
            tensor.string_data = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
        }
        _ => little_endian::append(array, tensor.raw_data.insert(Vec::new())),
    }
    tensor
}

/// A value's name with its type. A size that isn't known is named after the value and the axis.
pub(super) fn value_info(name: &str, ty: &TensorType) -> ValueInfoProto {
    let tensor = OfTensor {
        elem_type: data_type(ty.dtype) as i32,
        shape: shape(name, &ty.shape),
    };
    ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(TypeProto {
            value: Some(type_proto::Value::TensorType(tensor)),
            ..TypeProto::default()
        }),
        ..ValueInfoProto::default()
    }
}

fn shape(name: &str, shape: &Shape) -> Option<TensorShapeProto> {
    let dims = shape.dims()?.iter().enumerate();
    let dim = |(axis, size): (usize, &Option<usize>)| Dimension {
        value: Some(match size {
            Some(size) => dimension::Value::DimValue(*size as i64),
            None => dimension::Value::DimParam(format!("{name}_{axis}")),
        }),
        ..Dimension::default()
    };
    Some(TensorShapeProto {
        dim: dims.map(dim).collect(),
    })
}
