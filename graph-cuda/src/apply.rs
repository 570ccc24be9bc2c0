//! One application of an op: by the GPU's kernels, or by the CPU where the GPU has none, or where a few numbers are all there is to compute.

use std::sync::Arc;

use graph_ir::device::{Device, Storage, left_to_cpu};
use graph_ir::error::Error;
use graph_ir::graph::TensorType;
use graph_ir::ops::{Attrs, OpDef};
use graph_kernels::Array;

use crate::driver::{Failed, Fault};
use crate::kernels::Kernels;
use crate::ops::{self, Call, Trouble};
use crate::value::{Tensor, Value, is_small};

/// Applies an op to values of the GPU. Whether an operand was wrong shows when the thread's [`Fault`] is taken.
///
/// # Errors
/// If the CPU, which runs what the GPU can't, finds an operand wrong, or if the driver fails.
pub fn apply(
    kernels: &Kernels,
    op: &'static OpDef,
    attrs: &Attrs,
    operands: &[Tensor],
) -> Result<Tensor, String> {
    let types: Vec<TensorType> = operands.iter().map(|x| x.ty()).collect();
    let Ok(ty) = (op.infer)(&types, attrs) else {
        // The kernel's words are better than the type rule's.
        return on_cpu(kernels, op, attrs, operands);
    };
    let shape = ty.shape.to_known();
    let shape = shape.as_deref();
    if are_few_numbers(operands) && shape.is_some_and(|shape| is_small(ty.dtype, shape)) {
        return on_cpu(kernels, op, attrs, operands);
    }
    let Some(run) = ops::find(op, attrs) else {
        return instead(kernels, op, attrs, operands, ops::reason(op.name));
    };
    let call = Call {
        op,
        attrs,
        operands,
        dtype: ty.dtype,
        shape,
    };
    match run(kernels, &call) {
        Ok(value) => Ok(value),
        Err(Trouble::Failed(failed)) => Err(failed.to_string()),
        Err(Trouble::NoKernel(reason)) => instead(kernels, op, attrs, operands, reason),
    }
}

/// Whether the host knows all operands, and none is large.
fn are_few_numbers(operands: &[Tensor]) -> bool {
    !operands.is_empty()
        && operands
            .iter()
            .all(|x| x.known().is_some() && is_small(x.dtype, &x.shape))
}

/// Applies an op on the CPU because the GPU can't, and brings the result to the GPU.
///
/// # Errors
/// If the kernel fails; if it doesn't, and nothing may be left to the CPU.
fn instead(
    kernels: &Kernels,
    op: &'static OpDef,
    attrs: &Attrs,
    operands: &[Tensor],
    reason: &str,
) -> Result<Tensor, String> {
    let value = on_cpu(kernels, op, attrs, operands)?;
    left_to_cpu(format_args!("`{}`", op.name), &kernels.gpu().name, reason)?;
    Ok(value)
}

/// Applies an op on the CPU, and brings the result to the GPU.
///
/// # Errors
/// If the kernel fails.
pub fn on_cpu(
    kernels: &Kernels,
    op: &'static OpDef,
    attrs: &Attrs,
    operands: &[Tensor],
) -> Result<Tensor, String> {
    let array = array_on_cpu(op, attrs, operands)?;
    Value::of_host(kernels.gpu(), array).map_err(|failed| failed.to_string())
}

/// Applies an op on the CPU.
///
/// # Errors
/// If the kernel fails.
pub fn array_on_cpu(
    op: &'static OpDef,
    attrs: &Attrs,
    operands: &[Tensor],
) -> Result<Arc<Array>, String> {
    let message = |error: Error| error.message().to_owned();
    let storages: Result<Vec<Storage>, String> = operands
        .iter()
        .map(|x| x.fetch().map(Storage::Host).map_err(message))
        .collect();
    let storages = storages?;
    let result = Device::cpu().apply(op, attrs, &storages.iter().collect::<Vec<_>>())?;
    result.to_host().map_err(message)
}

/// Applies an op and waits until it is known whether its operands were right.
///
/// # Errors
/// As [`apply`], and if a kernel reports a fault: then the CPU says what is wrong.
pub fn apply_and_check(
    kernels: &Kernels,
    op: &'static OpDef,
    attrs: &Attrs,
    operands: &[Tensor],
) -> Result<Tensor, String> {
    let value = apply(kernels, op, attrs, operands)?;
    match take_fault(kernels) {
        Ok(false) => Ok(value),
        Ok(true) => on_cpu(kernels, op, attrs, operands),
        Err(failed) => Err(failed.to_string()),
    }
}

/// Whether a kernel of this thread has reported a fault.
///
/// # Errors
/// If the GPU doesn't answer.
pub fn take_fault(kernels: &Kernels) -> Result<bool, Failed> {
    Fault::of_thread(kernels.gpu())?.take()
}
