//! The single checks of the verifier: definitions, numbers of operands, and whether types take and give each other.

use std::fmt;

use graph_kernels::DType;

use super::fault::{Check, Fault, mismatch, structure};
use crate::graph::{Graph, Message, Shape, TensorType, ValueId};

pub(super) fn define(defined: &mut [bool], value: ValueId) -> Check {
    match defined.get_mut(value.index()) {
        None => Err(structure(format!("value %{} doesn't exist", value.0))),
        Some(true) => Err(structure(format!("value %{} is defined twice", value.0))),
        Some(slot) => {
            *slot = true;
            Ok(())
        }
    }
}

pub(super) fn read(defined: &[bool], value: ValueId) -> Check {
    match defined.get(value.index()) {
        None => Err(structure(format!("value %{} doesn't exist", value.0))),
        Some(false) => Err(structure(format!(
            "value %{} is read before it is defined",
            value.0
        ))),
        Some(true) => Ok(()),
    }
}

pub(super) fn counts(
    inputs: &[TensorType],
    in_count: usize,
    outputs: &[TensorType],
    out_count: usize,
) -> Check {
    for (what, actual, expected) in [
        ("operands", inputs.len(), in_count),
        ("outputs", outputs.len(), out_count),
    ] {
        if actual != expected {
            return Err(structure(format!(
                "{actual} {what} where {expected} belong"
            )));
        }
    }
    Ok(())
}

/// Checks that a message has one text more than values.
pub(super) fn fits(message: &Message, values: &[TensorType]) -> Check {
    let (texts, values) = (message.texts.len(), values.len());
    if texts == values + 1 {
        return Ok(());
    }
    Err(structure(format!("{texts} texts around {values} operands")))
}

pub(super) fn selector(inputs: &[TensorType]) -> Result<(&TensorType, &[TensorType]), Fault> {
    inputs
        .split_first()
        .ok_or_else(|| structure("no operand to choose the branch by"))
}

pub(super) fn scalar(ty: &TensorType, dtype: DType) -> Check {
    if ty.dtype == dtype && ty.shape.covers(&Shape::scalar()) {
        return Ok(());
    }
    Err(mismatch(format!("a {ty} where a {dtype} scalar belongs")))
}

pub(super) fn covers(receiver: &TensorType, given: &TensorType) -> Check {
    if receiver.covers(given) {
        return Ok(());
    }
    Err(mismatch(format!("{receiver} doesn't cover {given}")))
}

/// Checks that a variable may hold a value. If the types leave it open, the run checks it.
pub(super) fn may_hold(variable: &TensorType, value: &TensorType) -> Check {
    if variable.dtype == value.dtype && variable.shape.may_be(&value.shape) {
        return Ok(());
    }
    Err(mismatch(format!(
        "a variable of {variable} can't hold {value}"
    )))
}

pub(super) fn cover_all(
    what: impl fmt::Display,
    receivers: &[TensorType],
    given: &[TensorType],
) -> Check {
    if receivers.len() != given.len() {
        return Err(structure(format!(
            "{what}: {} values for {}",
            given.len(),
            receivers.len()
        )));
    }
    for (i, (receiver, given)) in receivers.iter().zip(given).enumerate() {
        covers(receiver, given).map_err(|f| f.inside(format_args!("{what} {i}")))?;
    }
    Ok(())
}

pub(super) fn takes_and_gives(
    graph: &Graph,
    inputs: &[TensorType],
    outputs: &[TensorType],
) -> Check {
    cover_all("input", &graph.types(&graph.inputs), inputs)?;
    cover_all("output", outputs, &graph.types(&graph.outputs))
}

/// Checks that a gradient takes the saved values and the gradients with respect to the results, and gives gradients with respect to the
/// first inputs.
pub(super) fn check_gradient(graph: &Graph, gradient: &Graph, results: usize) -> Check {
    let Some((given, saved)) = graph.outputs.split_at_checked(results) else {
        let outputs = graph.outputs.len();
        return Err(structure(format!("{results} results of {outputs} outputs")));
    };
    if !gradient.variables.is_empty() {
        return Err(structure("a gradient has no variables"));
    }
    let operands: Vec<ValueId> = saved.iter().chain(given).copied().collect();
    cover_all(
        "input",
        &gradient.types(&gradient.inputs),
        &graph.types(&operands),
    )?;
    let Some(inputs) = graph.inputs.get(..gradient.outputs.len()) else {
        return Err(structure("more gradients than inputs"));
    };
    let pairs = graph
        .types(inputs)
        .into_iter()
        .zip(gradient.types(&gradient.outputs));
    for (i, (input, output)) in pairs.enumerate() {
        if input.dtype != output.dtype || !input.shape.may_be(&output.shape) {
            return Err(mismatch(format!("output {i} is {output} and not {input}")));
        }
    }
    Ok(())
}
