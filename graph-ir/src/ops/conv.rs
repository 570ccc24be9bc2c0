//! Convolutions and poolings of images `[batch, rows, columns, channels]`.

use graph_kernels::{self as kernels, Array, DType, KernelError, Padding, Window};

use super::rules::{Class, FLOAT, Inferred, NUMBER, check_class, check_same_dtype, operands, text};
use super::table::op_table;
use super::{Attr, AttrError, Attrs};
use crate::types::{Dim, Shape, TensorType};

op_table! {
    CONV2D "conv2d" ["strides", "dilations", "padding", "pads"]: conv2d(),
        (|x, a, out| kernels::conv2d(x[0], x[1], window(a)?, out)), tf "Conv2D", onnx "Conv",
        "The convolution of [batch, rows, columns, channels] with filters [rows, columns, depth, filters] -> [batch, rows', columns', filters]; in channels / depth groups.";
    DEPTHWISE_CONV2D "depthwise_conv2d" ["strides", "dilations", "padding", "pads"]: depthwise_conv2d(),
        (|x, a, out| kernels::depthwise_conv2d(x[0], x[1], window(a)?, out)), tf "DepthwiseConv2dNative", onnx "Conv",
        "The convolution of each channel of [batch, rows, columns, channels] with its own filters [rows, columns, channels, n] -> [batch, rows', columns', channels * n].";
    CONV2D_TRANSPOSE "conv2d_transpose" ["size", "strides", "dilations", "padding", "pads"]: conv2d_transpose(),
        (|x, a, out| kernels::conv2d_transpose(x[0], x[1], pair(a, "size")?, window(a)?, out)), tf "Conv2DBackpropInput", onnx "ConvTranspose",
        "The transpose of the convolution of images of `size` with filters [rows, columns, filters, channels]: [batch, rows', columns', channels] -> [batch, size.., filters].";
    MAX_POOL2D "max_pool2d" ["size", "strides", "dilations", "padding", "pads"]: pool(NUMBER),
        (|x, a, out| pooled(kernels::max_pool2d, x, a, out)), tf "MaxPool", onnx "MaxPool",
        "The largest value in each window of `size` of [batch, rows, columns, channels]; NaN wins, padding doesn't count.";
    AVG_POOL2D "avg_pool2d" ["size", "strides", "dilations", "padding", "pads"]: pool(FLOAT),
        (|x, a, out| pooled(kernels::avg_pool2d, x, a, out)), linear in floats, tf "AvgPool", onnx "AveragePool",
        "The mean of the values in each window of `size` of [batch, rows, columns, channels]; padding doesn't count.";
}

/// Appends the attributes of a window to other attributes.
pub fn with_window(attrs: Attrs, window: Window) -> Attrs {
    let (padding, pads) = match window.padding {
        Padding::Valid => ("VALID", [[0; 2]; 2]),
        Padding::Same => ("SAME", [[0; 2]; 2]),
        Padding::Explicit(pads) => ("EXPLICIT", pads),
    };
    attrs
        .with("strides", counts(&window.strides))
        .with("dilations", counts(&window.dilations))
        .with("padding", Attr::Text(padding.to_owned()))
        .with("pads", counts(pads.as_flattened()))
}

/// An attribute that is a list of counts.
pub fn counts(values: &[usize]) -> Attr {
    let count = |n: &usize| i64::try_from(*n).unwrap_or(i64::MAX);
    Attr::Ints(values.iter().map(count).collect())
}

pub(super) fn window(attrs: &Attrs) -> Result<Window, AttrError> {
    let [top, bottom, left, right] = sizes(attrs, "pads")?;
    let padding = match attrs.text("padding")? {
        "VALID" => Padding::Valid,
        "SAME" => Padding::Same,
        "EXPLICIT" => Padding::Explicit([[top, bottom], [left, right]]),
        _ => return Err(AttrError::new("padding", "`VALID`, `SAME` or `EXPLICIT`")),
    };
    Ok(Window {
        strides: pair(attrs, "strides")?,
        dilations: pair(attrs, "dilations")?,
        padding,
    })
}

pub(super) fn pair(attrs: &Attrs, name: &str) -> Result<[usize; 2], AttrError> {
    sizes(attrs, name)
}

/// An attribute that is a list of exactly `N` sizes.
fn sizes<const N: usize>(attrs: &Attrs, name: &str) -> Result<[usize; N], AttrError> {
    let given = <[i64; N]>::try_from(attrs.ints(name)?).ok();
    given
        .filter(|sizes| sizes.iter().all(|n| (0..=isize::MAX as i64).contains(n)))
        .map(|sizes| sizes.map(|n| n as usize))
        .ok_or_else(|| AttrError::new(name, if N == 2 { "two sizes" } else { "four sizes" }))
}

fn pooled(
    kernel: fn(&Array, [usize; 2], Window, &mut Array) -> Result<(), KernelError>,
    x: &[&Array],
    attrs: &Attrs,
    out: &mut Array,
) -> Result<(), KernelError> {
    kernel(x[0], pair(attrs, "size")?, window(attrs)?, out)
}

/// The four sizes of an image or a filter; those that aren't known are `None`.
pub(super) fn sizes4(op: &str, shape: &Shape) -> Result<[Dim; 4], String> {
    match shape.dims() {
        None => Ok([None; 4]),
        Some(dims) => dims
            .try_into()
            .map_err(|_| format!("`{op}` takes operands of rank 4, not of shape {shape}")),
    }
}

/// The number of windows along an axis.
pub(super) fn windows(window: Window, axis: usize, size: Dim, places: Dim) -> Result<Dim, String> {
    let (Some(size), Some(places)) = (size, places) else {
        return Ok(None);
    };
    let count = window.count(axis, size, places);
    count.map(Some).map_err(|error| error.to_string())
}

/// The sizes of images and of filters, which must have the same dtype of this class.
fn images(
    op: &str,
    types: &[TensorType],
    class: Class,
) -> Result<([Dim; 4], [Dim; 4], DType), String> {
    let [x, filter] = operands(op, types)?;
    check_same_dtype(op, x, filter)?;
    check_class(op, class, x.dtype)?;
    Ok((sizes4(op, &x.shape)?, sizes4(op, &filter.shape)?, x.dtype))
}

/// The sizes of images and of filters, which must have the same float dtype and the same number of channels; the filter's axis of
/// channels is `depth`.
fn images_of_equal_depth(
    op: &str,
    types: &[TensorType],
    depth: usize,
) -> Result<([Dim; 4], [Dim; 4], DType), String> {
    let (image, filters, dtype) = images(op, types, FLOAT)?;
    let (channels, own) = (image[3], filters[depth]);
    if let (Some(channels), Some(own)) = (channels, own)
        && channels != own
    {
        return Err(format!(
            "input depth must be equal to filter depth: {channels} vs {own} ({} and {})",
            types[0].shape, types[1].shape
        ));
    }
    Ok((image, filters, dtype))
}

fn conv2d(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let ([batch, height, width, channels], [rows, columns, depth, filters], dtype) =
        images(op, types, NUMBER)?;
    if let (Some(channels), Some(depth)) = (channels, depth) {
        // An unknown number counts as divisible by any number of groups.
        text(kernels::conv_groups(channels, depth, filters.unwrap_or(0)))?;
    }
    let window = window(attrs)?;
    let sizes = [
        windows(window, 0, height, rows)?,
        windows(window, 1, width, columns)?,
    ];
    Ok(TensorType::new(
        dtype,
        Shape::of([batch, sizes[0], sizes[1], filters]),
    ))
}

fn depthwise_conv2d(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let ([batch, height, width, channels], [rows, columns, depth, n], dtype) =
        images_of_equal_depth(op, types, 2)?;
    let window = window(attrs)?;
    let sizes = [
        windows(window, 0, height, rows)?,
        windows(window, 1, width, columns)?,
    ];
    let filters = match (channels.or(depth), n) {
        (Some(channels), Some(n)) => Some(channels.saturating_mul(n)),
        _ => None,
    };
    Ok(TensorType::new(
        dtype,
        Shape::of([batch, sizes[0], sizes[1], filters]),
    ))
}

fn conv2d_transpose(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let ([batch, height, width, _], [rows, columns, filters, _], dtype) =
        images_of_equal_depth(op, types, 3)?;
    let (window, size) = (window(attrs)?, pair(attrs, "size")?);
    for (axis, actual, places) in [(0, height, rows), (1, width, columns)] {
        let computed = windows(window, axis, Some(size[axis]), places)?;
        if let (Some(computed), Some(actual)) = (computed, actual)
            && computed != actual
        {
            return Err(format!(
                "Size of out_backprop doesn't match computed: actual = {actual}, computed = {computed}"
            ));
        }
    }
    let size = size.map(Some);
    Ok(TensorType::new(
        dtype,
        Shape::of([batch, size[0], size[1], filters]),
    ))
}

pub(super) fn pool(op: &str, types: &[TensorType], attrs: &Attrs, class: Class) -> Inferred {
    let [x] = operands(op, types)?;
    check_class(op, class, x.dtype)?;
    let [batch, height, width, channels] = sizes4(op, &x.shape)?;
    let (window, size) = (window(attrs)?, pair(attrs, "size")?);
    let rows = windows(window, 0, height, Some(size[0]))?;
    let columns = windows(window, 1, width, Some(size[1]))?;
    Ok(TensorType::new(
        x.dtype,
        Shape::of([batch, rows, columns, channels]),
    ))
}
