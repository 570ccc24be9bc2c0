//! Gradients of convolutions and poolings. Their sizes must be known, as ONNX has them as attributes.

use graph_ir::ops::{self, OpDef, window};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::{Array, DType};

use super::common::{self, reshape, slice, transpose};
use super::conv::{
    Transposed, channels_first, channels_last, check_float, check_pooled, filters_first, known,
    places, pool,
};
use super::parts::{self, Meets};
use super::{Use, Write, Written};
use crate::onnx::export::kernels::computed_as;
use crate::onnx::export::writer::{Tensor, Writer};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::CONV2D_BACKPROP_INPUT, backprop_input),
    (&ops::CONV2D_BACKPROP_FILTER, backprop_filter),
    (&ops::MAX_POOL2D_GRAD, max_pool2d_grad),
    (&ops::MAX_POOL2D_GRAD_GRAD, max_pool2d_grad_grad),
    (&ops::AVG_POOL2D_GRAD, avg_pool2d_grad),
];

/// The shape of the result: what its type says, or else what the operand holds that is its shape.
fn shape(u: &Use<'_>, sizes: &Tensor) -> Shape {
    let own = (0..4).map(|axis| u.ty.shape.get(axis));
    let held = sizes.sizes.as_deref().unwrap_or_default();
    Shape::of(
        own.enumerate()
            .map(|(axis, size)| size.or_else(|| held.get(axis).copied().flatten())),
    )
}

/// The numbers of rows and columns of images of a type.
fn size(shape: &Shape) -> Result<[usize; 2], String> {
    let what = "the size of the images";
    Ok([known(shape.get(1), what)?, known(shape.get(2), what)?])
}

/// The transpose of the convolution.
fn backprop_input(u: &mut Use<'_>) -> Written {
    let (filters, gradient, window) = (&u.x[1], &u.x[2], window(u.attrs)?);
    check_float(gradient.dtype())?;
    let (what, shape) = ("the number of channels", shape(u, &u.x[0]));
    let (channels, depth) = (
        known(shape.get(3), what)?,
        known(filters.ty.shape.get(2), what)?,
    );
    let transposed = Transposed::new(window, size(&shape)?, places(filters)?)?;
    let (gradient, weights) = (channels_first(u.w, gradient), filters_first(u.w, filters));
    let groups = channels.checked_div(depth).unwrap_or(1);
    let result = transposed.write(u.w, &gradient, &weights, window, groups);
    Ok(channels_last(u.w, &result))
}

/// The images, with one of zeros behind them unless there surely are some: onnxruntime never ends a convolution of no channels.
fn some(w: &mut Writer, images: &Tensor, surely: bool) -> Tensor {
    if surely {
        return images.clone();
    }
    let pads = w.ints(&[0, 0, 0, 0, 1, 0, 0, 0]);
    w.op("Pad", &[images, &pads]).of(images.dtype())
}

/// A convolution of the images with the gradients as filters: the batch takes the place of the channels, and strides and dilations change
/// places. Its results beyond the filters' size belong to positions that no window reached.
fn backprop_filter(u: &mut Use<'_>) -> Written {
    let (x, gradient, window) = (&u.x[0], &u.x[2], window(u.attrs)?);
    check_float(x.dtype())?;
    let what = "the size of the filters";
    let shape = shape(u, &u.x[1]);
    let places = [known(shape.get(0), what)?, known(shape.get(1), what)?];
    let what = "the number of channels";
    if known(shape.get(2), what)? != known(x.ty.shape.get(3), what)? {
        return Err("ONNX has no gradient of a convolution in groups".to_owned());
    }
    let transposed = Transposed::new(window, size(&x.ty.shape)?, places)?;
    let batch = x.ty.shape.get(0).or(gradient.ty.shape.get(0));
    let surely = batch.is_some_and(|size| size > 0);
    let [images, filters] = [x, gradient].map(|x| {
        let x = some(u.w, x, surely);
        transpose(u.w, &x, &[3, 0, 1, 2])
    });
    let node = u.w.op("Conv", &[&images, &filters]);
    let ints = |values: [usize; 2]| values.map(|value| value as i64);
    let node = node
        .ints("strides", &ints(window.dilations))
        .ints("dilations", &ints(window.strides));
    let result = node.ints("pads", &transposed.pads).of(x.dtype());
    let ends = places.map(|places| places as i64);
    let [starts, ends, axes, steps] = [[0, 0], ends, [2, 3], [1, 1]].map(|list| u.w.ints(&list));
    let result = slice(u.w, &result, [&starts, &ends, &axes, &steps]);
    Ok(transpose(u.w, &result, &[2, 3, 0, 1]))
}

/// The positions of the largest values among all values of the images, as ONNX has them.
fn largest(u: &mut Use<'_>, image: &Tensor) -> Written {
    check_pooled(image.dtype())?;
    let image = u.w.cast(image, computed_as("MaxPool", image.dtype()));
    let node = pool(u.w, "MaxPool", &image, &u.x[0].ty.shape, u.attrs)?;
    let types = [image.dtype(), DType::I64].map(|dtype| TensorType::new(dtype, Shape::unknown()));
    Ok(node.give_all(&types).swap_remove(1))
}

fn max_pool2d_grad(u: &mut Use<'_>) -> Written {
    let image = channels_first(u.w, &u.x[0]);
    let part = largest(u, &image)?;
    let gradient = channels_first(u.w, &u.x[1]);
    let shape = u.w.op("Shape", &[&image]).of(DType::I64);
    let zeros = common::filled(u.w, 0.0, image.dtype(), &shape);
    let result = parts::write(u.w, &zeros, &part, &gradient, Meets::Adds);
    Ok(channels_last(u.w, &result))
}

fn max_pool2d_grad_grad(u: &mut Use<'_>) -> Written {
    let image = channels_first(u.w, &u.x[0]);
    let part = largest(u, &image)?;
    let values = channels_first(u.w, &u.x[1]);
    let values = common::flat(u.w, &values);
    let result = common::gather(u.w, &values, &part, 0);
    Ok(channels_last(u.w, &result))
}

/// Each window's gradient over the number of its values goes to all of them: a transposed convolution with ones, of each channel alone.
fn avg_pool2d_grad(u: &mut Use<'_>) -> Written {
    let (gradient, window) = (&u.x[1], window(u.attrs)?);
    let (size, places) = (size(&shape(u, &u.x[0]))?, ops::pair(u.attrs, "size")?);
    let transposed = Transposed::new(window, size, places)?;
    let counts = [0, 1].map(|axis| {
        let span = window
            .span(axis, size[axis], places[axis])
            .map_err(|error| error.to_string());
        span.map(|span| {
            (0..span.windows)
                .map(|n| span.inside(n).len())
                .collect::<Vec<usize>>()
        })
    });
    let [rows, columns] = counts;
    let (rows, columns) = (rows?, columns?);
    let all = rows
        .iter()
        .flat_map(|n| columns.iter().map(move |m| (n * m) as f64));
    let counts = Array::new(&[rows.len(), columns.len()], all.collect::<Vec<f64>>());
    let w = &mut *u.w;
    let counts = w.converted(&counts, gradient.dtype());
    let gradient = channels_first(w, gradient);
    let shares = w.op("Div", &[&gradient, &counts]).of(gradient.dtype());
    let single = w.ints(&[-1, 1, rows.len() as i64, columns.len() as i64]);
    let shares = w.op("Reshape", &[&shares, &single]).of(gradient.dtype());
    let ones = Array::new(
        &[1, 1, places[0], places[1]],
        vec![1.0; places[0] * places[1]],
    );
    let ones = w.converted(&ones, gradient.dtype());
    let spread = transposed.write(w, &shares, &ones, window, 1);
    let outer = w.op("Shape", &[&gradient]).int("end", 2).of(DType::I64);
    let inner = w.ints(&size.map(|size| size as i64));
    let shape = common::join(w, &[&outer, &inner]);
    let spread = reshape(w, &spread, &shape);
    Ok(channels_last(w, &spread))
}
