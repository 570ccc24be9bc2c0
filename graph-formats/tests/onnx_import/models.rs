//! Builds models, and runs them.

use std::io;

use graph_formats::onnx::proto::attribute_proto::AttributeType;
use graph_formats::onnx::proto::tensor_shape_proto::{Dimension, dimension};
use graph_formats::onnx::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};
use graph_formats::onnx::{Data, Error, Model};
use graph_ir::device::Host;
use graph_ir::print::PrintTo;
use graph_kernels::Array;
use prost::Message;

/// ONNX's numbers of element types.
pub const FLOAT: i32 = 1;
pub const INT64: i32 = 7;
pub const BOOL: i32 = 9;

pub fn node(
    op: &str,
    inputs: &[&str],
    outputs: &[&str],
    attributes: Vec<AttributeProto>,
) -> NodeProto {
    let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect();
    NodeProto {
        op_type: op.to_owned(),
        input: names(inputs),
        output: names(outputs),
        attribute: attributes,
        ..NodeProto::default()
    }
}

pub fn int(name: &str, value: i64) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        i: Some(value),
        r#type: AttributeType::Int as i32,
        ..AttributeProto::default()
    }
}

pub fn ints(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        ints: values.to_vec(),
        r#type: AttributeType::Ints as i32,
        ..AttributeProto::default()
    }
}

pub fn float(name: &str, value: f32) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        f: Some(value),
        r#type: AttributeType::Float as i32,
        ..AttributeProto::default()
    }
}

pub fn float_list(name: &str, values: &[f32]) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        floats: values.to_vec(),
        r#type: AttributeType::Floats as i32,
        ..AttributeProto::default()
    }
}

pub fn text(name: &str, value: &str) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        s: Some(value.as_bytes().to_vec()),
        r#type: AttributeType::String as i32,
        ..AttributeProto::default()
    }
}

pub fn texts(name: &str, values: &[&str]) -> AttributeProto {
    let bytes = values.iter().map(|value| value.as_bytes().to_vec());
    AttributeProto {
        name: name.to_owned(),
        strings: bytes.collect(),
        r#type: AttributeType::Strings as i32,
        ..AttributeProto::default()
    }
}

pub fn subgraph(name: &str, graph: GraphProto) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        g: Some(graph),
        r#type: AttributeType::Graph as i32,
        ..AttributeProto::default()
    }
}

/// An input or output; -1 is a size that isn't known.
pub fn info(name: &str, elem_type: i32, sizes: &[i64]) -> ValueInfoProto {
    let dim = |n: &i64| Dimension {
        value: (*n >= 0).then_some(dimension::Value::DimValue(*n)),
        ..Dimension::default()
    };
    let shape = TensorShapeProto {
        dim: sizes.iter().map(dim).collect(),
    };
    let tensor = type_proto::OfTensor {
        elem_type,
        shape: Some(shape),
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

/// An output of unknown shape.
pub fn open(name: &str, elem_type: i32) -> ValueInfoProto {
    let mut open = info(name, elem_type, &[]);
    if let Some(TypeProto {
        value: Some(type_proto::Value::TensorType(tensor)),
        ..
    }) = &mut open.r#type
    {
        tensor.shape = None;
    }
    open
}

pub fn floats(name: &str, dims: &[i64], values: &[f32]) -> TensorProto {
    TensorProto {
        name: name.to_owned(),
        dims: dims.to_vec(),
        data_type: FLOAT,
        float_data: values.to_vec(),
        ..TensorProto::default()
    }
}

pub fn graph(
    inputs: Vec<ValueInfoProto>,
    nodes: Vec<NodeProto>,
    outputs: Vec<ValueInfoProto>,
) -> GraphProto {
    GraphProto {
        name: "g".to_owned(),
        input: inputs,
        node: nodes,
        output: outputs,
        ..GraphProto::default()
    }
}

pub fn model(graph: GraphProto) -> ModelProto {
    ModelProto {
        ir_version: 9,
        opset_import: vec![OperatorSetIdProto {
            domain: String::new(),
            version: 18,
        }],
        graph: Some(graph),
        ..ModelProto::default()
    }
}

pub fn read(model: &ModelProto) -> Result<Model, Error> {
    Model::from_bytes(&model.encode_to_vec())
}

/// A host of models without effects.
pub struct Silent;

impl Host for Silent {
    fn print(&mut self, _: &str, _: &PrintTo) -> io::Result<()> {
        Ok(())
    }

    fn next_seed(&mut self, _: Option<i64>) -> [i64; 2] {
        [0, 0]
    }
}

/// The tensors that a model gives.
pub fn run(model: &ModelProto, arguments: impl IntoIterator<Item = Array>) -> Vec<Array> {
    let arguments: Vec<Data> = arguments.into_iter().map(Data::from).collect();
    let results = read(model).unwrap().call(&arguments, &mut Silent).unwrap();
    let tensor = |data: Data| match data {
        Data::Tensor(array) => (*array).clone(),
        other => panic!("{other:?} is no tensor"),
    };
    results.into_iter().map(tensor).collect()
}
