//! Types of values in a model: element types by ONNX's numbers, and declared types of inputs and outputs.

use graph_ir::types::{Dim, Shape, TensorType};
use graph_kernels::DType;

use super::error::{Result, invalid, unsupported};
use crate::onnx::proto::tensor_proto::DataType;
use crate::onnx::proto::tensor_shape_proto::dimension;
use crate::onnx::proto::{TensorShapeProto, TypeProto, ValueInfoProto, type_proto};

/// The largest rank that is accepted.
pub(crate) const MAX_RANK: usize = 64;

/// The dtype with ONNX's number.
pub(crate) fn dtype(number: i32) -> Result<DType> {
    let Ok(code) = DataType::try_from(number) else {
        return invalid(format!("{number} is not an element type"));
    };
    Ok(match code {
        DataType::Undefined => return invalid("the element type is not given"),
        DataType::Float => DType::F32,
        DataType::Uint8 => DType::U8,
        DataType::Int8 => DType::I8,
        DataType::Uint16 => DType::U16,
        DataType::Int16 => DType::I16,
        DataType::Int32 => DType::I32,
        DataType::Int64 => DType::I64,
        DataType::String => DType::Str,
        DataType::Bool => DType::Bool,
        DataType::Float16 => DType::F16,
        DataType::Double => DType::F64,
        DataType::Uint32 => DType::U32,
        DataType::Uint64 => DType::U64,
        DataType::Bfloat16 => DType::BF16,
        other => {
            return unsupported(format!(
                "there is no dtype {}",
                other.as_str_name().to_lowercase()
            ));
        }
    })
}

/// The dtype of an attribute that holds ONNX's number.
pub(crate) fn dtype_of(number: i64) -> Result<DType> {
    i32::try_from(number).map_or_else(
        |_| invalid(format!("{number} is not an element type")),
        dtype,
    )
}

/// The declared type of an input or output.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// A tensor.
    Tensor(TensorType),
    /// A list of tensors, of any length.
    Sequence(TensorType),
    /// A value of the type, or none.
    Optional(Box<Type>),
}

impl Type {
    /// The dtype of the tensors.
    pub(crate) fn dtype(&self) -> DType {
        match self {
            Type::Tensor(ty) | Type::Sequence(ty) => ty.dtype,
            Type::Optional(ty) => ty.dtype(),
        }
    }
}

/// An input or output of a model: its name, its type, and the names of its symbolic sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// The declared type.
    pub ty: Type,
    /// For each axis, the name of its size, if the model gives one.
    pub symbols: Vec<Option<String>>,
}

impl Parameter {
    /// Reads a declaration of a graph's input or output.
    pub(crate) fn read(info: &ValueInfoProto) -> Result<Parameter> {
        let Some(ty) = &info.r#type else {
            return invalid(format!("`{}` has no type", info.name));
        };
        let place = format!("`{}`", info.name);
        Ok(Parameter {
            name: info.name.clone(),
            ty: read(ty).map_err(|fault| fault.at(&place))?,
            symbols: symbols(ty),
        })
    }
}

/// Reads a declared type.
pub(crate) fn read(ty: &TypeProto) -> Result<Type> {
    match &ty.value {
        Some(type_proto::Value::TensorType(tensor)) => Ok(Type::Tensor(TensorType::new(
            dtype(tensor.elem_type)?,
            shape(tensor.shape.as_ref())?,
        ))),
        Some(type_proto::Value::SequenceType(sequence)) => {
            match sequence.elem_type.as_deref().map(read).transpose()? {
                Some(Type::Tensor(item)) => Ok(Type::Sequence(item)),
                _ => unsupported("a sequence of something else than tensors"),
            }
        }
        Some(type_proto::Value::OptionalType(optional)) => {
            match optional.elem_type.as_deref().map(read).transpose()? {
                Some(ty) => Ok(Type::Optional(Box::new(ty))),
                None => invalid("an optional type without its element type"),
            }
        }
        Some(type_proto::Value::MapType(_)) => unsupported("maps"),
        Some(type_proto::Value::SparseTensorType(_)) => unsupported("sparse tensors as values"),
        None => invalid("the type is not given"),
    }
}

fn shape(shape: Option<&TensorShapeProto>) -> Result<Shape> {
    let Some(shape) = shape else {
        return Ok(Shape::unknown());
    };
    if shape.dim.len() > MAX_RANK {
        return invalid(format!("a rank of {}", shape.dim.len()));
    }
    let dims: Result<Vec<Dim>> = shape
        .dim
        .iter()
        .map(|dim| size(dim.value.as_ref()))
        .collect();
    Ok(Shape::of(dims?))
}

fn size(dim: Option<&dimension::Value>) -> Result<Dim> {
    match dim {
        Some(dimension::Value::DimValue(n)) => match usize::try_from(*n) {
            Ok(n) => Ok(Some(n)),
            Err(_) => invalid(format!("an axis of size {n}")),
        },
        Some(dimension::Value::DimParam(_)) | None => Ok(None),
    }
}

fn symbols(ty: &TypeProto) -> Vec<Option<String>> {
    let Some(type_proto::Value::TensorType(tensor)) = &ty.value else {
        return Vec::new();
    };
    let dims = tensor.shape.iter().flat_map(|shape| &shape.dim);
    dims.map(|dim| match &dim.value {
        Some(dimension::Value::DimParam(name)) if !name.is_empty() => Some(name.clone()),
        _ => None,
    })
    .collect()
}
