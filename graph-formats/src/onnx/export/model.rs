//! The model around the main graph: its inputs, outputs, initializers and functions, with their names.

use std::rc::Rc;

use graph_ir::error::{Error, Location, Result};
use graph_ir::graph::{Graph, Value, ValueId};
use graph_ir::passes;
use graph_kernels::Array;

use super::calls::LOCAL;
use super::graphs;
use super::options::{OPSETS, Options, Signature};
use super::tensors::{tensor, value_info};
use super::writer::{Tensor, Writer};
use crate::onnx::proto::{GraphProto, ModelProto, NodeProto, OperatorSetIdProto, ValueInfoProto};

/// The version of ONNX's files: the first with functions.
const IR_VERSION: i64 = 8;

/// The operators that a graph uses: those of a version, and the model's functions.
pub(super) fn opsets(options: &Options, has_functions: bool) -> Vec<OperatorSetIdProto> {
    let opset = |domain: &str, version| OperatorSetIdProto {
        domain: domain.to_owned(),
        version,
    };
    let own = has_functions.then(|| opset(LOCAL, 1));
    [opset("", options.opset)].into_iter().chain(own).collect()
}

/// The model of a graph.
pub(super) fn write(graph: &Graph, signature: &Signature, options: &Options) -> Result<ModelProto> {
    if !OPSETS.contains(&options.opset) {
        let text = format!(
            "models are written in opset 18 to 21, not {}",
            options.opset
        );
        return Err(Error::trace(text, Location::unknown()));
    }
    check_ranks(graph)?;
    let mut needed = graph.clone();
    passes::drop_dead_code(&mut needed);
    let mut w = Writer::new(options.clone());
    let mut proto = GraphProto {
        name: if signature.name.is_empty() {
            "graph".to_owned()
        } else {
            signature.name.clone()
        },
        ..GraphProto::default()
    };
    let inputs = inputs(&mut w, &needed, signature, &mut proto);
    w.body.variables = variables(&mut w, &needed, signature, &mut proto);
    let mut names = output_names(&mut w, needed.outputs.len(), signature);
    let before = w.body.variables.clone();
    let mut results = graphs::write(&mut w, &needed, inputs)?;
    for (old, new) in before.iter().zip(w.body.variables.clone()) {
        if old.name != new.name {
            names.push(w.body.names.unique(&format!("{}_new", old.name)));
            results.push(new);
        }
    }
    if results.is_empty() {
        let text = "the function has no result and writes no variable, so there is nothing that a model could give";
        return Err(Error::trace(text, Location::unknown()));
    }
    proto.output = outputs(&mut w, &results, &names);
    proto.initializer.append(&mut w.body.constants);
    proto.node = w.body.nodes;
    let functions = w.functions.written;
    Ok(ModelProto {
        ir_version: IR_VERSION,
        producer_name: env!("CARGO_PKG_NAME").to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        graph: Some(proto),
        opset_import: opsets(options, !functions.is_empty()),
        functions,
        ..ModelProto::default()
    })
}

/// Fails if a rank isn't known: a model says the rank of each input and output.
fn check_ranks(graph: &Graph) -> Result<()> {
    let unknown = |id: &&ValueId| graph.ty(**id).shape.rank().is_none();
    if let Some(id) = graph.inputs.iter().find(unknown) {
        let name = graph.values[id.index()]
            .name
            .as_deref()
            .unwrap_or("an input");
        let text = format!(
            "a model of ONNX says the rank of `{name}`, which isn't known here: `TensorSpec::new(&[None, ..])` gives one"
        );
        return Err(Error::trace(text, Location::unknown()));
    }
    if let Some(id) = graph.outputs.iter().find(unknown) {
        let mut nodes = graph.nodes.iter();
        let node = nodes.find(|node| node.outputs.contains(id));
        let location = node.map_or_else(Location::unknown, |node| node.location.clone());
        let text = "a model of ONNX says the rank of each result, and this one's isn't known: `relax_shape(&[None, ..])` says it";
        return Err(Error::trace(text, location));
    }
    Ok(())
}

/// The graph's inputs: those of the model, then what was captured.
fn inputs(
    w: &mut Writer,
    graph: &Graph,
    signature: &Signature,
    proto: &mut GraphProto,
) -> Vec<Tensor> {
    let given = graph.inputs.len().saturating_sub(signature.captured.len());
    let mut all = Vec::new();
    for (n, id) in graph.inputs.iter().enumerate() {
        let value = &graph.values[id.index()];
        let name = signature
            .inputs
            .get(n)
            .map(String::as_str)
            .or(value.name.as_deref());
        let captured = n.checked_sub(given).map(|n| &*signature.captured[n]);
        let name = name.unwrap_or(if captured.is_some() { "captured" } else { "x" });
        all.push(add(w, name, value, captured, proto));
    }
    all
}

fn variables(
    w: &mut Writer,
    graph: &Graph,
    signature: &Signature,
    proto: &mut GraphProto,
) -> Vec<Tensor> {
    let mut all = Vec::new();
    for (n, variable) in graph.variables.iter().enumerate() {
        let value = signature.variables.get(n).and_then(Option::as_deref);
        let name = variable.name.as_deref().unwrap_or("variable");
        all.push(add(w, name, variable, value, proto));
    }
    all
}

/// Adds an initializer if there is a value, otherwise an input.
fn add(
    w: &mut Writer,
    name: &str,
    of: &Value,
    value: Option<&Array>,
    proto: &mut GraphProto,
) -> Tensor {
    let name = w.body.names.unique(name);
    match value {
        Some(array) => proto.initializer.push(tensor(array, &name)),
        None => proto.input.push(value_info(&name, &of.ty)),
    }
    Tensor::new(name, of.ty.clone())
}

/// The names of the outputs, which no other value gets.
fn output_names(w: &mut Writer, count: usize, signature: &Signature) -> Vec<Rc<str>> {
    let name = |n: usize| match signature.outputs.get(n) {
        Some(name) => w.body.names.unique(name),
        None if count == 1 => w.body.names.unique("output"),
        None => w.body.names.unique(&format!("output_{n}")),
    };
    (0..count).map(name).collect()
}

/// The results under the names that users see.
fn outputs(w: &mut Writer, results: &[Tensor], names: &[Rc<str>]) -> Vec<ValueInfoProto> {
    w.body.line = String::new();
    let results = w.as_results(results);
    let mut outputs = Vec::new();
    for (result, name) in results.iter().zip(names) {
        rename(&mut w.body.nodes, &result.name, name);
        outputs.push(value_info(name, &result.ty));
    }
    outputs
}

/// Renames a value in all nodes, those of the graphs inside them included.
fn rename(nodes: &mut [NodeProto], from: &str, to: &str) {
    for node in nodes {
        for name in node.input.iter_mut().chain(&mut node.output) {
            if name == from {
                to.clone_into(name);
            }
        }
        for graph in node
            .attribute
            .iter_mut()
            .filter_map(|attribute| attribute.g.as_mut())
        {
            rename(&mut graph.node, from, to);
        }
    }
}
