//! Poolings and their gradients: reductions of the windows of images.

use graph_ir::ops;
use graph_kernels::{Array, DType, ElementOp, ReduceOp, Span, sizes_in};
use std::sync::Arc;

use super::parts::look_up;
use super::windows::{Inset, converted, gradient_steps, inset, sizes, steps, windows};
use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{
    Along, Change, Input, Kernels, Lookup, Number, Outside, Reduction, Scatter, Step, Target, View,
};
use crate::value::{Tensor, Value};

pub const OPS: &[(&str, Run)] = &[
    ("max_pool2d", max_pool),
    ("avg_pool2d", avg_pool),
    ("avg_pool2d_grad", avg_pool_grad),
    ("max_pool2d_grad", max_pool_grad),
    ("max_pool2d_grad_grad", max_pool_grad_grad),
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

/// Reduces the places of each window, which a view of inset images leads to.
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
    let insets = [0, 1].map(|axis| Inset::around(&spans[axis]));
    let lowest = Number::Lowest.bits(x.dtype);
    let images = inset(kernels, x, insets, lowest, x.dtype)?;
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
    // Most poolings have no padding; then the kernel takes the number itself, and nothing is copied from the host.
    let (first, are_equal) = (counts.first().copied(), counts.is_sorted_by(f32::eq));
    let array = Array::new(&[rows.len(), columns.len(), 1], counts);
    let tensor;
    let shape = &x.shape;
    let counts = match first {
        Some(count) if are_equal => Input::Value(DType::F32, u64::from(count.to_bits())),
        _ => {
            tensor = Value::of_host(kernels.gpu(), Arc::new(array))?;
            tensor.input(shape)?
        }
    };
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
    let inputs = [x.input(shape)?, counts];
    kernels.result(dtype, shape, |out| {
        Ok(kernels.map(&Target::Whole(out), shape, dtype, steps, &inputs)?)
    })
}

fn avg_pool(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let (x, shape) = (call.operand()?, call.shape()?);
    let spans = spans(call, &x.shape)?;
    let insets = [0, 1].map(|axis| Inset::around(&spans[axis]));
    let images = inset(kernels, x, insets, 0, summed_as(x.dtype))?;
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
    let insets = [0, 1].map(|axis| Inset::of_gradient(&spans[axis]));
    let images = inset(kernels, &shares, insets, 0, wide)?;
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

/// Where the largest value of each window is in the images. Each window reaches some pixel.
fn places_of_largest(kernels: &Kernels, x: &Tensor, spans: &[Span; 2]) -> Outcome {
    let [batch, _, _, channels] = sizes(&x.shape)?;
    let reaches = |span: &Span| (0..span.windows).all(|window| !span.inside(window).is_empty());
    if !spans.iter().all(reaches) {
        return Err(Trouble::NoKernel("a window is outside of the image"));
    }
    let shape = [batch, spans[0].windows, spans[1].windows, channels];
    let count = shape.iter().product();
    kernels.result(DType::I64, &shape, |out| {
        let images = (x.dtype, &**x.buffer()?);
        Ok(kernels.largest(out, images, [count, channels], spans)?)
    })
}

/// Whether no pixel is in two windows.
fn are_apart(spans: &[Span; 2]) -> bool {
    let apart = |span: &Span| span.stride > (span.places - 1) * span.dilation;
    spans.iter().all(apart)
}

/// Adds the gradient of each window to the pixel of its largest value.
fn max_pool_grad(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, g] = call.all()?;
    let spans = spans(call, &x.shape)?;
    let places = places_of_largest(kernels, x, &spans)?;
    if g.shape != places.shape || !Kernels::can_scatter(x.count(), g.count()) {
        return Err(Trouble::NoKernel("the gradient has another shape"));
    }
    // 16-bit sums are rounded once.
    let wide = match g.dtype {
        DType::F16 | DType::BF16 => DType::F32,
        other => other,
    };
    let count = [g.count()];
    let line = View::of(&count);
    let still = View::still(1);
    let updates = kernels.result(wide, &count, |out| {
        let input = [g.input_by(line.clone())?];
        let steps = converted(g.dtype, wide);
        Ok(kernels.map(&Target::Whole(out), &count, wide, steps, &input)?)
    })?;
    let sums = kernels.result(wide, &x.shape, |out| {
        let zero = [Input::Value(wide, 0)];
        let steps = vec![Step::Operand(0)];
        kernels.map(&Target::Whole(out), &x.shape, wide, steps, &zero)?;
        let scatter = Scatter {
            dtype: wide,
            change: Change::Combine(ElementOp::Add),
            rows: &count,
            positions: Lookup {
                start: still.clone(),
                along: vec![Along {
                    indices: places.input_by(line.clone())?,
                    size: x.count(),
                    stride: 1,
                }],
                outside: Outside::Wrong,
            },
            row: &[],
            elements: still,
            updates: updates.input_by(line)?,
            sorted: are_apart(&spans),
        };
        Ok(kernels.scatter(out, &scatter)?)
    })?;
    if wide == x.dtype {
        return Ok(sums);
    }
    let input = sums.input(&x.shape)?;
    kernels.result(x.dtype, &x.shape, |out| {
        let steps = converted(wide, x.dtype);
        Ok(kernels.map(&Target::Whole(out), &x.shape, x.dtype, steps, &[input])?)
    })
}

/// The values of another tensor where the largest ones are.
fn max_pool_grad_grad(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, values] = call.all()?;
    let spans = spans(call, &x.shape)?;
    if values.shape != x.shape {
        return Err(Trouble::NoKernel("the values have another shape"));
    }
    let places = places_of_largest(kernels, x, &spans)?;
    let shape = &places.shape;
    let start = View::still(4);
    let along = vec![Along {
        indices: places.input(shape)?,
        size: x.count(),
        stride: 1,
    }];
    look_up(kernels, values, shape, start, along, Outside::Wrong)
}
