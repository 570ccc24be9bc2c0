//! Fused chains as kernels: elementwise ops, perhaps with a reduction at the end or with reductions of rows, are one kernel. Chains of other forms
//! are computed op by op.

use std::sync::Arc;

use graph_ir::error::Error;
use graph_ir::graph::TensorType;
use graph_ir::ops;
use graph_ir::plan::{ChainOp, Fused};
use graph_kernels::{
    Array, DType, Dims, ElementOp, Operand, ReduceOp, broadcast_shapes, normalize_axis,
};

use super::run::Problem;
use crate::apply::apply;
use crate::kernels::{
    Chain, Input, Kernels, Reduction, Row, RowStep, Step, Target, Then, View, can_fail,
};
use crate::ops::{Call, Trouble, matmul_then, table_dtype};
use crate::value::{Tensor, Value};

/// Queues a chain.
///
/// # Errors
/// If the driver fails, or if shapes don't fit.
pub fn queue(kernels: &Kernels, fused: &Fused, operands: &[Tensor]) -> Result<Tensor, Problem> {
    let product = fused.product();
    let (factors, others) = operands.split_at(if product.is_some() { 2 } else { 0 });
    // The place of the product's value comes first; no read is of it.
    let mut inputs: Vec<Tensor> = factors.iter().take(1).chain(others).cloned().collect();
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
    if let Some(product) = product {
        if *product.op == ops::MATMUL
            && let Some(value) = behind_product(kernels, fused, product, (factors, &inputs[1..]))?
        {
            return Ok(value);
        }
        inputs[0] = one(kernels, product, factors)?;
    }
    if let Some(value) = at_once(kernels, fused.parts(), &inputs)? {
        return Ok(value);
    }
    let last = one_by_one(kernels, fused, &inputs)?.pop();
    last.ok_or_else(|| "a chain without ops".to_owned().into())
}

/// The values of all ops of a chain without a product, each by a kernel of its own.
///
/// # Errors
/// As [`queue`].
pub fn one_by_one(
    kernels: &Kernels,
    fused: &Fused,
    inputs: &[Tensor],
) -> Result<Vec<Tensor>, Problem> {
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
    Ok(values)
}

/// Applies one op of a chain.
fn one(kernels: &Kernels, part: &ChainOp, operands: &[Tensor]) -> Result<Tensor, Problem> {
    let applied = apply(kernels, part.op, &part.attrs, operands);
    applied.map_err(|message| Problem::Error(Error::run(message, part.location.clone())))
}

/// The value of a chain behind a product, as one kernel; `None` if it has another form, or if cuBLAS computes the product.
fn behind_product(
    kernels: &Kernels,
    fused: &Fused,
    product: &ChainOp,
    (operands, others): (&[Tensor], &[Tensor]),
) -> Result<Option<Tensor>, Problem> {
    let types: Vec<TensorType> = operands.iter().map(|x| x.ty()).collect();
    let ty = (product.op.infer)(&types, &product.attrs).ok();
    let Some((dtype, shape)) = ty.and_then(|ty| Some((ty.dtype, ty.shape.to_known()?))) else {
        return Ok(None);
    };
    let fits = |x: &Tensor| broadcast_shapes(&shape, &x.shape).is_ok_and(|all| all == shape);
    let is_known = operands.iter().all(|x| x.known().is_some());
    let is_other = is_known || !others.iter().all(fits);
    if is_other || !kernels.multiplies_itself(dtype) {
        return Ok(None);
    }
    let dtypes = others.iter().map(|x| x.dtype);
    let dtypes: Vec<DType> = std::iter::once(dtype).chain(dtypes).collect();
    let Some((steps, dtypes)) = supported(fused.parts(), &dtypes) else {
        return Ok(None);
    };
    let Some(result) = dtypes.last().filter(|_| !can_fail(&steps, &[])) else {
        return Ok(None);
    };
    let then = Then {
        dims: &shape,
        steps,
        dtype: *result,
        inputs: self::operands(others, &shape)?,
    };
    let call = Call {
        op: product.op,
        attrs: &product.attrs,
        operands,
        dtype,
        shape: Some(&shape),
    };
    match matmul_then(kernels, &call, then) {
        Ok(value) => Ok(Some(value)),
        Err(Trouble::NoKernel(_)) => Ok(None),
        Err(Trouble::Failed(failed)) => Err(failed.into()),
    }
}

/// The value of a chain, as one kernel; `None` if the chain has a form for which there is none.
fn at_once(
    kernels: &Kernels,
    parts: &[ChainOp],
    inputs: &[Tensor],
) -> Result<Option<Tensor>, Problem> {
    let mut shape = Dims::new();
    for input in inputs {
        match broadcast_shapes(&shape, &input.shape) {
            Ok(larger) => shape = larger,
            // Op by op, the op that doesn't fit is found.
            Err(_) => return Ok(None),
        }
    }
    let is_reduction = |part: &ChainOp| part.op.reduction.is_some();
    let Some((last, before)) = parts.split_last() else {
        return Ok(None);
    };
    match (before.iter().any(is_reduction), is_reduction(last)) {
        (false, false) => elementwise(kernels, parts, inputs, &shape),
        (false, true) => reduced(kernels, last, before, inputs, &shape),
        (true, _) => by_rows(kernels, parts, inputs, &shape),
    }
}

/// The operands of a kernel that walks over axes of these sizes.
fn operands<'a>(inputs: &'a [Tensor], shape: &[usize]) -> Result<Vec<Input<'a>>, Problem> {
    let operands: Result<Vec<Input<'_>>, _> = inputs.iter().map(|x| x.input(shape)).collect();
    Ok(operands?)
}

/// The chain of elementwise ops, if the GPU has all functions.
fn chain(parts: &[ChainOp], inputs: &[Tensor]) -> Option<Chain> {
    let dtypes: Vec<DType> = inputs.iter().map(|x| x.dtype).collect();
    let (steps, dtypes) = supported(parts, &dtypes)?;
    Some(Chain {
        operands: Vec::new(),
        steps,
        dtype: *dtypes.last()?,
        checks: false,
    })
}

/// Elementwise ops on inputs of some dtypes as steps, and the dtypes of the steps; `None` if an op isn't elementwise, or if the GPU lacks a
/// function.
pub fn supported(parts: &[ChainOp], inputs: &[DType]) -> Option<(Vec<Step>, Vec<DType>)> {
    let (steps, dtypes) = steps(parts, inputs)?;
    let chain = Chain {
        operands: Vec::new(),
        steps,
        dtype: *dtypes.last()?,
        checks: false,
    };
    let is_supported = chain.is_supported_for(inputs);
    is_supported.then_some((chain.steps, dtypes))
}

/// The value of a chain of elementwise ops.
fn elementwise(
    kernels: &Kernels,
    parts: &[ChainOp],
    inputs: &[Tensor],
    shape: &[usize],
) -> Result<Option<Tensor>, Problem> {
    let Some(Chain { steps, dtype, .. }) = chain(parts, inputs) else {
        return Ok(None);
    };
    let operands = operands(inputs, shape)?;
    let out = kernels.room(dtype, shape)?;
    kernels.map(&Target::Whole(&out), shape, dtype, steps, &operands)?;
    Ok(Some(Value::computed(dtype, shape, out)))
}

/// A reduction of a tensor of some rank: its function, the first of the trailing axes that it reduces, and whether these stay, with size 1.
fn reduction(part: &ChainOp, rank: usize) -> Option<(ReduceOp, usize, bool)> {
    let op = part.op.reduction?;
    let axes = part.attrs.ints("axes").ok()?;
    let mut axes: Vec<usize> = axes
        .iter()
        .map(|axis| normalize_axis(*axis, rank).ok())
        .collect::<Option<_>>()?;
    axes.sort_unstable();
    if axes.is_empty() {
        axes = (0..rank).collect();
    }
    let first = rank.checked_sub(axes.len())?;
    let are_trailing = axes.into_iter().eq(first..rank);
    let keep = part.attrs.bool("keep_dims").ok()?;
    are_trailing.then_some((op, first, keep))
}

/// The value of a chain of elementwise ops that ends in a reduction.
fn reduced(
    kernels: &Kernels,
    last: &ChainOp,
    before: &[ChainOp],
    inputs: &[Tensor],
    shape: &[usize],
) -> Result<Option<Tensor>, Problem> {
    let reads_last = matches!(last.operands[..], [Operand::Step(i)] if i + 1 == before.len());
    let (Some(Chain { steps, dtype, .. }), Some((op, kept, keep)), true) = (
        chain(before, inputs),
        reduction(last, shape.len()),
        reads_last,
    ) else {
        return Ok(None);
    };
    let mut result: Dims = shape[..kept].into();
    if keep {
        result.resize(shape.len(), 1);
    }
    let out = kernels.room(dtype, &result)?;
    let reduction = Reduction {
        op,
        dims: shape,
        kept,
        dtype,
        steps,
        inputs: &operands(inputs, shape)?,
    };
    kernels.reduce(&out, reduction)?;
    Ok(Some(Value::computed(dtype, &result, out)))
}

/// The value of a chain with reductions of rows, all of which have the length of the result's last axis.
fn by_rows(
    kernels: &Kernels,
    parts: &[ChainOp],
    inputs: &[Tensor],
    shape: &[usize],
) -> Result<Option<Tensor>, Problem> {
    let dtypes: Vec<DType> = inputs.iter().map(|x| x.dtype).collect();
    let Some((steps, dtype)) = row_steps(parts, inputs, shape) else {
        return Ok(None);
    };
    if !RowStep::are_supported(&steps, &dtypes) {
        return Ok(None);
    }
    let out = kernels.room(dtype, shape)?;
    let row = Row {
        dims: shape,
        dtype,
        steps,
        inputs: &operands(inputs, shape)?,
        target: Some(View::of(shape)),
    };
    kernels.rows(&out, row)?;
    Ok(Some(Value::computed(dtype, shape, out)))
}

/// The steps of a chain over rows, and the dtype of its value; `None` if it has another form.
fn row_steps(
    parts: &[ChainOp],
    inputs: &[Tensor],
    shape: &[usize],
) -> Option<(Vec<RowStep>, DType)> {
    let mut steps: Vec<RowStep> = (0..inputs.len())
        .map(|i| RowStep::Element(Step::Operand(i)))
        .collect();
    let mut dtypes: Vec<DType> = inputs.iter().map(|x| x.dtype).collect();
    let mut shapes: Vec<Dims> = inputs.iter().map(|x| x.shape.clone()).collect();
    for part in parts {
        let operands = positions(part, inputs.len());
        if part.op.reduction.is_some() {
            let [of] = operands[..] else { return None };
            let mut rows = shapes[of].clone();
            let (op, first, keep) = reduction(part, rows.len())?;
            let last = rows.last_mut()?;
            if !keep || first + 1 != shapes[of].len() || *last != *shape.last()? {
                return None;
            }
            *last = 1;
            steps.push(RowStep::Reduce(op, dtypes[of], of));
            dtypes.push(dtypes[of]);
            shapes.push(rows);
        } else {
            let (step, dtype) = function(part, operands, &dtypes)?;
            let Step::Element(_, _, of) = &step else {
                return None;
            };
            let mut larger = Dims::new();
            for operand in of {
                larger = broadcast_shapes(&larger, &shapes[*operand]).ok()?;
            }
            steps.push(RowStep::Element(step));
            dtypes.push(dtype);
            shapes.push(larger);
        }
    }
    (shapes.last()?[..] == *shape).then_some(())?;
    Some((steps, *dtypes.last()?))
}

/// The numbers of the values that an op reads, where the inputs come first.
fn positions(part: &ChainOp, inputs: usize) -> Vec<usize> {
    let operands = part.operands.iter().map(|operand| match operand {
        Operand::Input(i) => *i,
        Operand::Step(i) => inputs + i,
    });
    operands.collect()
}

/// An elementwise op on values of some dtypes as a step, and the dtype of its value; `None` if it isn't elementwise.
fn function(part: &ChainOp, operands: Vec<usize>, dtypes: &[DType]) -> Option<(Step, DType)> {
    let op: ElementOp = (part.op.element)(&part.attrs)?;
    let of: Vec<DType> = operands.iter().map(|i| dtypes[*i]).collect();
    let table = table_dtype(op, &of);
    let dtype = op.output(&of).ok()?;
    Some((Step::Element(op, table, operands), dtype))
}

/// The steps of a chain of elementwise ops, and their dtypes; `None` if an op isn't elementwise.
fn steps(parts: &[ChainOp], inputs: &[DType]) -> Option<(Vec<Step>, Vec<DType>)> {
    let mut steps: Vec<Step> = (0..inputs.len()).map(Step::Operand).collect();
    let mut dtypes = inputs.to_vec();
    for part in parts {
        let operands = positions(part, inputs.len());
        let (step, dtype) = function(part, operands, &dtypes)?;
        dtypes.push(dtype);
        steps.push(step);
    }
    Some((steps, dtypes))
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
    fused.run(&mut inputs, None, &mut out)?;
    Ok(out)
}
