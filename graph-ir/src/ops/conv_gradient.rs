//! Ops for the gradients of convolutions and poolings of images `[batch, rows, columns, channels]`. Each of these ops is linear in
//! a gradient, and its own gradient is another of them, or the convolution or pooling itself.

use graph_kernels as kernels;

use super::Attrs;
use super::conv::{pair, pool, sizes4, window, windows};
use super::dynamic::of_rank;
use super::rules::{
    FLOAT, Inferred, NUMBER, check_class, check_same_dtype, int_vector, merge, operands,
};
use super::table::op_table;
use crate::types::{Shape, TensorType};

op_table! {
    CONV2D_BACKPROP_INPUT "conv2d_backprop_input" ["strides", "dilations", "padding", "pads"]: backprop_input(),
        (|x, a, out| kernels::conv2d_backprop_input(&kernels::sizes_in("conv2d_backprop_input", x[0])?, x[1], x[2], window(a)?, out)),
        tf "Conv2DBackpropInput",
        "The gradient with respect to images of the sizes [4], from filters and the gradient with respect to their `conv2d`.";
    CONV2D_BACKPROP_FILTER "conv2d_backprop_filter" ["strides", "dilations", "padding", "pads"]: backprop_filter(),
        (|x, a, out| kernels::conv2d_backprop_filter(x[0], &kernels::sizes_in("conv2d_backprop_filter", x[1])?, x[2], window(a)?, out)),
        tf "Conv2DBackpropFilter",
        "The gradient with respect to filters of the sizes [4], from images and the gradient with respect to their `conv2d`.";
    MAX_POOL2D_GRAD "max_pool2d_grad" ["size", "strides", "dilations", "padding", "pads"]: pool_grad(),
        (|x, a, out| kernels::max_pool2d_grad(x[0], x[1], pair(a, "size")?, window(a)?, out)),
        tf "MaxPoolGrad",
        "The gradient with respect to images from that with respect to their `max_pool2d`: the first largest value of a window gets it.";
    MAX_POOL2D_GRAD_GRAD "max_pool2d_grad_grad" ["size", "strides", "dilations", "padding", "pads"]: pool_grad_grad(),
        (|x, a, out| kernels::max_pool2d_grad_grad(x[0], x[1], pair(a, "size")?, window(a)?, out)),
        tf "MaxPoolGradGrad",
        "The values of the second operand where the first largest value of each window of the first is.";
    AVG_POOL2D_GRAD "avg_pool2d_grad" ["size", "strides", "dilations", "padding", "pads"]: avg_pool_grad(),
        (|x, a, out| kernels::avg_pool2d_grad(&kernels::sizes_in("avg_pool2d_grad", x[0])?, x[1], pair(a, "size")?, window(a)?, out)),
        linear in floats, tf "AvgPoolGrad",
        "The gradient with respect to images of the sizes [4] from that with respect to their `avg_pool2d`.";
}

/// The shape that an operand with four sizes describes.
fn four(op: &str, sizes: &TensorType) -> Result<Shape, String> {
    merge(op, &of_rank(int_vector(op, sizes)?), &Shape::of([None; 4]))
}

fn backprop_input(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [sizes, filter, g] = operands(op, types)?;
    check_same_dtype(op, filter, g)?;
    check_class(op, FLOAT, g.dtype)?;
    window(attrs)?;
    sizes4(op, &filter.shape)?;
    let [batch, ..] = sizes4(op, &g.shape)?;
    let shape = merge(op, &four(op, sizes)?, &Shape::of([batch, None, None, None]))?;
    Ok(TensorType::new(g.dtype, shape))
}

fn backprop_filter(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, sizes, g] = operands(op, types)?;
    check_same_dtype(op, x, g)?;
    check_class(op, FLOAT, g.dtype)?;
    window(attrs)?;
    sizes4(op, &x.shape)?;
    let [.., filters] = sizes4(op, &g.shape)?;
    let shape = merge(
        op,
        &four(op, sizes)?,
        &Shape::of([None, None, None, filters]),
    )?;
    Ok(TensorType::new(g.dtype, shape))
}

fn pool_grad(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, g] = operands(op, types)?;
    check_same_dtype(op, x, g)?;
    let pooled = pool(op, std::slice::from_ref(x), attrs, NUMBER)?;
    merge(op, &pooled.shape, &g.shape)?;
    Ok(x.clone())
}

fn pool_grad_grad(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, values] = operands(op, types)?;
    check_same_dtype(op, x, values)?;
    let x = TensorType::new(x.dtype, merge(op, &x.shape, &values.shape)?);
    pool(op, &[x], attrs, NUMBER)
}

fn avg_pool_grad(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [sizes, g] = operands(op, types)?;
    check_class(op, FLOAT, g.dtype)?;
    let size = pair(attrs, "size")?;
    for (axis, places) in size.into_iter().enumerate() {
        // A window without positions or with a step of 0 is rejected, whatever the size of the images is.
        windows(window(attrs)?, axis, Some(usize::MAX / 2), Some(places))?;
    }
    let [batch, _, _, channels] = sizes4(op, &g.shape)?;
    let shape = merge(
        op,
        &four(op, sizes)?,
        &Shape::of([batch, None, None, channels]),
    )?;
    Ok(TensorType::new(g.dtype, shape))
}
