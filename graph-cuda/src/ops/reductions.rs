//! Reductions over any axes, and what is made of them along one axis.

use graph_kernels::{DType, ElementOp, ReduceOp, normalize_axis};

use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Kernels, Reduction, Step, Target, View};
use crate::value::{Tensor, Value};

pub const OPS: &[(&str, Run)] = &[
    ("softmax", softmax),
    ("log_softmax", log_softmax),
    ("sum_to", sum_to),
];

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

fn softmax(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let (exponentials, sums) = exponentials(kernels, call)?;
    binary(kernels, ElementOp::Div, &exponentials.0, &sums, call.dtype)
}

fn log_softmax(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let (exponentials, sums) = exponentials(kernels, call)?;
    let wide = sums.dtype;
    let shape = &sums.shape;
    let logarithm = vec![
        Step::Operand(0),
        Step::Element(ElementOp::Log, wide, vec![0]),
    ];
    let input = sums.input(shape)?;
    let logarithms = kernels.result(wide, shape, |out| {
        Ok(kernels.map(&Target::Whole(out), shape, wide, logarithm, &[input])?)
    })?;
    binary(
        kernels,
        ElementOp::Sub,
        &exponentials.1,
        &logarithms,
        call.dtype,
    )
}

/// The exponentials of the differences from the largest value along the axis, with these differences, and the sums of the exponentials. 16-bit floats
/// are calculated in `f32`.
fn exponentials(kernels: &Kernels, call: &Call<'_>) -> Result<((Tensor, Tensor), Tensor), Trouble> {
    let x = call.operand()?;
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    let wide = match x.dtype {
        DType::F64 => DType::F64,
        _ => DType::F32,
    };
    let mut column = x.shape.clone();
    column[axis] = 1;
    let largest = reduce(kernels, ReduceOp::Max, x, &[axis], &column)?;
    let differences = binary(kernels, ElementOp::Sub, x, &largest, wide)?;
    let input = differences.input(&x.shape)?;
    let exponential = vec![
        Step::Operand(0),
        Step::Element(ElementOp::Exp, wide, vec![0]),
    ];
    let exponentials = kernels.result(wide, &x.shape, |out| {
        Ok(kernels.map(&Target::Whole(out), &x.shape, wide, exponential, &[input])?)
    })?;
    let sums = reduce(kernels, ReduceOp::Sum, &exponentials, &[axis], &column)?;
    Ok(((exponentials, differences), sums))
}

/// A function of two tensors with a result of another precision than theirs; it is computed in the widest of the three.
fn binary(kernels: &Kernels, op: ElementOp, x: &Tensor, y: &Tensor, dtype: DType) -> Outcome {
    let is_double = [x.dtype, y.dtype, dtype].contains(&DType::F64);
    let wide = if is_double { DType::F64 } else { DType::F32 };
    let mut steps = vec![Step::Operand(0), Step::Operand(1)];
    let mut converted = |value: usize, from: DType, to: DType| -> usize {
        match ElementOp::conversion(to) {
            Some(op) if from != to => {
                steps.push(Step::Element(op, from, vec![value]));
                steps.len() - 1
            }
            _ => value,
        }
    };
    let operands = vec![converted(0, x.dtype, wide), converted(1, y.dtype, wide)];
    steps.push(Step::Element(op, wide, operands));
    if let (true, Some(op)) = (wide != dtype, ElementOp::conversion(dtype)) {
        steps.push(Step::Element(op, wide, vec![steps.len() - 1]));
    }
    let shape = &x.shape;
    let inputs = [x.input(shape)?, y.input(shape)?];
    let out = kernels.room(dtype, shape)?;
    kernels.map(&Target::Whole(&out), shape, dtype, steps, &inputs)?;
    Ok(Value::computed(dtype, shape, out))
}
