//! Reductions over any axes.

use graph_kernels::{ReduceOp, normalize_axis};

use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Kernels, Reduction, Step, View};
use crate::value::Tensor;

pub const OPS: &[(&str, Run)] = &[("sum_to", sum_to)];

/// The op's reduction over the axes that its attributes name.
pub fn run(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    let op = call.op.reduction;
    let op = op.ok_or(Trouble::NoKernel("it is no reduction"))?;
    let axes = call.attrs.ints("axes")?;
    let axes: Result<Vec<usize>, _> = axes
        .iter()
        .map(|axis| normalize_axis(*axis, x.shape.len()))
        .collect();
    let mut axes = axes?;
    if axes.is_empty() {
        axes = (0..x.shape.len()).collect();
    }
    reduce(kernels, op, x, &axes, call.shape()?)
}

/// Reduces some axes of a tensor. The result has this shape.
fn reduce(kernels: &Kernels, op: ReduceOp, x: &Tensor, axes: &[usize], shape: &[usize]) -> Outcome {
    let is_reduced = |axis: &usize| axes.contains(axis);
    let all = 0..x.shape.len();
    let mut order: Vec<usize> = all.clone().filter(|axis| !is_reduced(axis)).collect();
    let kept = order.len();
    order.extend(all.filter(is_reduced));
    let dims: Vec<usize> = order.iter().map(|axis| x.shape[*axis]).collect();
    let input = x.input_by(View::of(&x.shape).permuted(&order))?;
    kernels.result(x.dtype, shape, |out| {
        let reduction = Reduction {
            op,
            dims: &dims,
            kept,
            dtype: x.dtype,
            steps: vec![Step::Operand(0)],
            inputs: &[input],
        };
        Ok(kernels.reduce(out, reduction)?)
    })
}

/// The sum over the axes along which a tensor of the wanted shape would be repeated.
fn sum_to(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, sizes] = call.all()?;
    let sizes = sizes.fetch()?;
    let wanted = graph_kernels::sizes_in("sum_to", &sizes)?;
    let missing = x.shape.len().checked_sub(wanted.len());
    let missing = missing.ok_or(Trouble::NoKernel("the wanted shape is larger"))?;
    let repeated = |axis: &usize| {
        let size = axis.checked_sub(missing).map(|axis| wanted[axis]);
        size.is_none_or(|size| size != x.shape[*axis])
    };
    let axes: Vec<usize> = (0..x.shape.len()).filter(repeated).collect();
    let fits = axes
        .iter()
        .all(|axis| *axis < missing || wanted[*axis - missing] == 1);
    if !fits {
        return Err(Trouble::NoKernel("the shapes don't broadcast"));
    }
    if axes.is_empty() {
        return Ok(x.reshaped(&wanted));
    }
    reduce(kernels, ReduceOp::Sum, x, &axes, &wanted)
}
