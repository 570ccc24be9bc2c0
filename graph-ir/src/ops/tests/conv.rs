//! Cases of convolutions and poolings, with TensorFlow's results.

use graph_kernels::{Padding, Window};

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    [convolutions(), others(), poolings(), gradients(), errors()]
        .into_iter()
        .flatten()
        .collect()
}

/// A case whose last attributes describe a window.
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

/// The numbers 1, 2, 3, … as an array of this shape.
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
        16.0, 20.0, 34.0, 40.0, 28.0, 36.0, 54.0, 64.0, 5.0, 10.0, 18.0, 24.0, 52.0, 68.0, 94.0,
        112.0, 64.0, 84.0, 114.0, 136.0, 11.0, 22.0, 36.0, 48.0,
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

/// Computed by hand: the gradient of a convolution is [[1, 2, 3], [4, 5, 6]], that of poolings with two windows [10, 20].
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
