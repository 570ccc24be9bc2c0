//! The nodes of a function or of the main graph, in an order in which each follows those that it needs.

use rustc_hash::FxHashMap;

use super::Reader;
use super::build::Build;
use super::node::{Node, Value};
use super::{flow, ops};
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::proto::{FunctionDef, NodeDef};
use crate::tensorflow::signatures::{self, ArgType};

/// The most nodes of a graph with everything inside it: a small file may ask for any number, through functions that call each other.
const MAX_NODES: usize = 1 << 18;
/// The deepest nesting of functions.
const MAX_DEPTH: usize = 64;

/// The nodes of a body, by name, and the values of those that have been read.
struct Body<'m> {
    nodes: FxHashMap<&'m str, &'m NodeDef>,
    values: FxHashMap<&'m str, Vec<Value>>,
}

/// What a node's input refers to.
struct Reference<'t> {
    name: &'t str,
    /// The name of the result, in a function.
    result: Option<&'t str>,
    at: usize,
}

fn reference(text: &str) -> Result<Reference<'_>> {
    let mut parts = text.split(':');
    let (name, second, third) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let number = |text: &str| {
        text.parse()
            .map_err(|_| Error::invalid(format!("`{text}` in a reference")))
    };
    Ok(match (second, third) {
        (None, _) => Reference {
            name,
            result: None,
            at: 0,
        },
        (Some(at), None) => match at.parse() {
            Ok(at) => Reference {
                name,
                result: None,
                at,
            },
            Err(_) => Reference {
                name,
                result: Some(at),
                at: 0,
            },
        },
        (Some(result), Some(at)) => Reference {
            name,
            result: Some(result),
            at: number(at)?,
        },
    })
}

/// The node that an input refers to, as a value or for control.
fn source(input: &str) -> &str {
    let name = input.strip_prefix('^').unwrap_or(input);
    name.split(':').next().unwrap_or(name)
}

/// Ops of TensorFlow's first kind of control flow.
const FIRST_CONTROL_FLOW: &[&str] = &[
    "Enter",
    "RefEnter",
    "Exit",
    "Merge",
    "NextIteration",
    "Switch",
    "LoopCond",
];

impl<'m> Reader<'m> {
    /// Reads a function's nodes into a graph, with these arguments, and returns its results.
    pub(super) fn call(
        &mut self,
        g: &mut Build,
        name: &str,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>> {
        let function = *self
            .functions
            .get(name)
            .ok_or_else(|| Error::invalid(format!("the function `{name}` is missing")))?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::unsupported(format!(
                "functions nested more than {MAX_DEPTH} deep"
            )));
        }
        let results = self
            .function(g, function, arguments)
            .map_err(|error| error.at(format!("function `{name}`")));
        self.depth -= 1;
        results
    }

    fn function(
        &mut self,
        g: &mut Build,
        function: &'m FunctionDef,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>> {
        let signature = function
            .signature
            .as_ref()
            .ok_or_else(|| Error::invalid("the signature is missing"))?;
        if signature.input_arg.len() != arguments.len() {
            let (own, given) = (signature.input_arg.len(), arguments.len());
            return Err(Error::invalid(format!(
                "it takes {own} arguments, not {given}"
            )));
        }
        let named = signature.input_arg.iter().zip(arguments);
        let values = named
            .map(|(arg, value)| (arg.name.as_str(), vec![value]))
            .collect();
        let returned = signature.output_arg.iter().map(|arg| {
            let source = function.ret.get(&arg.name);
            source
                .map(String::as_str)
                .ok_or_else(|| Error::invalid(format!("the result `{}` is missing", arg.name)))
        });
        let returned: Result<Vec<&str>> = returned.collect();
        let controls = function.control_ret.values().map(String::as_str);
        self.body(g, &function.node_def, values, &returned?, controls)
    }

    /// Reads the nodes that some references need, and returns their values.
    pub(super) fn body(
        &mut self,
        g: &mut Build,
        nodes: &'m [NodeDef],
        values: FxHashMap<&'m str, Vec<Value>>,
        wanted: &[&'m str],
        controls: impl Iterator<Item = &'m str>,
    ) -> Result<Vec<Value>> {
        let mut body = Body {
            nodes: nodes
                .iter()
                .map(|node| (node.name.as_str(), node))
                .collect(),
            values,
        };
        for text in wanted.iter().copied().chain(controls) {
            self.needed(g, &mut body, source(text))?;
        }
        wanted
            .iter()
            .map(|text| self.find_value(&body, text))
            .collect()
    }

    /// Reads a node after all that it needs. The nodes that wait are in a list instead of on the stack.
    fn needed(&mut self, g: &mut Build, body: &mut Body<'m>, name: &'m str) -> Result<()> {
        // Each node that waits, and how many of its inputs have been looked at.
        let mut pending = vec![(name, 0)];
        let mut waiting = rustc_hash::FxHashSet::default();
        while let Some((name, next)) = pending.pop() {
            if body.values.contains_key(name) {
                continue;
            }
            let node = *body
                .nodes
                .get(name)
                .ok_or_else(|| Error::invalid(format!("there is no node `{name}`")))?;
            if FIRST_CONTROL_FLOW.contains(&node.op.as_str()) {
                return Err(first_control_flow(node));
            }
            match node.input.get(next) {
                Some(input) => {
                    waiting.insert(name);
                    pending.push((name, next + 1));
                    let needed = source(input);
                    if !body.values.contains_key(needed) {
                        if waiting.contains(needed) {
                            return Err(Error::invalid(format!("node `{name}` needs itself")));
                        }
                        pending.push((needed, 0));
                    }
                }
                None => {
                    waiting.remove(name);
                    let values = self
                        .node(g, body, node)
                        .map_err(|error| error.at(format!("node `{name}` ({})", node.op)))?;
                    body.values.insert(name, values);
                }
            }
        }
        Ok(())
    }

    fn node(&mut self, g: &mut Build, body: &Body<'m>, def: &'m NodeDef) -> Result<Vec<Value>> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(Error::unsupported(format!(
                "a model of more than {MAX_NODES} nodes"
            )));
        }
        let data = def.input.iter().filter(|input| !input.starts_with('^'));
        let inputs: Result<Vec<Value>> = data.map(|input| self.find_value(body, input)).collect();
        let node = Node {
            def,
            inputs: inputs?,
        };
        if let Some(values) = flow::read(self, g, &node)? {
            return Ok(values);
        }
        ops::read(self, g, &node)
    }
}

fn first_control_flow(node: &NodeDef) -> Error {
    Error::unsupported(format!(
        "node `{}` ({}): control flow of TensorFlow's first version. `convert_variables_to_constants_v2(f, lower_control_flow=False)`, or saving the \
         function as a SavedModel, keeps loops and branches as functions",
        node.name, node.op
    ))
}

impl Reader<'_> {
    /// The value that an input refers to.
    fn find_value(&self, body: &Body<'_>, text: &str) -> Result<Value> {
        let missing = || Error::invalid(format!("`{text}` refers to nothing"));
        let Reference { name, result, at } = reference(text)?;
        let values = body.values.get(name).ok_or_else(missing)?;
        let first = match (result, body.nodes.get(name)) {
            (Some(result), Some(node)) => self.first_of(node, result).ok_or_else(missing)?,
            _ => 0,
        };
        let value = first.checked_add(at).and_then(|at| values.get(at));
        value.cloned().ok_or_else(missing)
    }

    /// The position of a result among all tensors that a node gives.
    fn first_of(&self, node: &NodeDef, result: &str) -> Option<usize> {
        if let Some(function) = self.functions.get(node.op.as_str()) {
            let mut outputs = function.signature.as_ref()?.output_arg.iter();
            return outputs.position(|arg| arg.name == result);
        }
        let Some(signature) = signatures::find(&node.op) else {
            return Some(0);
        };
        let at = signature
            .outputs
            .iter()
            .position(|arg| arg.name == result)?;
        // Results before a list are single tensors.
        let before = &signature.outputs[..at];
        let is_single = |ty: ArgType| matches!(ty, ArgType::Fixed(_) | ArgType::Attr(_));
        before.iter().all(|arg| is_single(arg.ty)).then_some(at)
    }
}
