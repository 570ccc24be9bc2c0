//! What an op does: in a trace it adds a node to the innermost graph under construction; else it computes.

use std::iter::once;
use std::sync::Arc;

use graph_kernels::{Array, DType};
use smallvec::SmallVec;

use super::any::{AnyTensor, Repr};
use super::context::{
    fail, is_tracing, or_fail, record, resolve_all, value_of, value_or_error, with_trace,
};
use super::observer::{is_recording, observer};
use crate::debug::{Executed, watches_values};
use crate::device::{self, Device, Storage};
use crate::error::{Error, Location, Result};
use crate::graph::{Op, TensorType};
use crate::ops::{self, Attr, Attrs, OpDef};

/// See [`AnyTensor::constant`].
#[track_caller]
pub(crate) fn constant(array: Array, location: Location) -> AnyTensor {
    if !is_tracing() {
        return AnyTensor::concrete(or_fail(device::bring_here(array, &location)));
    }
    with_trace(|trace| {
        let value = trace.top().constant(array, location);
        trace.symbol(value)
    })
}

/// The values of operands that have just become constants of the graph, as Rust numbers do: they are its last nodes. `None` outside a trace.
pub(crate) fn latest_numbers<const N: usize>(
    operands: &[&AnyTensor; N],
) -> Option<[Arc<Array>; N]> {
    if !is_tracing() {
        return None;
    }
    with_trace(|trace| {
        let value = |operand: &AnyTensor| {
            let id = trace.latest_value(operand)?;
            let mut latest = trace.builders.last()?.graph.nodes.iter().rev().take(N);
            match latest.find(|node| node.outputs == [id])?.op {
                Op::Constant(ref array) => Some(array.clone()),
                _ => None,
            }
        };
        let values: Vec<Arc<Array>> = operands.iter().map(|x| value(x)).collect::<Option<_>>()?;
        values.try_into().ok()
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

/// Runs an op's kernel.
#[track_caller]
fn compute(
    op: &'static OpDef,
    attrs: &Attrs,
    operands: &[&AnyTensor],
    location: Location,
) -> AnyTensor {
    let mut values: SmallVec<[&Storage; 4]> = SmallVec::new();
    for operand in operands {
        match value_or_error(operand, &location) {
            Ok(value) => values.push(value),
            Err(error) => fail(error),
        }
    }
    let types: Vec<TensorType> = values.iter().map(|value| value.ty()).collect();
    let on = match device::of_operands(values.iter().copied(), &location) {
        Ok(on) => on,
        Err(error) => fail(error),
    };
    let result = (op.infer)(&types, attrs)
        .and_then(|_| on.apply(op, attrs, &values))
        .map_err(|message| Error::run(message, location.clone()));
    let seen = result.and_then(|output| {
        if watches_values() {
            look(op, attrs, &values, &output, &location)?;
        }
        Ok(output)
    });
    match seen {
        Ok(output) => {
            let output = AnyTensor::concrete(output);
            if let Some(observer) = observer() {
                observer.op(op, attrs, operands, &output, &location);
            }
            output
        }
        // No code after the failed op may run.
        Err(error) => fail(error),
    }
}

/// Inspects the result of an op, as far as that is switched on. Values on other devices are copied to the host for it.
pub(super) fn look(
    op: &'static OpDef,
    attrs: &Attrs,
    operands: &[&Storage],
    output: &Storage,
    location: &Location,
) -> Result<()> {
    let fetched = device::without_transfers(|| {
        let values = operands.iter().copied().chain([output]);
        values.map(Storage::to_host).collect::<Result<Vec<_>>>()
    })?;
    let fetched: Vec<&Array> = fetched.iter().map(|x| &**x).collect();
    let (output, operands) = match fetched.split_last() {
        Some((output, operands)) => (*output, operands),
        None => unreachable!("the output is among them"),
    };
    let executed = Executed {
        op,
        attrs,
        operands,
        output,
        location,
        graph: None,
    };
    executed.look()
}

/// See [`AnyTensor::to`].
#[track_caller]
pub(crate) fn to(tensor: &AnyTensor, device: Device, location: &Location) -> AnyTensor {
    if is_tracing() {
        return tensor.clone();
    }
    let tensor = tensor.read(location);
    let value = value_of(&tensor, location.clone());
    if value.device() == device {
        return tensor;
    }
    let output = AnyTensor::concrete(or_fail(device::moved(&value, device, location)));
    if let Some(observer) = observer() {
        // For gradients it is an op that leaves the values as they are.
        let shape = value.shape().iter().map(|size| *size as i64).collect();
        let attrs = Attrs::new().with("shape", Attr::Ints(shape));
        observer.op(&ops::RESHAPE, &attrs, &[&tensor], &output, location);
    }
    output
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
    if let (Repr::Concrete(value), false) = (&mut target.repr, is_tracing())
        && !watches_values()
        && !is_recording()
    {
        let others: Vec<Storage> = others
            .iter()
            .map(|t| value_of(t, location.clone()))
            .collect();
        let others: Vec<&Storage> = others.iter().collect();
        let types = once(&*value).chain(others.iter().copied());
        let types: Vec<TensorType> = types.map(Storage::ty).collect();
        let updated =
            (op.infer)(&types, &attrs).and_then(|_| device::update(op, &attrs, value, &others));
        match updated {
            Ok(true) => {
                *target = AnyTensor::concrete(value.clone());
                return;
            }
            Ok(false) => {}
            Err(message) => fail(Error::run(message, location)),
        }
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
