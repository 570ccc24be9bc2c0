//! Convolutions and poolings. Images here are [batch, rows, columns, channels], and in ONNX [batch, channels, rows, columns].

use graph_ir::ops::{self, OpDef, window};
use graph_ir::types::Shape;
use graph_kernels::{DType, Padding, Window};

use super::common::{self, transpose};
use super::{Use, Write, Written};
use crate::onnx::export::writer::{Building, Tensor, Writer};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::CONV2D, conv2d),
    (&ops::DEPTHWISE_CONV2D, depthwise_conv2d),
    (&ops::CONV2D_TRANSPOSE, conv2d_transpose),
    (&ops::MAX_POOL2D, max_pool2d),
    (&ops::AVG_POOL2D, avg_pool2d),
];

/// Images as ONNX has them.
pub(super) fn channels_first(w: &mut Writer, x: &Tensor) -> Tensor {
    transpose(w, x, &[0, 3, 1, 2])
}

/// Images as they are here.
pub(super) fn channels_last(w: &mut Writer, x: &Tensor) -> Tensor {
    transpose(w, x, &[0, 2, 3, 1])
}

/// Filters [rows, columns, depth, filters] as [filters, depth, rows, columns].
pub(super) fn filters_first(w: &mut Writer, filters: &Tensor) -> Tensor {
    transpose(w, filters, &[3, 2, 0, 1])
}

fn ints(values: [usize; 2]) -> [i64; 2] {
    values.map(|value| value as i64)
}

/// Adds a window's strides, dilations and padding, for images of a shape (as they are here) and windows of these numbers of places.
///
/// # Errors
/// If the padding follows from sizes that aren't known: the runtime computes it only for windows without holes.
fn windowed<'w>(
    node: Building<'w>,
    window: Window,
    images: &Shape,
    places: [Option<usize>; 2],
) -> Result<Building<'w>, String> {
    let node = node.ints("strides", &ints(window.strides));
    // `AveragePool` has had the attribute since opset 19.
    let node = match window.dilations {
        [1, 1] => node,
        dilations => node.ints("dilations", &ints(dilations)),
    };
    let pads = match window.padding {
        Padding::Valid => return Ok(node),
        Padding::Same if window.dilations == [1, 1] => {
            return Ok(node.text("auto_pad", "SAME_UPPER"));
        }
        Padding::Same => {
            let what = "the size of the images";
            let size = [known(images.get(1), what)?, known(images.get(2), what)?];
            let places = [known(places[0], what)?, known(places[1], what)?];
            Transposed::new(window, size, places)?.pads
        }
        Padding::Explicit([[top, bottom], [left, right]]) => {
            [top, left, bottom, right].map(|pad| pad as i64)
        }
    };
    Ok(node.ints("pads", &pads))
}

/// Fails for dtypes that ONNX convolves no images of.
pub(super) fn check_float(dtype: DType) -> Result<(), String> {
    match dtype.is_float() {
        true => Ok(()),
        false => Err(format!("ONNX has no convolution of {dtype}")),
    }
}

/// A size that ONNX has as an attribute.
pub(super) fn known(size: Option<usize>, what: &str) -> Result<usize, String> {
    size.ok_or_else(|| format!("{what} must be known while tracing"))
}

fn conv2d(u: &mut Use<'_>) -> Written {
    check_float(u.dtype())?;
    let (x, filters, window) = (&u.x[0], &u.x[1], window(u.attrs)?);
    let depth = filters.ty.shape.get(2);
    let groups = match (x.ty.shape.get(3), depth) {
        (Some(channels), Some(depth)) if depth > 0 => channels / depth,
        _ => return Err("the numbers of channels must be known while tracing".to_owned()),
    };
    let (image, weights) = (channels_first(u.w, x), filters_first(u.w, filters));
    let node = u.w.op("Conv", &[&image, &weights]);
    let node = windowed(
        node,
        window,
        &x.ty.shape,
        [filters.ty.shape.get(0), filters.ty.shape.get(1)],
    )?;
    let result = node.int("group", groups as i64).of(x.dtype());
    Ok(channels_last(u.w, &result))
}

/// Each channel is a group of its own: filters [rows, columns, channels, n] as [channels * n, 1, rows, columns].
fn depthwise_conv2d(u: &mut Use<'_>) -> Written {
    let (x, filters, window) = (&u.x[0], &u.x[1], window(u.attrs)?);
    let channels = known(
        x.ty.shape.get(3).or(filters.ty.shape.get(2)),
        "the number of channels",
    )?;
    let image = channels_first(u.w, x);
    let weights = transpose(u.w, filters, &[2, 3, 0, 1]);
    let (rows, all) = (
        common::sizes_between(u.w, &weights, 2, None),
        u.w.ints(&[-1, 1]),
    );
    let shape = common::join(u.w, &[&all, &rows]);
    let weights = u.w.op("Reshape", &[&weights, &shape]).of(x.dtype());
    let node = u.w.op("Conv", &[&image, &weights]);
    let node = windowed(
        node,
        window,
        &x.ty.shape,
        [filters.ty.shape.get(0), filters.ty.shape.get(1)],
    )?;
    let result = node.int("group", channels as i64).of(x.dtype());
    Ok(channels_last(u.w, &result))
}

/// Before and after each axis: the padding of the convolution whose transpose is computed, and what its last window leaves over of the
/// image.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Transposed {
    pub pads: [i64; 4],
    pub rest: [i64; 2],
}

impl Transposed {
    /// For images of these sizes, and windows of these numbers of places.
    pub fn new(window: Window, size: [usize; 2], places: [usize; 2]) -> Result<Transposed, String> {
        let [rows, columns] = [0, 1].map(|axis| {
            let span = window
                .span(axis, size[axis], places[axis])
                .map_err(|error| error.to_string())?;
            let covered = match span.windows {
                0 => return Err("there is no window in the image".to_owned()),
                windows => span.covered(windows),
            };
            let left = size[axis] as i64 + span.before as i64 - covered as i64;
            // What is beyond the image is cut off, what isn't reached is added.
            Ok([span.before as i64, (-left).max(0), left.max(0)])
        });
        let ([top, bottom, below], [left, right, beside]) = (rows?, columns?);
        Ok(Transposed {
            pads: [top, left, bottom, right],
            rest: [below, beside],
        })
    }

    /// Adds the attributes of a `ConvTranspose`. It adds no more rows than the next window could have; the rest is appended afterwards.
    pub fn write(
        &self,
        w: &mut Writer,
        image: &Tensor,
        weights: &Tensor,
        window: Window,
        groups: usize,
    ) -> Tensor {
        let node = w.op("ConvTranspose", &[image, weights]);
        let node = node
            .ints("strides", &ints(window.strides))
            .ints("dilations", &ints(window.dilations));
        let node = node.ints("pads", &self.pads).int("group", groups as i64);
        let result = node.of(image.dtype());
        if self.rest == [0, 0] {
            return result;
        }
        let pads = w.ints(&[0, 0, 0, 0, 0, 0, self.rest[0], self.rest[1]]);
        w.op("Pad", &[&result, &pads]).of(image.dtype())
    }
}

/// The numbers of rows and columns of filters.
pub(super) fn places(filters: &Tensor) -> Result<[usize; 2], String> {
    let shape = &filters.ty.shape;
    let what = "the size of the filters";
    Ok([known(shape.get(0), what)?, known(shape.get(1), what)?])
}

fn conv2d_transpose(u: &mut Use<'_>) -> Written {
    let (x, filters, window) = (&u.x[0], &u.x[1], window(u.attrs)?);
    let size = ops::pair(u.attrs, "size")?;
    let transposed = Transposed::new(window, size, places(filters)?)?;
    let (image, weights) = (channels_first(u.w, x), filters_first(u.w, filters));
    let result = transposed.write(u.w, &image, &weights, window, 1);
    Ok(channels_last(u.w, &result))
}

/// Begins a pooling of images as ONNX has them; `images` is their shape as it is here.
pub(super) fn pool<'w>(
    w: &'w mut Writer,
    operator: &str,
    image: &Tensor,
    images: &Shape,
    attrs: &ops::Attrs,
) -> Result<Building<'w>, String> {
    let (size, window) = (ops::pair(attrs, "size")?, window(attrs)?);
    let since = if operator == "AveragePool" && window.dilations != [1, 1] {
        19
    } else {
        18
    };
    if w.options.opset < since {
        return Err("the mean of windows with holes needs opset 19 or newer".to_owned());
    }
    let node = w.op(operator, &[image]).ints("kernel_shape", &ints(size));
    windowed(node, window, images, size.map(Some))
}

/// Fails for dtypes of which `MaxPool` takes no values, and no others stand for them.
pub(super) fn check_pooled(dtype: DType) -> Result<(), String> {
    match dtype {
        DType::I64 | DType::U64 => Err(format!("ONNX has no pooling of {dtype}")),
        _ => Ok(()),
    }
}

fn max_pool2d(u: &mut Use<'_>) -> Written {
    check_pooled(u.dtype())?;
    let image = channels_first(u.w, &u.x[0]);
    let result = pool(u.w, "MaxPool", &image, &u.x[0].ty.shape, u.attrs)?.of(image.dtype());
    Ok(channels_last(u.w, &result))
}

fn avg_pool2d(u: &mut Use<'_>) -> Written {
    let image = channels_first(u.w, &u.x[0]);
    let result = pool(u.w, "AveragePool", &image, &u.x[0].ty.shape, u.attrs)?.of(image.dtype());
    Ok(channels_last(u.w, &result))
}
