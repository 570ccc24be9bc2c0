//! Calls of functions of the model: their nodes are read with the operands in place of their inputs.

use prost::Message;
use rustc_hash::FxHashMap;

use super::build::Build;
use super::error::{Result, invalid, unsupported};
use super::scope::opsets;
use super::value::Value;
use crate::onnx::proto::{AttributeProto, FunctionProto, GraphProto, NodeProto};

/// The deepest nesting of graphs in an attribute. A file can't nest them deeper, but a call puts graphs in place of references.
const MAX_DEPTH: usize = 32;

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
    g.copy(function.encoded_len())?;
    let given = attributes(function, node)?;
    let mut binding = Binding { given, g };
    let nodes: Result<Vec<NodeProto>> = function
        .node
        .iter()
        .map(|node| binding.node(node, 0))
        .collect();
    let nodes = nodes?;
    let depth = g.scopes.depth();
    g.scopes.enter_closed(opsets(&function.opset_import)?)?;
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

/// Puts attributes in place of references to them.
struct Binding<'a, 'b, 'm> {
    given: Given<'a>,
    g: &'b mut Build<'m>,
}

impl Binding<'_, '_, '_> {
    /// A node that is inside `depth` graphs of attributes.
    fn node(&mut self, node: &NodeProto, depth: usize) -> Result<NodeProto> {
        let mut node = node.clone();
        let attributes = std::mem::take(&mut node.attribute);
        node.attribute = attributes
            .into_iter()
            .map(|attribute| self.attribute(attribute, depth))
            .filter_map(Result::transpose)
            .collect::<Result<_>>()?;
        Ok(node)
    }

    /// The attribute, or what it refers to: nothing, if the call doesn't give it.
    fn attribute(
        &mut self,
        mut attribute: AttributeProto,
        depth: usize,
    ) -> Result<Option<AttributeProto>> {
        if !attribute.ref_attr_name.is_empty() {
            let Some(found) = self.given.get(attribute.ref_attr_name.as_str()) else {
                return Ok(None);
            };
            if depth + found.g.as_ref().map_or(0, nesting) > MAX_DEPTH {
                return unsupported(format!("graphs nested more than {MAX_DEPTH} deep"));
            }
            self.g.copy(found.encoded_len())?;
            return Ok(Some(AttributeProto {
                name: attribute.name,
                ..(*found).clone()
            }));
        }
        if let Some(mut graph) = attribute.g.take() {
            let nodes = std::mem::take(&mut graph.node);
            graph.node = nodes
                .iter()
                .map(|node| self.node(node, depth + 1))
                .collect::<Result<_>>()?;
            attribute.g = Some(graph);
        }
        Ok(Some(attribute))
    }
}

/// How deep graphs nest in a graph, with itself.
fn nesting(graph: &GraphProto) -> usize {
    let attributes = graph.node.iter().flat_map(|node| &node.attribute);
    let inner = attributes.filter_map(|attribute| attribute.g.as_ref());
    1 + inner.map(nesting).max().unwrap_or(0)
}
