//! Ops along one axis: positions of extremes, and running sums and products.

use graph_kernels::{DType, ElementOp, ReduceOp, normalize_axis};

use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Input, Kernels, PerAxis, Row, RowStep, ScannedRows, Step, View};

pub const OPS: &[(&str, Run)] = &[
    ("argmax", |kernels, call| {
        extreme(kernels, call, ReduceOp::Max)
    }),
    ("argmin", |kernels, call| {
        extreme(kernels, call, ReduceOp::Min)
    }),
    ("cumsum", |kernels, call| {
        running(kernels, call, ElementOp::Add)
    }),
    ("cumprod", |kernels, call| {
        running(kernels, call, ElementOp::Mul)
    }),
];

/// The steps of a row program: the position of the first element that is the largest or the smallest one, or 0 if all are NaN. The operands are the
/// elements and their positions.
fn extreme_steps(op: ReduceOp, dtype: DType) -> Vec<RowStep> {
    let mut steps: Vec<RowStep> = Vec::new();
    let mut push = |step| {
        steps.push(step);
        steps.len() - 1
    };
    let element =
        |op, dtype, inputs: &[usize]| RowStep::Element(Step::Element(op, dtype, inputs.to_vec()));
    let x = push(RowStep::Element(Step::Operand(0)));
    let position = push(RowStep::Element(Step::Operand(1)));
    let mut candidate = x;
    if dtype.is_float() {
        let worst = push(RowStep::Element(Step::Constant(dtype, worst(op, dtype))));
        let is_nan = push(element(ElementOp::IsNan, dtype, &[x]));
        candidate = push(element(ElementOp::Select, dtype, &[is_nan, worst, x]));
    }
    let best = push(RowStep::Reduce(op, dtype, candidate));
    let is_best = push(element(ElementOp::Equal, dtype, &[x, best]));
    let none = push(RowStep::Element(Step::Constant(
        DType::I64,
        i64::MAX as u64,
    )));
    let place = push(element(
        ElementOp::Select,
        DType::I64,
        &[is_best, position, none],
    ));
    let first = push(RowStep::Reduce(ReduceOp::Min, DType::I64, place));
    let is_none = push(element(ElementOp::Equal, DType::I64, &[first, none]));
    let zero = push(RowStep::Element(Step::Constant(DType::I64, 0)));
    push(element(
        ElementOp::Select,
        DType::I64,
        &[is_none, zero, first],
    ));
    steps
}

/// The bits of the infinity that no float is worse than.
fn worst(op: ReduceOp, dtype: DType) -> u64 {
    let (positive, sign) = match dtype {
        DType::F16 => (0x7C00, 1 << 15),
        DType::BF16 => (0x7F80, 1 << 15),
        DType::F32 => (0x7F80_0000, 1 << 31),
        _ => (0x7FF0_0000_0000_0000, 1 << 63),
    };
    match op {
        ReduceOp::Max => positive | sign,
        _ => positive,
    }
}

fn extreme(kernels: &Kernels, call: &Call<'_>, op: ReduceOp) -> Outcome {
    let (x, shape) = (call.operand()?, call.shape()?);
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    if x.shape[axis] == 0 || x.dtype == DType::Bool {
        return Err(Trouble::NoKernel("the axis is empty"));
    }
    let mut order: Vec<usize> = (0..x.shape.len()).filter(|other| *other != axis).collect();
    order.push(axis);
    let dims: Vec<usize> = order.iter().map(|axis| x.shape[*axis]).collect();
    let mut position = PerAxis::from_elem(0, dims.len());
    position[dims.len() - 1] = 1;
    let inputs = [
        x.input_by(View::of(&x.shape).permuted(&order))?,
        Input::Position(View {
            offset: 0,
            strides: position,
        }),
    ];
    kernels.result(DType::I64, shape, |out| {
        let row = Row {
            dims: &dims,
            dtype: DType::I64,
            steps: extreme_steps(op, x.dtype),
            inputs: &inputs,
            target: None,
        };
        Ok(kernels.rows(out, row)?)
    })
}

fn running(kernels: &Kernels, call: &Call<'_>, combine: ElementOp) -> Outcome {
    let x = call.operand()?;
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    let which = (call.attrs.bool("exclusive")?, call.attrs.bool("reverse")?);
    if x.dtype == DType::Bool {
        return Err(Trouble::NoKernel("truth values have no sums"));
    }
    let inner: usize = x.shape[axis + 1..].iter().product();
    let outer: usize = x.shape[..axis].iter().product();
    let rows = ScannedRows {
        rows: outer * inner,
        length: x.shape[axis],
        inner,
    };
    kernels.result(x.dtype, &x.shape, |out| {
        Ok(kernels.scan((out, x.buffer()?), rows, (x.dtype, combine), which)?)
    })
}
