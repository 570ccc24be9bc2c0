//! The nodes of a graph, in order, in the body that is being written.

use graph_ir::error::{Error, Location, Result};
use graph_ir::graph::{Graph, Node, Op, ValueId};

use super::body::Tensor;
use super::writer::{Effect, Writer};
use super::{flow, messages, ops};

/// The tensors that the values of one graph became.
struct Values(Vec<Option<Tensor>>);

impl Values {
    /// The values of these ids. The graph was verified, so each was defined before.
    fn all(&self, ids: &[ValueId]) -> Vec<Tensor> {
        let value = |id: &ValueId| self.0.get(id.index()).cloned().flatten();
        ids.iter().filter_map(value).collect()
    }
}

/// The error of an op that TensorFlow can't express.
pub(super) fn refused(op: &str, reason: &str, location: &Location) -> Error {
    let text = format!("`{op}` can't be written for TensorFlow: {reason}");
    Error::trace(text, location.clone())
}

/// Writes the nodes of a graph whose inputs are these values, and returns its outputs.
pub(super) fn write(w: &mut Writer, graph: &Graph, inputs: Vec<Tensor>) -> Result<Vec<Tensor>> {
    let mut values = Values(vec![None; graph.values.len()]);
    for (id, input) in graph.inputs.iter().zip(inputs) {
        values.0[id.index()] = Some(input);
    }
    for node in &graph.nodes {
        let operands = values.all(&node.inputs);
        let outputs = write_node(w, graph, node, operands)?;
        for (id, output) in node.outputs.iter().zip(outputs) {
            values.0[id.index()] = Some(output);
        }
    }
    Ok(values.all(&graph.outputs))
}

fn write_node(w: &mut Writer, graph: &Graph, node: &Node, x: Vec<Tensor>) -> Result<Vec<Tensor>> {
    let refused = |reason: &str| refused(node.op.name(), reason, &node.location);
    match &node.op {
        Op::Constant(array) => Ok(vec![Tensor::constant(array.clone())]),
        Op::Primitive(op, attrs) => {
            let Some(output) = node.outputs.first() else {
                return Err(refused("it has no output"));
            };
            let output = ops::write(w, op, &x, attrs, graph.ty(*output));
            output
                .map(|output| vec![output])
                .map_err(|reason| refused(&reason))
        }
        Op::ReadVariable(id) => read(w, id.index())
            .map(|value| vec![value])
            .ok_or_else(|| refused(NO_HANDLE)),
        Op::AssignVariable(id) => assign(w, id.index(), &x).ok_or_else(|| refused(NO_HANDLE)),
        Op::UpdateVariable { variable, body } => {
            let mut operands = vec![read(w, variable.index()).ok_or_else(|| refused(NO_HANDLE))?];
            operands.extend(x);
            let new = write(w, body, operands)?;
            assign(w, variable.index(), &new).ok_or_else(|| refused(NO_HANDLE))
        }
        Op::Fusion { body } => write(w, body, x),
        Op::Cond { .. } | Op::SwitchCase { .. } => flow::write_choice(w, graph, node, &x),
        Op::WhileLoop { cond, body } => flow::write_loop(w, node, [cond, body], x),
        Op::Call {
            name,
            graph,
            variables,
        } => flow::write_call(w, node, (name, graph), variables, &x),
        Op::Print(print) => messages::print(w, print, &x).map_err(|reason| refused(&reason)),
        Op::Assert(message) => Ok(messages::assert(w, message, &x)),
        Op::Summary(_) => Err(refused(
            "a summary needs a writer, which a model in a file doesn't have",
        )),
        Op::NextSeed(seed) => Ok(vec![ops::next_seed(w, *seed)]),
        Op::Iteration(_) => Err(refused("a SavedModel holds no datasets of this kind")),
    }
}

const NO_HANDLE: &str = "the variable isn't in the graph's table";

/// Reads a variable.
fn read(w: &mut Writer, variable: usize) -> Option<Tensor> {
    let handle = w.body.variables.get(variable)?.clone()?;
    let ty = handle.info.ty.clone();
    Some(
        w.op("ReadVariableOp", &[&handle])
            .effect(Effect::Read)
            .gives(ty),
    )
}

/// Assigns a value to a variable.
fn assign(w: &mut Writer, variable: usize, value: &[Tensor]) -> Option<Vec<Tensor>> {
    let handle = w.body.variables.get(variable)?.clone()?;
    let assign = w.op("AssignVariableOp", &[&handle, value.first()?]);
    Some(assign.effect(Effect::Write).give(&[]))
}
