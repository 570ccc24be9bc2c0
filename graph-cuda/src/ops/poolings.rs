//! Poolings and their gradients: reductions of the windows of images.

use graph_ir::ops;
use graph_kernels::{Array, DType, ElementOp, ReduceOp, Span, sizes_in};
use std::sync::Arc;

use super::numbers::Number;
use super::windows::{Frame, converted, framed, gradient_steps, sizes, steps, windows};
use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Kernels, Reduction, Step, Target, View};
use crate::value::{Tensor, Value};

pub const OPS: &[(&str, Run)] = &[
    ("max_pool2d", max_pool),
    ("avg_pool2d", avg_pool),
    ("avg_pool2d_grad", avg_pool_grad),
];

/// The windows of images of these sizes.
fn spans(call: &Call<'_>, images: &[usize]) -> Result<[Span; 2], Trouble> {
    let [_, height, width, _] = sizes(images)?;
    let [rows, columns] = ops::pair(call.attrs, "size")?;
    let window = ops::window(call.attrs)?;
    Ok([
        window.span(0, height, rows)?,
        window.span(1, width, columns)?,
    ])
}

/// Reduces the places of each window, which a view of framed images leads to.
fn reduced(
    kernels: &Kernels,
    op: ReduceOp,
    images: &Tensor,
    view: &View,
    [shape, places]: [&[usize]; 2],
) -> Outcome {
    let [batch, rows, columns, channels] = sizes(shape)?;
    let dims = [batch, rows, columns, channels, places[0], places[1]];
    let view = view.permuted(&[0, 1, 2, 5, 3, 4]);
    let input = images.input_by(view)?;
    kernels.result(images.dtype, shape, |out| {
        let reduction = Reduction {
            op,
            dims: &dims,
            kept: 4,
            dtype: images.dtype,
            steps: vec![Step::Operand(0)],
            inputs: &[input],
        };
        Ok(kernels.reduce(out, reduction)?)
    })
}

fn max_pool(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let (x, shape) = (call.operand()?, call.shape()?);
    let spans = spans(call, &x.shape)?;
    let frames = [0, 1].map(|axis| Frame::around(&spans[axis]));
    let lowest = Number::Lowest.bits(x.dtype);
    let images = framed(kernels, x, frames, lowest, x.dtype)?;
    let view = windows(&images, [0, 0], steps(&spans));
    let places = spans.map(|span| span.places);
    reduced(kernels, ReduceOp::Max, &images, &view, [shape, &places])
}

/// The dtype in which sums are computed.
fn summed_as(dtype: DType) -> DType {
    match dtype {
        DType::F64 => DType::F64,
        _ => DType::F32,
    }
}

/// Values divided by the number of pixels in each window; `dtype` is the result's.
fn divided(kernels: &Kernels, x: &Tensor, spans: &[Span; 2], dtype: DType) -> Outcome {
    let counts = |span: &Span| -> Vec<usize> {
        let windows = 0..span.windows;
        windows.map(|window| span.inside(window).len()).collect()
    };
    let [rows, columns] = [0, 1].map(|axis| counts(&spans[axis]));
    let all = rows
        .iter()
        .flat_map(|row| columns.iter().map(move |column| row * column));
    let counts: Vec<f32> = all.map(|count| count as f32).collect();
    let array = Array::new(&[rows.len(), columns.len(), 1], counts);
    let counts = Value::of_host(kernels.gpu(), Arc::new(array))?;
    let wide = summed_as(x.dtype);
    let mut steps = vec![Step::Operand(0), Step::Operand(1)];
    let mut convert = |from: DType, to: DType, value: usize| match ElementOp::conversion(to) {
        Some(op) if from != to => {
            steps.push(Step::Element(op, from, vec![value]));
            steps.len() - 1
        }
        _ => value,
    };
    let (value, count) = (convert(x.dtype, wide, 0), convert(DType::F32, wide, 1));
    steps.push(Step::Element(ElementOp::Div, wide, vec![value, count]));
    if let (true, Some(op)) = (wide != dtype, ElementOp::conversion(dtype)) {
        steps.push(Step::Element(op, wide, vec![steps.len() - 1]));
    }
    let shape = &x.shape;
    let inputs = [x.input(shape)?, counts.input(shape)?];
    kernels.result(dtype, shape, |out| {
        Ok(kernels.map(&Target::Whole(out), shape, dtype, steps, &inputs)?)
    })
}

fn avg_pool(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let (x, shape) = (call.operand()?, call.shape()?);
    let spans = spans(call, &x.shape)?;
    let frames = [0, 1].map(|axis| Frame::around(&spans[axis]));
    let images = framed(kernels, x, frames, 0, summed_as(x.dtype))?;
    let view = windows(&images, [0, 0], steps(&spans));
    let places = spans.map(|span| span.places);
    let sums = reduced(kernels, ReduceOp::Sum, &images, &view, [shape, &places])?;
    divided(kernels, &sums, &spans, x.dtype)
}

/// Each pixel's sum of the shares that it has in the windows that it is in.
fn avg_pool_grad(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [sizes, g] = call.all()?;
    let sizes = sizes_in("avg_pool2d_grad", &*sizes.fetch()?)?;
    let spans = spans(call, &sizes)?;
    if g.shape[..] != [sizes[0], spans[0].windows, spans[1].windows, sizes[3]] {
        return Err(Trouble::NoKernel("the gradient has another shape"));
    }
    let wide = summed_as(g.dtype);
    let shares = divided(kernels, g, &spans, wide)?;
    let frames = [0, 1].map(|axis| Frame::of_gradient(&spans[axis]));
    let images = framed(kernels, &shares, frames, 0, wide)?;
    let before = spans.map(|span| span.before);
    let view = windows(&images, before, gradient_steps(&spans));
    let places = spans.map(|span| span.places);
    let sums = reduced(kernels, ReduceOp::Sum, &images, &view, [&sizes, &places])?;
    if wide == g.dtype {
        return Ok(sums);
    }
    let input = sums.input(&sizes)?;
    kernels.result(g.dtype, &sizes, |out| {
        let steps = converted(wide, g.dtype);
        Ok(kernels.map(&Target::Whole(out), &sizes, g.dtype, steps, &[input])?)
    })
}
