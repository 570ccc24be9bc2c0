//! Convolutions and poolings of images `[batch, rows, columns, channels]`.

use graph_kernels::{self as kernels, Array, DType, KernelError, Padding, Window};

use super::rules::{Class, FLOAT, Inferred, NUMBER, check_class, check_same_dtype, operands, text};
use super::table::op_table;
use super::{Attr, AttrError, Attrs};
use crate::types::{Dim, Shape, TensorType};

op_table! {
    CONV2D "conv2d" ["strides", "dilations", "padding", "pads"]: conv2d(),
        (|x, a, out| kernels::conv2d(x[0], x[1], window(a)?, out)),
        product (|x, a, behind, out| kernels::conv2d_then(x, window(a)?, behind, out)), tf "Conv2D", onnx "Conv",
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

/// The window that attributes describe.
///
/// # Errors
/// If one is missing or has another type.
pub fn window(attrs: &Attrs) -> Result<Window, AttrError> {
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

/// An attribute that is a list of two sizes.
///
/// # Errors
/// If it is missing or has another type.
pub fn pair(attrs: &Attrs, name: &str) -> Result<[usize; 2], AttrError> {
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

#[cfg(test)]
pub(super) mod tests {
    //! Cases of convolutions and poolings, with TensorFlow's results.

    use graph_kernels::{Array, Padding, Window};

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
        [convolutions(), others(), poolings(), gradients(), errors()]
            .into_iter()
            .flatten()
            .collect()
    }

    /// A case whose attributes end with a window.
    fn windowed(
        op: &'static OpDef,
        attrs: Attrs,
        window: Window,
        inputs: impl Into<Vec<Array>>,
        expected: Expected,
    ) -> Case {
        Case {
            op,
            attrs: with_window(attrs, window),
            inputs: inputs.into(),
            expected,
        }
    }

    fn array<const N: usize>(shape: [usize; 4], values: [f32; N]) -> Array {
        Array::new(&shape, values.to_vec())
    }

    /// 1, 2, 3, … in a shape.
    fn ramp(shape: [usize; 4]) -> Array {
        let len: usize = shape.iter().product();
        Array::new(&shape, (1..=len).map(|n| n as f32).collect())
    }

    fn same(stride: usize) -> Window {
        Window {
            strides: [stride; 2],
            padding: Padding::Same,
            ..Window::default()
        }
    }

    fn convolutions() -> Vec<Case> {
        let case = |window, shape, values: &[f32]| {
            let inputs = [ramp([1, 3, 4, 1]), ramp([2, 2, 1, 1])];
            let expected = Value(Array::new::<f32>(shape, values.to_vec()));
            windowed(&CONV2D, Attrs::new(), window, inputs, expected)
        };
        let dilated = Window {
            dilations: [2, 2],
            ..same(1)
        };
        let explicit = Window {
            strides: [1, 2],
            padding: Padding::Explicit([[1, 0], [0, 1]]),
            ..Window::default()
        };
        vec![
            case(
                Window::default(),
                &[1, 2, 3, 1],
                &[44.0, 54.0, 64.0, 84.0, 94.0, 104.0],
            ),
            case(same(2), &[1, 2, 2, 1], &[44.0, 64.0, 29.0, 35.0]),
            case(
                dilated,
                &[1, 3, 4, 1],
                &[
                    24.0, 43.0, 50.0, 21.0, 44.0, 78.0, 88.0, 36.0, 12.0, 19.0, 22.0, 7.0,
                ],
            ),
            case(
                explicit,
                &[1, 3, 2, 1],
                &[11.0, 25.0, 44.0, 64.0, 84.0, 104.0],
            ),
        ]
    }

    fn others() -> Vec<Case> {
        let small = || ramp([1, 2, 2, 1]);
        let filter = || ramp([2, 2, 1, 1]);
        let grown = |size: [usize; 2], window, expected| {
            let attrs = Attrs::new().with("size", counts(&size));
            windowed(
                &CONV2D_TRANSPOSE,
                attrs,
                window,
                [small(), filter()],
                expected,
            )
        };
        let every_second = Window {
            strides: [2, 2],
            ..Window::default()
        };
        let depthwise = [
            16.0, 20.0, 34.0, 40.0, 28.0, 36.0, 54.0, 64.0, 5.0, 10.0, 18.0, 24.0, 52.0, 68.0,
            94.0, 112.0, 64.0, 84.0, 114.0, 136.0, 11.0, 22.0, 36.0, 48.0,
        ];
        let valid = [
            1.0, 2.0, 2.0, 4.0, 3.0, 4.0, 6.0, 8.0, 3.0, 6.0, 4.0, 8.0, 9.0, 12.0, 12.0, 16.0,
        ];
        let cut = [1.0, 2.0, 2.0, 4.0, 3.0, 4.0, 6.0, 8.0, 3.0, 6.0, 4.0, 8.0];
        let groups = [
            11.0, 14.0, 37.0, 44.0, 35.0, 46.0, 77.0, 92.0, 59.0, 78.0, 117.0, 140.0, 83.0, 110.0,
            157.0, 188.0,
        ];
        vec![
            windowed(
                &CONV2D,
                Attrs::new(),
                Window::default(),
                [ramp([1, 2, 2, 4]), ramp([1, 1, 2, 4])],
                Value(array([1, 2, 2, 4], groups)),
            ),
            windowed(
                &CONV2D,
                Attrs::new(),
                Window::default(),
                [
                    Array::new(&[1, 1, 2, 2], vec![1, 2, 5, 6]),
                    Array::new(&[1, 1, 2, 4], (1..9).collect::<Vec<i32>>()),
                ],
                Value(Array::new(
                    &[1, 1, 2, 4],
                    vec![11, 14, 17, 20, 35, 46, 57, 68],
                )),
            ),
            windowed(
                &DEPTHWISE_CONV2D,
                Attrs::new(),
                same(1),
                [ramp([1, 2, 3, 2]), ramp([1, 2, 2, 2])],
                Value(array([1, 2, 3, 4], depthwise)),
            ),
            grown([4, 4], every_second, Value(array([1, 4, 4, 1], valid))),
            grown([3, 4], same(2), Value(array([1, 3, 4, 1], cut))),
            grown(
                [6, 4],
                every_second,
                TypeError("Size of out_backprop doesn't match computed: actual = 2, computed = 3"),
            ),
        ]
    }

    fn poolings() -> Vec<Case> {
        let case = |op, window, x: Array, expected| {
            let attrs = Attrs::new().with("size", counts(&[2, 2]));
            windowed(op, attrs, window, [x], Value(expected))
        };
        let x = || ramp([1, 3, 4, 1]);
        vec![
            case(
                &MAX_POOL2D,
                same(2),
                x(),
                array([1, 2, 2, 1], [6.0, 8.0, 10.0, 12.0]),
            ),
            case(
                &AVG_POOL2D,
                same(2),
                x(),
                array([1, 2, 2, 1], [3.5, 5.5, 9.5, 11.5]),
            ),
            case(
                &MAX_POOL2D,
                Window::default(),
                Array::new(&[1, 2, 3, 1], vec![1, 5, 2, 4, 3, 9]),
                Array::new(&[1, 1, 2, 1], vec![5, 9]),
            ),
        ]
    }

    /// Worked out by hand: of the gradient [[1, 2, 3], [4, 5, 6]] of a convolution, and of [10, 20] of poolings of two windows.
    fn gradients() -> Vec<Case> {
        let case = |op, inputs: [Array; 3], expected| {
            windowed(op, Attrs::new(), Window::default(), inputs, expected)
        };
        let g = || ramp([1, 2, 3, 1]);
        let to_images = [
            1.0, 4.0, 7.0, 6.0, 7.0, 23.0, 33.0, 24.0, 12.0, 31.0, 38.0, 24.0,
        ];
        let pooling = |op, inputs: [Array; 2], expected| {
            let attrs = Attrs::new().with("size", counts(&[2, 2]));
            windowed(op, attrs, same(2), inputs, Value(expected))
        };
        let g_of_windows = || array([1, 1, 2, 1], [10.0, 20.0]);
        vec![
            case(
                &CONV2D_BACKPROP_INPUT,
                [vector([1, 3, 4, 1]), ramp([2, 2, 1, 1]), g()],
                Value(array([1, 3, 4, 1], to_images)),
            ),
            case(
                &CONV2D_BACKPROP_INPUT,
                [vector([1, 3, 3, 1]), ramp([2, 2, 1, 1]), g()],
                RunError(
                    "`conv2d_backprop_input` takes the gradient of a convolution of shape [1,2,2,1], not [1,2,3,1]",
                ),
            ),
            case(
                &CONV2D_BACKPROP_FILTER,
                [ramp([1, 3, 4, 1]), vector([2, 2, 1, 1]), g()],
                Value(array([2, 2, 1, 1], [106.0, 127.0, 190.0, 211.0])),
            ),
            pooling(
                &MAX_POOL2D_GRAD,
                [ramp([1, 2, 4, 1]), g_of_windows()],
                array([1, 2, 4, 1], [0.0, 0.0, 0.0, 0.0, 0.0, 10.0, 0.0, 20.0]),
            ),
            pooling(
                &MAX_POOL2D_GRAD_GRAD,
                [
                    ramp([1, 2, 4, 1]),
                    array([1, 2, 4, 1], [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]),
                ],
                array([1, 1, 2, 1], [3.0, 1.0]),
            ),
            pooling(
                &AVG_POOL2D_GRAD,
                [vector([1, 2, 4, 1]), g_of_windows()],
                array([1, 2, 4, 1], [2.5, 2.5, 5.0, 5.0, 2.5, 2.5, 5.0, 5.0]),
            ),
        ]
    }

    fn errors() -> Vec<Case> {
        let conv = |x: Array, filter: Array, expected| {
            windowed(
                &CONV2D,
                Attrs::new(),
                Window::default(),
                [x, filter],
                expected,
            )
        };
        vec![
            conv(
                ramp([1, 4, 4, 3]),
                ramp([2, 2, 2, 5]),
                TypeError("input depth must be evenly divisible by filter depth: 3 vs 2"),
            ),
            conv(
                ramp([1, 4, 4, 4]),
                ramp([2, 2, 2, 3]),
                TypeError("output depth must be evenly divisible by number of groups: 3 vs 2"),
            ),
            conv(
                ramp([1, 1, 4, 3]),
                ramp([2, 2, 3, 5]),
                TypeError("Negative dimension size caused by subtracting 2 from 1"),
            ),
            conv(
                ramp([1, 1, 4, 3]),
                vector([1f32]),
                TypeError("`conv2d` takes operands of rank 4, not of shape [1]"),
            ),
        ]
    }
}
