//! Builds graphs of TensorFlow node by node, and runs them.

use graph_formats::tensorflow::graph_of;
use graph_formats::tensorflow::proto::attr_value::Value;
use graph_formats::tensorflow::proto::{
    AttrValue, FunctionDef, FunctionDefLibrary, GraphDef, NameAttrList, NodeDef, OpDef,
    op_def::ArgDef,
};
use graph_kernels::Array;

use crate::Failure;
use crate::values::{constant, run};

pub fn attribute(value: Value) -> AttrValue {
    AttrValue { value: Some(value) }
}

pub fn node(name: &str, op: &str, inputs: &[&str], attributes: &[(&str, Value)]) -> NodeDef {
    let attributes = attributes.iter().cloned();
    NodeDef {
        name: name.to_owned(),
        op: op.to_owned(),
        input: inputs.iter().map(|input| (*input).to_owned()).collect(),
        attr: attributes
            .map(|(name, value)| (name.to_owned(), attribute(value)))
            .collect(),
        ..NodeDef::default()
    }
}

/// Constants with names.
pub fn constants(all: Vec<(&str, Array)>) -> Vec<NodeDef> {
    let all = all.into_iter();
    all.map(|(name, array)| constant(name, array).unwrap())
        .collect()
}

/// A function whose arguments and results have these names and TensorFlow's dtypes.
pub fn function(
    name: &str,
    arguments: &[(&str, i32)],
    nodes: Vec<NodeDef>,
    results: &[(&str, i32, &str)],
) -> FunctionDef {
    let arg = |name: &str, dtype: i32| ArgDef {
        name: name.to_owned(),
        r#type: dtype,
        ..ArgDef::default()
    };
    let pair = |(name, _, from): &(&str, i32, &str)| ((*name).to_owned(), (*from).to_owned());
    FunctionDef {
        signature: Some(OpDef {
            name: name.to_owned(),
            input_arg: arguments.iter().map(|(n, dtype)| arg(n, *dtype)).collect(),
            output_arg: results.iter().map(|(n, dtype, _)| arg(n, *dtype)).collect(),
            ..OpDef::default()
        }),
        node_def: nodes,
        ret: results.iter().map(pair).collect(),
        ..FunctionDef::default()
    }
}

/// A call of a function.
pub fn call(name: &str, function: &str, inputs: &[&str]) -> NodeDef {
    let list = NameAttrList {
        name: function.to_owned(),
        ..NameAttrList::default()
    };
    node(name, "PartitionedCall", inputs, &[("f", Value::Func(list))])
}

pub fn graph(nodes: Vec<NodeDef>, functions: Vec<FunctionDef>) -> GraphDef {
    GraphDef {
        node: nodes,
        library: Some(FunctionDefLibrary {
            function: functions,
            ..FunctionDefLibrary::default()
        }),
        ..GraphDef::default()
    }
}

/// The values of outputs of a graph without parameters.
pub fn values_of(def: &GraphDef, outputs: &[&str]) -> Result<Vec<Array>, Failure> {
    run(&graph_of(def, outputs)?, &[], Vec::new())
}
