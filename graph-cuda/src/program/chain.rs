//! Fused chains as kernels: elementwise ops, perhaps with a reduction at the end, are one kernel. Chains of other forms are computed op by op.

use std::sync::Arc;

use graph_ir::error::Error;
use graph_ir::plan::{ChainOp, Fused};
use graph_kernels::{Array, DType, ElementOp, Operand, broadcast_shapes};

use super::run::Problem;
use crate::apply::apply;
use crate::kernels::{Chain, Input, Kernels, Step, Target};
use crate::ops::table_dtype;
use crate::value::{Tensor, Value};

/// Queues a chain.
///
/// # Errors
/// If the driver fails, or if shapes don't fit.
pub fn queue(kernels: &Kernels, fused: &Fused, operands: &[Tensor]) -> Result<Tensor, Problem> {
    let mut inputs: Vec<Tensor> = operands.to_vec();
    if let Some(product) = fused.product() {
        let value = one(kernels, product, &inputs[..2])?;
        inputs.splice(..2, [value]);
    }
    for read in fused.reads() {
        let part = &read.part;
        let operands: Vec<Tensor> = part
            .operands
            .iter()
            .filter_map(|operand| match operand {
                Operand::Input(i) => Some(inputs[*i].clone()),
                Operand::Step(_) => None,
            })
            .collect();
        inputs[read.input] = one(kernels, part, &operands)?;
    }
    if let Some(value) = at_once(kernels, fused.parts(), &inputs)? {
        return Ok(value);
    }
    let mut values: Vec<Tensor> = Vec::new();
    for part in fused.parts() {
        let operands: Vec<Tensor> = part
            .operands
            .iter()
            .map(|operand| match operand {
                Operand::Input(i) => inputs[*i].clone(),
                Operand::Step(i) => values[*i].clone(),
            })
            .collect();
        values.push(one(kernels, part, &operands)?);
    }
    let last = values.pop();
    last.ok_or_else(|| "a chain without ops".to_owned().into())
}

/// Applies one op of a chain.
fn one(kernels: &Kernels, part: &ChainOp, operands: &[Tensor]) -> Result<Tensor, Problem> {
    let applied = apply(kernels, part.op, &part.attrs, operands);
    applied.map_err(|message| Problem::Error(Error::run(message, part.location.clone())))
}

/// The value of a chain of elementwise ops, as one kernel; `None` if the chain has another form.
fn at_once(
    kernels: &Kernels,
    parts: &[ChainOp],
    inputs: &[Tensor],
) -> Result<Option<Tensor>, Problem> {
    let dtypes: Vec<DType> = inputs.iter().map(|x| x.dtype).collect();
    let Some((steps, dtype)) = steps(parts, &dtypes) else {
        return Ok(None);
    };
    let mut shape = graph_kernels::Dims::new();
    for input in inputs {
        match broadcast_shapes(&shape, &input.shape) {
            Ok(larger) => shape = larger,
            // Op by op, the op that doesn't fit is found.
            Err(_) => return Ok(None),
        }
    }
    let chain = Chain {
        operands: Vec::new(),
        steps,
        dtype,
        checks: false,
    };
    if !chain.is_supported_for(&dtypes) {
        return Ok(None);
    }
    let operands: Result<Vec<Input<'_>>, _> = inputs.iter().map(|x| x.input(&shape)).collect();
    let operands = operands?;
    let out = kernels.room(dtype, &shape)?;
    kernels.map(&Target::Whole(&out), &shape, dtype, chain.steps, &operands)?;
    Ok(Some(Value::computed(dtype, &shape, out)))
}

/// The steps of a chain of elementwise ops, and the dtype of its value; `None` if an op isn't elementwise.
fn steps(parts: &[ChainOp], inputs: &[DType]) -> Option<(Vec<Step>, DType)> {
    let mut steps: Vec<Step> = (0..inputs.len()).map(Step::Operand).collect();
    let mut dtypes = inputs.to_vec();
    for part in parts {
        let op: ElementOp = (part.op.element)(&part.attrs)?;
        let operands: Vec<usize> = part
            .operands
            .iter()
            .map(|operand| match operand {
                Operand::Input(i) => *i,
                Operand::Step(i) => inputs.len() + i,
            })
            .collect();
        let of: Vec<DType> = operands.iter().map(|i| dtypes[*i]).collect();
        let table = table_dtype(op, &of);
        dtypes.push(op.output(&of).ok()?);
        steps.push(Step::Element(op, table, operands));
    }
    Some((steps, *dtypes.last()?))
}

/// The value of a chain, computed by the CPU.
///
/// # Errors
/// The error of the op that fails.
pub fn on_cpu(fused: &Fused, operands: &[Tensor]) -> Result<Array, Error> {
    let arrays: Result<Vec<Arc<Array>>, Error> = operands.iter().map(|x| x.fetch()).collect();
    let arrays = arrays?;
    let mut inputs: Vec<Option<&Array>> = arrays.iter().map(|x| Some(&**x)).collect();
    let mut out = Array::default();
    fused.run(&mut inputs, &mut out)?;
    Ok(out)
}
