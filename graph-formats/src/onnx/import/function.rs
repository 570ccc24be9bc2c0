//! Calls of functions of the model: their nodes are read with the operands in place of their inputs.

use prost::Message;
use rustc_hash::FxHashMap;

use super::build::Build;
use super::error::{Result, invalid, unsupported};
use super::scope::opsets;
use super::value::Value;
use crate::onnx::proto::{AttributeProto, FunctionProto, GraphProto, NodeProto};

/// The deepest nesting of calls and subgraphs.
const MAX_DEPTH: usize = 100;

/// Reads a function's nodes for one call.
pub(crate) fn call(
    function: &FunctionProto,
    node: &NodeProto,
    inputs: Vec<Option<Value>>,
    g: &mut Build<'_>,
) -> Result<Vec<Value>> {
    if inputs.len() > function.input.len() || node.output.len() > function.output.len() {
        return invalid("the function has fewer inputs or outputs");
    }
    let depth = g.scopes.depth();
    if depth > MAX_DEPTH {
        return unsupported(format!("calls nested more than {MAX_DEPTH} deep"));
    }
    g.copy(function.encoded_len())?;
    let attributes = attributes(function, node)?;
    let nodes: Result<Vec<NodeProto>> = function
        .node
        .iter()
        .map(|node| bound(node, &attributes))
        .collect();
    let nodes = nodes?;
    g.scopes.enter_closed(opsets(&function.opset_import)?);
    let outputs = body(function, &nodes, inputs, g);
    g.scopes.leave_to(depth);
    outputs
}

fn body(
    function: &FunctionProto,
    nodes: &[NodeProto],
    inputs: Vec<Option<Value>>,
    g: &mut Build<'_>,
) -> Result<Vec<Value>> {
    let given = inputs.into_iter().chain(std::iter::repeat(None));
    for (name, value) in function.input.iter().zip(given) {
        g.scopes.define(name, value.unwrap_or(Value::Absent))?;
    }
    g.nodes(nodes)?;
    function
        .output
        .iter()
        .map(|name| g.scopes.find(name))
        .collect()
}

/// The attributes that the function's nodes refer to, by name: the call's, or the defaults.
type Given<'a> = FxHashMap<&'a str, &'a AttributeProto>;

fn attributes<'a>(function: &'a FunctionProto, node: &'a NodeProto) -> Result<Given<'a>> {
    let mut given: Given<'a> = Given::default();
    given.extend(
        function
            .attribute_proto
            .iter()
            .map(|a| (a.name.as_str(), a)),
    );
    for attribute in &node.attribute {
        let name = attribute.name.as_str();
        if !given.contains_key(name) && !function.attribute.iter().any(|a| a == name) {
            return unsupported(format!("the attribute `{name}`"));
        }
        given.insert(name, attribute);
    }
    Ok(given)
}

/// The node with attributes in place of references to them.
fn bound(node: &NodeProto, given: &Given<'_>) -> Result<NodeProto> {
    let mut node = node.clone();
    let attributes = std::mem::take(&mut node.attribute);
    node.attribute = attributes
        .into_iter()
        .map(|attribute| bound_attribute(attribute, given))
        .filter_map(Result::transpose)
        .collect::<Result<_>>()?;
    Ok(node)
}

/// The attribute, or what it refers to: nothing, if the call doesn't give it.
fn bound_attribute(
    mut attribute: AttributeProto,
    given: &Given<'_>,
) -> Result<Option<AttributeProto>> {
    if !attribute.ref_attr_name.is_empty() {
        let found = given.get(attribute.ref_attr_name.as_str());
        return Ok(found.map(|found| AttributeProto {
            name: attribute.name,
            ..(*found).clone()
        }));
    }
    if let Some(graph) = attribute.g.take() {
        attribute.g = Some(bound_graph(graph, given)?);
    }
    Ok(Some(attribute))
}

fn bound_graph(mut graph: GraphProto, given: &Given<'_>) -> Result<GraphProto> {
    let nodes = std::mem::take(&mut graph.node);
    graph.node = nodes
        .iter()
        .map(|node| bound(node, given))
        .collect::<Result<_>>()?;
    Ok(graph)
}
