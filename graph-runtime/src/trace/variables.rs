//! Variables under a trace: reads, assignments and updates add nodes to the innermost graph, in which the function's table
//! names them. Outside a trace they happen at once.

use std::iter::once;
use std::sync::Arc;

use graph_kernels::Array;
use smallvec::SmallVec;

use super::context::{Trace, fail, is_tracing, record, resolve, resolve_all, value_of, with_trace};
use crate::autodiff::{is_recording, record_read};
use crate::debug::{Executed, watches_values};
use crate::denormals::denormals_are_flushed;
use crate::device;
use crate::error::{Error, Location, Result};
use crate::graph::{Graph, Node, Op, TensorType, ValueId};
use crate::ops::{Attrs, OpDef};
use crate::plan::Change;
use crate::tensor::any::{AnyTensor, Repr};
use crate::variable::Place;

/// TensorFlow's rule on where variables are made.
pub(crate) const SINGLETON: &str = "tf.function only supports singleton tf.Variables created on the first call. Make sure the \
     tf.Variable is only created once or created outside tf.function. Keep it in a `OnceLock`, a field or a `static`: what a \
     graph function makes while it is traced is gone when it runs";

/// Reads a variable at this point of the program.
pub(crate) fn read_variable(place: &Arc<Place>, location: Location) -> AnyTensor {
    if !is_tracing() {
        let mut held = AnyTensor::concrete(place.read());
        if is_recording() {
            record_read(place, &mut held, &location);
        }
        return held;
    }
    with_trace(|trace| {
        let value = trace.read(place, location);
        trace.symbol(value)
    })
}

impl Trace {
    /// What a variable holds at this point of the program, in the innermost builder.
    pub(super) fn read(&mut self, place: &Arc<Place>, location: Location) -> ValueId {
        let op = Op::ReadVariable(self.variable(place));
        let ty = place.ty().clone();
        self.top().graph.add_node(op, vec![], vec![ty], location)[0]
    }
}

/// Assigns a variable at this point of the program.
#[track_caller]
pub(crate) fn assign_variable(place: &Arc<Place>, value: &AnyTensor, location: Location) {
    if matches!(value.repr, Repr::Poisoned(_)) {
        return;
    }
    if !is_tracing() {
        let array = value_of(value, location.clone());
        return match place.check(&array) {
            Ok(()) => place.write(|held| *held = array),
            Err(message) => fail(Error::run(message, location)),
        };
    }
    let added = resolve(value, &location).and_then(|value| {
        with_trace(|trace| {
            check(place, trace.top().graph.ty(value), &location)?;
            let op = Op::AssignVariable(trace.variable(place));
            let graph = &mut trace.top().graph;
            graph.add_node(op, vec![value], vec![], location);
            Ok(())
        })
    });
    added.unwrap_or_else(record);
}

/// Replaces a variable's value by what an op makes of it and the operands.
#[track_caller]
pub(crate) fn update_variable(
    place: &Arc<Place>,
    op: &'static OpDef,
    attrs: Attrs,
    operands: &[&AnyTensor],
    location: Location,
) {
    if operands.iter().any(|t| matches!(t.repr, Repr::Poisoned(_))) {
        return;
    }
    if !is_tracing() {
        return update_now(place, op, attrs, operands, location);
    }
    let added = resolve_all(operands, &location).and_then(|values| {
        with_trace(|trace| {
            let types = values.iter().map(|v| trace.top().graph.ty(*v).clone());
            let body = body(place, op, attrs, types.collect(), &location)?;
            let op = Op::UpdateVariable {
                variable: trace.variable(place),
                body: body.into(),
            };
            trace.top().graph.add_node(op, values, vec![], location);
            Ok(())
        })
    });
    added.unwrap_or_else(record);
}

/// The body of an update: one primitive.
fn body(
    place: &Place,
    op: &'static OpDef,
    attrs: Attrs,
    operands: Vec<TensorType>,
    location: &Location,
) -> Result<Graph> {
    let types: Vec<TensorType> = [place.ty().clone()].into_iter().chain(operands).collect();
    let error = |message| Error::trace(message, location.clone());
    let ty = (op.infer)(&types, &attrs).map_err(error)?;
    check(place, &ty, location)?;
    let mut body = Graph::default();
    let mut names = vec![Some(place.name().clone())];
    names.resize(types.len(), None);
    let inputs = types.into_iter().zip(names);
    let inputs = inputs.map(|(ty, name)| body.add_input(ty, name)).collect();
    let output = body.add_value(ty, None);
    body.nodes.push(Node {
        op: Op::Primitive(op, attrs),
        inputs,
        outputs: vec![output],
        location: location.clone(),
    });
    body.outputs.push(output);
    Ok(body)
}

/// Fails if it is clear that a variable can't hold values of a type.
fn check(place: &Place, value: &TensorType, location: &Location) -> Result<()> {
    if place.ty().dtype == value.dtype && place.ty().shape.may_be(&value.shape) {
        return Ok(());
    }
    Err(Error::trace(place.refusal(value), location.clone()))
}

#[track_caller]
fn update_now(
    place: &Place,
    op: &'static OpDef,
    attrs: Attrs,
    operands: &[&AnyTensor],
    location: Location,
) {
    let arrays: SmallVec<[Arc<Array>; 2]> = operands
        .iter()
        .map(|t| value_of(t, location.clone()))
        .collect();
    let types = arrays.iter().map(|array| TensorType::of_array(array));
    let types: Vec<TensorType> = [place.ty().clone()].into_iter().chain(types).collect();
    let fits = (op.infer)(&types, &attrs).map(drop);
    let operands: SmallVec<[Option<&Array>; 3]> = [None]
        .into_iter()
        .chain(arrays.iter().map(|array| Some(&**array)))
        .collect();
    let result = fits
        .map_err(|message| Error::run(message, location.clone()))
        .and_then(|()| {
            let flush = denormals_are_flushed();
            if watches_values() {
                return update_watched(place, (op, &attrs), &arrays, flush, &location);
            }
            let change = Change::Kernel(op, attrs);
            device::update_variable(place, &change, &operands, flush, &location)
        });
    if let Err(error) = result {
        // Not from a closure, which would be the panic's place.
        fail(error);
    }
}

/// The same where values are looked at: the new value is made beside the old one, which stays if it is refused.
fn update_watched(
    place: &Place,
    (op, attrs): (&'static OpDef, &Attrs),
    operands: &[Arc<Array>],
    flush_denormals: bool,
    location: &Location,
) -> Result<()> {
    place.write(|held| {
        let old = held.clone();
        let operands: SmallVec<[&Array; 3]> =
            once(&old).chain(operands).map(|array| &**array).collect();
        let mut output = Array::default();
        let error = |message: String| Error::run(message, location.clone());
        (op.kernel)(&operands, attrs, &mut output).map_err(|e| {
            let types = operands.iter().map(|array| TensorType::of_array(array));
            error(op.failure(&e, types))
        })?;
        if flush_denormals {
            output.flush_denormals();
        }
        let executed = Executed {
            op,
            attrs,
            operands: &operands,
            output: &output,
            location,
            graph: None,
        };
        executed.look()?;
        place.check(&output).map_err(error)?;
        *held = Arc::new(output);
        Ok(())
    })
}

/// Whether a variable is an argument of the function being traced.
pub(crate) fn is_argument(place: &Arc<Place>) -> bool {
    is_tracing() && with_trace(|trace| trace.is_argument(place))
}

/// Takes note of a variable that was made just now.
pub(crate) fn created(place: &Arc<Place>, location: Location) {
    if is_tracing() {
        with_trace(|trace| trace.created(place, location));
    }
}
