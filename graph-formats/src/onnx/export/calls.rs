//! Calls: a called graph becomes a function of the model. Its variables are further inputs, and the ones that it writes further outputs.

use std::mem;
use std::rc::Rc;

use graph_ir::error::Result;
use graph_ir::graph::{Graph, Op, SharedGraph, Value, VariableId};
use graph_ir::types::TensorType;
use rustc_hash::FxHashMap;

use super::graphs;
use super::model::opsets;
use super::writer::{Body, Names, Tensor, Writer};
use crate::onnx::proto::attribute_proto::AttributeType;
use crate::onnx::proto::{AttributeProto, FunctionProto, NodeProto, TensorProto};

/// The domain of the model's own functions.
pub(super) const LOCAL: &str = "local";

/// The functions of the model.
#[derive(Default)]
pub(super) struct Functions {
    names: Names,
    /// In the order in which they were completed, so that a function comes before those that call it.
    pub written: Vec<FunctionProto>,
    known: FxHashMap<*const Graph, Rc<Function>>,
}

/// A function that was written.
struct Function {
    name: Rc<str>,
    /// The variables of its graph that it takes, and those whose new values it returns.
    takes: Vec<usize>,
    writes: Vec<usize>,
    results: Vec<TensorType>,
    /// Keeps the graph, so that no other has its address.
    _graph: SharedGraph,
}

/// Writes a call of a graph. `variables` are the caller's variables that are those of the called graph.
pub(super) fn write(
    w: &mut Writer,
    name: &str,
    graph: &SharedGraph,
    variables: &[VariableId],
    operands: Vec<Tensor>,
) -> Result<Vec<Tensor>> {
    let line = w.body.line.clone();
    let function = function(w, name, graph)?;
    w.body.line = line;
    if function.results.is_empty() {
        return Ok(Vec::new());
    }
    let outer = |id: &usize| variables[*id].index();
    let taken = function.takes.iter().map(|id| &w.body.variables[outer(id)]);
    let operands: Vec<Tensor> = operands.iter().chain(taken).cloned().collect();
    let operands: Vec<&Tensor> = operands.iter().collect();
    let call = w.op(&function.name, &operands);
    let mut results = call.in_domain(LOCAL, &function.results);
    let new = results.split_off(function.results.len() - function.writes.len());
    for (id, new) in function.writes.iter().zip(new) {
        w.body.variables[outer(id)].name = new.name;
    }
    Ok(results)
}

/// The function of a graph; each graph is written once.
fn function(w: &mut Writer, name: &str, graph: &SharedGraph) -> Result<Rc<Function>> {
    if let Some(known) = w.functions.known.get(&graph.as_ptr()) {
        return Ok(known.clone());
    }
    let caller = mem::take(&mut w.body);
    let written = write_function(w, name, graph);
    w.body = caller;
    let function = Rc::new(written?);
    w.functions.known.insert(graph.as_ptr(), function.clone());
    Ok(function)
}

fn write_function(w: &mut Writer, name: &str, graph: &SharedGraph) -> Result<Function> {
    let all = 0..graph.variables.len();
    let any = |test: fn(&Op, VariableId) -> bool, id: usize| {
        graph
            .nodes
            .iter()
            .any(|node| test(&node.op, VariableId(id as u32)))
    };
    let writes: Vec<usize> = all.clone().filter(|id| any(Op::writes, *id)).collect();
    let takes: Vec<usize> = all
        .filter(|id| writes.contains(id) || any(Op::reads, *id))
        .collect();
    let names = &mut w.body.names;
    let mut input = |value: &Value| {
        let name = value.name.as_deref().unwrap_or("x");
        Tensor::new(names.unique(name), value.ty.clone())
    };
    let inputs: Vec<Tensor> = graph
        .inputs
        .iter()
        .map(|id| input(&graph.values[id.index()]))
        .collect();
    let variables: Vec<Tensor> = graph.variables.iter().map(&mut input).collect();
    w.body.variables.clone_from(&variables);
    let mut results = graphs::write(w, graph, inputs.clone())?;
    results.extend(writes.iter().map(|id| w.body.variables[*id].clone()));
    let results = w.as_results(&results);

    let name = w.functions.names.unique(&identifier(name));
    let taken = takes.iter().map(|id| &variables[*id]);
    let text = |value: &Tensor| value.name.to_string();
    let body = mem::take(&mut w.body);
    w.functions.written.push(FunctionProto {
        name: name.to_string(),
        domain: LOCAL.to_owned(),
        input: inputs.iter().chain(taken).map(text).collect(),
        output: results.iter().map(text).collect(),
        node: nodes(body),
        opset_import: opsets(&w.options, true),
        ..FunctionProto::default()
    });
    Ok(Function {
        name,
        takes,
        writes,
        results: results.iter().map(|result| result.ty.clone()).collect(),
        _graph: graph.clone(),
    })
}

/// A name of letters, digits and underscores.
fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    name.chars().map(plain).collect()
}

/// The nodes of a function. It has no initializers, so its constants are nodes.
fn nodes(body: Body) -> Vec<NodeProto> {
    let constants = body.constants.into_iter().map(constant);
    constants.chain(body.nodes).collect()
}

fn constant(mut tensor: TensorProto) -> NodeProto {
    let output = mem::take(&mut tensor.name);
    NodeProto {
        output: vec![output],
        op_type: "Constant".to_owned(),
        attribute: vec![AttributeProto {
            name: "value".to_owned(),
            r#type: AttributeType::Tensor as i32,
            t: Some(tensor),
            ..AttributeProto::default()
        }],
        ..NodeProto::default()
    }
}
