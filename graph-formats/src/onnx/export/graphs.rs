//! The nodes of a graph, in order, in the body that is being written.

use graph_ir::error::{Error, Location, Result};
use graph_ir::graph::{Graph, Node, Op, ValueId};

use super::writer::{Tensor, Writer};
use super::{calls, flow, ops};

/// The tensors that the values of one graph became.
pub(super) struct Values(Vec<Option<Tensor>>);

impl Values {
    /// The values of these ids. The graph was verified, so each was defined before.
    pub fn all(&self, ids: &[ValueId]) -> Vec<Tensor> {
        ids.iter()
            .filter_map(|id| self.0[id.index()].clone())
            .collect()
    }

    fn define(&mut self, graph: &Graph, id: ValueId, tensor: Tensor) {
        let ty = graph.ty(id).clone();
        self.0[id.index()] = Some(Tensor { ty, ..tensor });
    }
}

/// The error of an op that ONNX can't express.
pub(super) fn refused(op: &str, reason: &str, location: &Location) -> Error {
    Error::trace(
        format!("`{op}` can't be written as ONNX: {reason}"),
        location.clone(),
    )
}

/// Writes the nodes of a graph whose inputs are these values, and returns its outputs.
pub(super) fn write(w: &mut Writer, graph: &Graph, inputs: Vec<Tensor>) -> Result<Vec<Tensor>> {
    let mut values = Values(vec![None; graph.values.len()]);
    for (id, input) in graph.inputs.iter().zip(inputs) {
        values.define(graph, *id, input);
    }
    for node in &graph.nodes {
        w.body.line = line(&node.location);
        let operands = values.all(&node.inputs);
        let outputs = write_node(w, graph, node, operands)?;
        for (id, mut output) in node.outputs.iter().zip(outputs) {
            if let Some(name) = &graph.values[id.index()].name {
                w.rename_last(&mut output, name);
            }
            values.define(graph, *id, output);
        }
    }
    Ok(values.all(&graph.outputs))
}

fn line(location: &Location) -> String {
    match location.line {
        0 => String::new(),
        _ => location.to_string(),
    }
}

fn write_node(w: &mut Writer, graph: &Graph, node: &Node, x: Vec<Tensor>) -> Result<Vec<Tensor>> {
    let refused = |reason: &str| Err(refused(node.op.name(), reason, &node.location));
    match &node.op {
        Op::Constant(array) => Ok(vec![w.constant(array)]),
        Op::Primitive(op, attrs) => {
            let ty = graph.ty(node.outputs[0]);
            let output = ops::write(w, op, &x, attrs, ty);
            output
                .map(|output| vec![output])
                .or_else(|reason| refused(&reason))
        }
        Op::ReadVariable(id) => Ok(vec![w.body.variables[id.index()].clone()]),
        Op::AssignVariable(id) => {
            set(w, id.index(), x);
            Ok(Vec::new())
        }
        Op::UpdateVariable { variable, body } => {
            let mut operands = vec![w.body.variables[variable.index()].clone()];
            operands.extend(x);
            let new = write(w, body, operands)?;
            set(w, variable.index(), new);
            Ok(Vec::new())
        }
        Op::Fusion { body } => write(w, body, x),
        Op::Cond { .. } | Op::SwitchCase { .. } => flow::write_choice(w, graph, node, x),
        Op::WhileLoop { cond, body } => flow::write_loop(w, node, [cond, body], x),
        Op::Call {
            name,
            graph,
            variables,
        } => calls::write(w, name, graph, variables, x),
        Op::Print(_) | Op::Assert(_) | Op::Summary(_) if w.options.drop_prints_and_assertions => {
            Ok(Vec::new())
        }
        Op::Print(_) => refused(
            "ONNX has no operator that prints; `Options::drop_prints_and_assertions` leaves it out",
        ),
        Op::Summary(_) => refused(
            "ONNX has no operator that writes summaries; `Options::drop_prints_and_assertions` leaves it out",
        ),
        Op::Assert(_) => refused(
            "ONNX has no operator that ends a run; `Options::drop_prints_and_assertions` leaves it out",
        ),
        Op::NextSeed(_) => refused("ONNX can't draw the numbers of a stream of random seeds"),
        Op::Iteration(_) => refused("ONNX has no datasets"),
    }
}

/// Sets a variable's present value to the only one of these.
fn set(w: &mut Writer, variable: usize, mut values: Vec<Tensor>) {
    if let Some(value) = values.pop() {
        w.body.variables[variable].name = value.name;
    }
}
