//! The nodes of a trace that aren't plain ops: prints, assertions, draws of seeds, and calls of other functions. Outside a trace,
//! prints, assertions and seeds take effect at once.

use std::iter::once;
use std::sync::Arc;

use graph_kernels::{Array, DType};

use super::any::{AnyTensor, Repr};
#[cfg(feature = "tensorboard")]
use super::apply::apply;
use super::context::{array_of, fail, is_tracing, record, resolve_all, with_trace};
use crate::device::Host;
use crate::error::{Error, Location, Result};
#[cfg(feature = "tensorboard")]
use crate::graph::Summary;
use crate::graph::{Message, Op, Print, Shape, SharedGraph, TensorType};
use crate::host::Caller;
#[cfg(feature = "tensorboard")]
use crate::ops::{self, Attr, Attrs};
use graph_ir::device::Place;

/// Adds a node that prints a message with the tensors' values; outside a trace, prints it at once.
#[track_caller]
pub(crate) fn print(print: Print, tensors: &[AnyTensor], location: Location) {
    if is_tracing() {
        return effect(Op::Print(Box::new(print)), tensors, location);
    }
    let Some(mut text) = filled(&print.message, tensors, &location) else {
        return;
    };
    text.push_str(&print.end);
    let to = &print.to;
    if let Err(error) = Caller::default().print(&text, to) {
        fail(Error::run(
            format!("can't print to {to}: {error}"),
            location,
        ));
    }
}

/// Adds a node that asserts a condition, with a message of the tensors' values; outside a trace, checks it at once.
#[track_caller]
pub(crate) fn assert_that(
    condition: &AnyTensor,
    message: Message,
    tensors: &[AnyTensor],
    location: Location,
) {
    if is_tracing() {
        let operands: Vec<AnyTensor> = once(condition).chain(tensors).cloned().collect();
        return effect(Op::Assert(Box::new(message)), &operands, location);
    }
    if matches!(condition.repr, Repr::Poisoned(_)) {
        return;
    }
    let holds = array_of(condition, location.clone())
        .values::<bool>()
        .is_some_and(|v| v.iter().all(|b| *b));
    if !holds && let Some(text) = filled(&message, tensors, &location) {
        fail(Error::run(text, location));
    }
}

/// Adds a node that hands a value to the writer of summaries; outside a trace, writes it at once.
#[cfg(feature = "tensorboard")]
#[track_caller]
pub(crate) fn summary(summary: Summary, value: &AnyTensor, step: &AnyTensor, location: Location) {
    let poisoned = |t: &AnyTensor| matches!(t.repr, Repr::Poisoned(_));
    if poisoned(value) || poisoned(step) {
        return;
    }
    let tracing = is_tracing();
    if !tracing && !Caller::default().writes_summaries() {
        return;
    }
    let refuse = |message: String| match tracing {
        true => record(Error::trace(message, location.clone())),
        false => fail(Error::run(message, location.clone())),
    };
    if let Err(message) = summary.kind.check(&value.ty()) {
        return refuse(message);
    }
    let ty = step.ty();
    if !ty.dtype.is_integer() || ty.shape.rank().is_some_and(|rank| rank != 0) {
        return refuse(format!(
            "the step of a summary is an integer without axes, not {ty}"
        ));
    }
    let attrs = Attrs::new().with("dtype", Attr::DType(DType::I64));
    let step = apply(&ops::CAST, attrs, &[step], location.clone());
    if tracing {
        return effect(Op::Summary(summary), &[value.clone(), step], location);
    }
    let (value, step) = (
        array_of(value, location.clone()),
        array_of(&step, location.clone()),
    );
    let step = step.values::<i64>().and_then(|v| v.first().copied());
    let written = Caller::default().write_summary(&summary, &value, step.unwrap_or(0));
    if let Err(error) = written {
        fail(Error::run(summary.failed(&error), location));
    }
}

/// The message with the tensors' values filled in; `None` if one of the tensors is the result of an error.
fn filled(message: &Message, tensors: &[AnyTensor], location: &Location) -> Option<String> {
    if tensors.iter().any(|t| matches!(t.repr, Repr::Poisoned(_))) {
        return None;
    }
    let arrays = tensors.iter().map(|t| array_of(t, location.clone()));
    let arrays: Vec<Arc<Array>> = arrays.collect();
    Some(message.fill(arrays.iter().map(|a| &**a)))
}

/// Adds a node that draws the next seed of a random stream in each run; outside a trace, draws it at once.
pub(crate) fn next_seed(stream: Option<i64>, location: Location) -> AnyTensor {
    if !is_tracing() {
        let seed = Caller::default().next_seed(stream);
        return AnyTensor::on_current_device(Array::new(&[2], seed.to_vec()));
    }
    let ty = TensorType::new(DType::I64, Shape::known(&[2]));
    with_trace(|trace| {
        let graph = &mut trace.top().graph;
        let seed = graph.add_node(Op::NextSeed(stream), vec![], vec![ty], location)[0];
        trace.symbol(seed)
    })
}

fn effect(op: Op, operands: &[AnyTensor], location: Location) {
    if operands.iter().any(|t| matches!(t.repr, Repr::Poisoned(_))) {
        return;
    }
    match resolve_all(&operands.iter().collect::<Vec<_>>(), &location) {
        Ok(inputs) => {
            with_trace(|trace| trace.top().graph.add_node(op, inputs, vec![], location)).truncate(0)
        }
        Err(error) => record(error),
    }
}

/// Adds a call of another function's graph; `places` are the variables of its table. If the graph leaves sizes open that the
/// operands determine, the call uses a copy specialized to them, so that the types of its results don't depend on which trace of
/// the function existed before.
pub(crate) fn call<'a>(
    name: Arc<str>,
    graph: SharedGraph,
    operands: &[AnyTensor],
    places: impl Iterator<Item = &'a Arc<Place>>,
    location: Location,
) -> Result<Vec<AnyTensor>> {
    let inputs = resolve_all(&operands.iter().collect::<Vec<_>>(), &location)?;
    Ok(with_trace(|trace| {
        let operands = trace.top().graph.types(&inputs);
        let graph = trace.called_with(graph, operands);
        let types = graph.types(&graph.outputs);
        let op = Op::Call {
            name,
            graph,
            variables: places.map(|place| trace.variable(place)).collect(),
        };
        let outputs = trace.top().graph.add_node(op, inputs, types, location);
        outputs.into_iter().map(|v| trace.symbol(v)).collect()
    }))
}
