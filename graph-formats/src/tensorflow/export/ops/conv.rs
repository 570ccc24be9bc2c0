//! Convolutions, poolings and their gradients.

use graph_ir::ops::{Attrs, pair, window};
use graph_ir::types::TensorType;
use graph_kernels::Padding;

use super::Rules;
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::Tensor;
use crate::tensorflow::export::writer::{Building, Writer};

pub(super) const RULES: Rules = &[
    ("conv2d", |w, x, a, ty| {
        Ok(windowed(w.op("Conv2D", &[&x[0], &x[1]]), a)?.gives(ty.clone()))
    }),
    ("depthwise_conv2d", |w, x, a, ty| {
        Ok(windowed(w.op("DepthwiseConv2dNative", &[&x[0], &x[1]]), a)?.gives(ty.clone()))
    }),
    ("conv2d_transpose", conv2d_transpose),
    ("conv2d_backprop_input", |w, x, a, ty| {
        let sizes = w.cast(&x[0], graph_kernels::DType::I32);
        Ok(windowed(w.op("Conv2DBackpropInput", &[&sizes, &x[1], &x[2]]), a)?.gives(ty.clone()))
    }),
    ("conv2d_backprop_filter", |w, x, a, ty| {
        let sizes = w.cast(&x[1], graph_kernels::DType::I32);
        Ok(windowed(w.op("Conv2DBackpropFilter", &[&x[0], &sizes, &x[2]]), a)?.gives(ty.clone()))
    }),
    ("max_pool2d", |w, x, a, ty| {
        Ok(pooled(w.op("MaxPool", &[&x[0]]), a, true)?.gives(ty.clone()))
    }),
    ("avg_pool2d", |w, x, a, ty| {
        Ok(pooled(w.op("AvgPool", &[&x[0]]), a, false)?.gives(ty.clone()))
    }),
    ("max_pool2d_grad", |w, x, a, ty| {
        let largest = pooled(w.op("MaxPool", &[&x[0]]), a, true)?.like(&x[1]);
        Ok(pooled(w.op("MaxPoolGrad", &[&x[0], &largest, &x[1]]), a, true)?.gives(ty.clone()))
    }),
    ("max_pool2d_grad_grad", |w, x, a, ty| {
        let largest = pooled(w.op("MaxPool", &[&x[0]]), a, false)?.gives(ty.clone());
        Ok(pooled(w.op("MaxPoolGradGrad", &[&x[0], &largest, &x[1]]), a, false)?.gives(ty.clone()))
    }),
    ("avg_pool2d_grad", |w, x, a, ty| {
        let sizes = w.cast(&x[0], graph_kernels::DType::I32);
        Ok(pooled(w.op("AvgPoolGrad", &[&sizes, &x[1]]), a, false)?.gives(ty.clone()))
    }),
];

/// Two sizes of images as four of arrays `[batch, rows, columns, channels]`.
fn four([rows, columns]: [usize; 2]) -> crate::tensorflow::proto::AttrValue {
    attributes::ints(&[1, rows as i64, columns as i64, 1])
}

/// The attributes of strides and padding.
fn strided<'w>(node: Building<'w>, a: &Attrs, explicit: bool) -> Result<Building<'w>, String> {
    let window = window(a)?;
    let node = node.attr("strides", four(window.strides));
    Ok(match window.padding {
        Padding::Valid => node.attr("padding", attributes::text("VALID")),
        Padding::Same => node.attr("padding", attributes::text("SAME")),
        Padding::Explicit(_) if !explicit => {
            return Err("TensorFlow's op takes no explicit padding".to_owned());
        }
        Padding::Explicit([[top, bottom], [left, right]]) => {
            let pads = [
                0,
                0,
                top as i64,
                bottom as i64,
                left as i64,
                right as i64,
                0,
                0,
            ];
            node.attr("padding", attributes::text("EXPLICIT"))
                .attr("explicit_paddings", attributes::ints(&pads))
        }
    })
}

/// The attributes of a convolution.
fn windowed<'w>(node: Building<'w>, a: &Attrs) -> Result<Building<'w>, String> {
    let dilations = four(window(a)?.dilations);
    Ok(strided(node, a, true)?.attr("dilations", dilations))
}

/// The attributes of a pooling.
fn pooled<'w>(node: Building<'w>, a: &Attrs, explicit: bool) -> Result<Building<'w>, String> {
    if window(a)?.dilations != [1, 1] {
        return Err("TensorFlow's op takes no dilations".to_owned());
    }
    let size = four(pair(a, "size")?);
    Ok(strided(node, a, explicit)?.attr("ksize", size))
}

/// The transpose of a convolution of images of a size, with as many channels as the filters' third axis has positions.
fn conv2d_transpose(
    w: &mut Writer,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let size = pair(a, "size")?.map(|n| n as i64);
    let (batch, channels) = (w.axis_size(&x[0], 0), w.axis_size(&x[1], 2));
    let [rows, columns] = size.map(|n| w.int(n));
    let sizes = w.packed(&[batch, rows, columns, channels]);
    let transposed = w.op("Conv2DBackpropInput", &[&sizes, &x[1], &x[0]]);
    Ok(windowed(transposed, a)?.gives(ty.clone()))
}
