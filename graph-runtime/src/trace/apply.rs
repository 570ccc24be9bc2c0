//! What an operation does: in a trace it adds a node to the innermost graph under construction, else it computes.

use std::sync::Arc;

use graph_kernels::{Array, DType};

use super::context::{fail, is_tracing, record, resolve_all, value_of, with_trace};
use crate::autodiff::{is_recording, record_op};
use crate::debug::{Executed, watches_values};
use crate::denormals::denormals_are_flushed;
use crate::error::{Error, Location};
use crate::graph::TensorType;
use crate::ops::{Attrs, OpDef};
use crate::tensor::any::{AnyTensor, Repr};

/// See [`AnyTensor::constant`].
pub(crate) fn constant(array: Array, location: Location) -> AnyTensor {
    if !is_tracing() {
        return AnyTensor::concrete(Arc::new(array));
    }
    with_trace(|trace| {
        let value = trace.top().constant(array, location);
        trace.symbol(value)
    })
}

/// See [`AnyTensor::apply`].
#[track_caller]
pub(crate) fn apply(
    op: &'static OpDef,
    attrs: Attrs,
    operands: &[&AnyTensor],
    location: Location,
) -> AnyTensor {
    if operands.iter().any(|t| matches!(t.repr, Repr::Poisoned(_))) {
        return poison(operands[0].dtype());
    }
    if !is_tracing() {
        if operands.iter().any(|t| t.variable().is_some()) {
            let read: Vec<AnyTensor> = operands.iter().map(|t| t.read(&location)).collect();
            let read: Vec<&AnyTensor> = read.iter().collect();
            return compute(op, &attrs, &read, location);
        }
        return compute(op, &attrs, operands, location);
    }
    let result = resolve_all(operands, &location).and_then(|values| {
        with_trace(|trace| {
            let value = trace.top().primitive(op, attrs, values, location.clone());
            value
                .map(|v| trace.symbol(v))
                .map_err(|message| Error::trace(message, location))
        })
    });
    result.unwrap_or_else(|error| {
        record(error);
        poison(operands.first().map_or(DType::F32, |t| t.dtype()))
    })
}

/// Runs an op's kernel now.
#[track_caller]
fn compute(
    op: &'static OpDef,
    attrs: &Attrs,
    operands: &[&AnyTensor],
    location: Location,
) -> AnyTensor {
    let arrays: Vec<Arc<Array>> = operands
        .iter()
        .map(|t| value_of(t, location.clone()))
        .collect();
    let types: Vec<TensorType> = arrays.iter().map(|a| TensorType::of_array(a)).collect();
    let references: Vec<&Array> = arrays.iter().map(|a| &**a).collect();
    let mut output = Array::default();
    let result = (op.infer)(&types, attrs).and_then(|ty| {
        (op.kernel)(&references, attrs, &mut output)
            .map(|()| ty)
            .map_err(|error| op.failure(&error, types.iter().cloned()))
    });
    if denormals_are_flushed() {
        output.flush_denormals();
    }
    let result = result.map_err(|message| Error::run(message, location.clone()));
    let seen = result.and_then(|_| {
        let executed = Executed {
            op,
            attrs,
            operands: &references,
            output: &output,
            location: &location,
            graph: None,
        };
        if watches_values() {
            executed.look()
        } else {
            Ok(())
        }
    });
    match seen {
        Ok(()) => {
            let output = AnyTensor::concrete(Arc::new(output));
            if is_recording() {
                record_op(op, attrs, operands, &output, &location);
            }
            output
        }
        // Nothing behind the failed op may run.
        Err(error) => fail(error),
    }
}

/// See [`AnyTensor::update`].
#[track_caller]
pub(crate) fn update(
    op: &'static OpDef,
    attrs: Attrs,
    target: &mut AnyTensor,
    others: &[&AnyTensor],
    location: Location,
) {
    if let (Some(in_place), Repr::Concrete(array), false) =
        (op.in_place, &mut target.repr, is_tracing())
        && Arc::strong_count(array) == 1
        && !watches_values()
        && !is_recording()
    {
        let others: Vec<Arc<Array>> = others
            .iter()
            .map(|t| value_of(t, location.clone()))
            .collect();
        let operands: Vec<&Array> = others.iter().map(|a| &**a).collect();
        let types: Vec<TensorType> = [&**array]
            .iter()
            .chain(&operands)
            .map(|a| TensorType::of_array(a))
            .collect();
        let result = (op.infer)(&types, &attrs).and_then(|_| {
            in_place(Arc::make_mut(array), &operands, &attrs)
                .map_err(|error| op.failure(&error, types.iter().cloned()))
        });
        return match result {
            Ok(()) => *target = AnyTensor::concrete(array.clone()),
            Err(message) => fail(Error::run(message, location)),
        };
    }
    let operands: Vec<&AnyTensor> = [&*target]
        .into_iter()
        .chain(others.iter().copied())
        .collect();
    *target = apply(op, attrs, &operands, location);
}

fn poison(dtype: DType) -> AnyTensor {
    AnyTensor::new(Repr::Poisoned(dtype))
}
