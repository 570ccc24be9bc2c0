//! Cases of reductions and of ops that run along an axis.

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    [sums(), extremes(), empty(), losses(), along()]
        .into_iter()
        .flatten()
        .collect()
}

/// A reduction that removes its axes.
fn over<const N: usize>(op: &'static OpDef, axes: [i64; N], x: Array, expected: Expected) -> Case {
    case_with(op, [ints(axes), Attr::Bool(false)], [x], expected)
}

fn sums() -> Vec<Case> {
    let x = || matrix([[1, 2, 3], [4, 5, 6]]);
    let cube = || Array::new(&[2, 2, 2], (1..=8).collect());
    let long = || Array::new(&[2, 5000], [vec![1f32; 5000], vec![0.5f32; 5000]].concat());
    vec![
        over(&REDUCE_SUM, [], x(), Value(scalar(21))),
        over(&REDUCE_SUM, [0], x(), Value(vector([5, 7, 9]))),
        over(&REDUCE_SUM, [-1], x(), Value(vector([6, 15]))),
        over(&REDUCE_SUM, [0, 2], cube(), Value(vector([14, 22]))),
        over(&REDUCE_SUM, [1], cube(), Value(matrix([[4, 6], [12, 14]]))),
        over(&REDUCE_SUM, [1], long(), Value(vector([5000f32, 2500.0]))),
        over(&REDUCE_SUM, [], scalar(3), Value(scalar(3))),
        case_with(
            &REDUCE_SUM,
            [ints([1]), Attr::Bool(true)],
            [x()],
            Value(matrix([[6], [15]])),
        ),
        case_with(
            &REDUCE_SUM,
            [ints([]), Attr::Bool(true)],
            [x()],
            Value(matrix([[21]])),
        ),
        over(
            &REDUCE_SUM,
            [2],
            x(),
            TypeError("axis 2 is out of range for an array of rank 2"),
        ),
        over(&REDUCE_PROD, [0], x(), Value(vector([4, 10, 18]))),
        over(
            &REDUCE_MEAN,
            [],
            vector([1, 2, 2, -4, -2]),
            Value(scalar(0)),
        ),
        over(&REDUCE_MEAN, [], vector([-1, -2]), Value(scalar(-1))),
        over(&REDUCE_MEAN, [], vector([255u8, 253]), Value(scalar(254u8))),
        over(
            &REDUCE_MEAN,
            [1],
            matrix([[1.0, 2.0], [3.0, 5.0]]),
            Value(vector([1.5, 4.0])),
        ),
        over(
            &REDUCE_ANY,
            [1],
            matrix([[true, false], [false, false]]),
            Value(vector([true, false])),
        ),
        over(
            &REDUCE_ALL,
            [1],
            matrix([[true, false], [true, true]]),
            Value(vector([false, true])),
        ),
        over(
            &REDUCE_ANY,
            [],
            scalar(1),
            TypeError("`reduce_any` is not defined for int32"),
        ),
    ]
}

fn extremes() -> Vec<Case> {
    let nan = f64::NAN;
    let along = |op, x: Array, expected| case_with(op, [Attr::Int(0)], [x], expected);
    vec![
        over(&REDUCE_MAX, [], vector([1.0, nan, 3.0]), Value(scalar(nan))),
        over(
            &REDUCE_MAX,
            [0],
            matrix([[1, 9], [5, 2]]),
            Value(vector([5, 9])),
        ),
        over(&REDUCE_MIN, [], vector([1.0, nan, 3.0]), Value(scalar(nan))),
        over(
            &REDUCE_MIN,
            [1],
            matrix([[1, 9], [5, 2]]),
            Value(vector([1, 2])),
        ),
        along(&ARGMAX, vector([1, 3, 3]), Value(scalar(1i64))),
        along(&ARGMAX, vector([nan, 1.0, 2.0]), Value(scalar(2i64))),
        along(&ARGMAX, matrix([[1, 9], [5, 2]]), Value(vector([1i64, 0]))),
        along(&ARGMIN, vector([nan, 1.0, 1.0]), Value(scalar(1i64))),
        case_with(
            &ARGMIN,
            [Attr::Int(-1)],
            [matrix([[1, 9], [5, 2]])],
            Value(vector([0i64, 1])),
        ),
        along(
            &ARGMAX,
            Array::zeros(DType::F32, &[0]),
            RunError("Reduction axis 0 is empty in shape [0]"),
        ),
    ]
}

fn empty() -> Vec<Case> {
    let floats = || Array::zeros(DType::F32, &[0]);
    let ints = || Array::zeros(DType::I32, &[0]);
    let bools = || Array::zeros(DType::Bool, &[0]);
    let inf = f32::INFINITY;
    vec![
        over(&REDUCE_SUM, [], floats(), Value(scalar(0f32))),
        over(
            &REDUCE_SUM,
            [0],
            Array::zeros(DType::I32, &[0, 2]),
            Value(vector([0, 0])),
        ),
        over(
            &REDUCE_SUM,
            [1],
            Array::zeros(DType::I32, &[0, 2]),
            Value(ints()),
        ),
        over(&REDUCE_PROD, [], ints(), Value(scalar(1))),
        over(&REDUCE_MEAN, [], floats(), Value(scalar(f32::NAN))),
        over(&REDUCE_MEAN, [], ints(), Value(scalar(0))),
        over(&REDUCE_MAX, [], floats(), Value(scalar(-inf))),
        over(&REDUCE_MAX, [], ints(), Value(scalar(i32::MIN))),
        over(&REDUCE_MIN, [], floats(), Value(scalar(inf))),
        over(&REDUCE_MIN, [], ints(), Value(scalar(i32::MAX))),
        over(&REDUCE_ALL, [], bools(), Value(scalar(true))),
        over(&REDUCE_ANY, [], bools(), Value(scalar(false))),
    ]
}

fn losses() -> Vec<Case> {
    let logits = || matrix([[1f32, 2.0, 3.0], [1e4, -1e4, 0.0]]);
    let loss =
        |labels: Array, expected| case(&SPARSE_SOFTMAX_CROSS_ENTROPY, [labels, logits()], expected);
    vec![
        // TensorFlow's results.
        loss(vector([2, 0]), Value(vector([0.407_605_95f32, 0.0]))),
        loss(vector([2i64, 2]), Value(vector([0.407_605_95f32, 1e4]))),
        loss(
            vector([3, 0]),
            RunError("Received a label value of 3 which is outside the valid range of [0, 3)."),
        ),
        loss(
            vector([2, 0, 1]),
            TypeError(
                "Shapes [3] and [2] are incompatible for sparse_softmax_cross_entropy_with_logits",
            ),
        ),
    ]
}

fn along() -> Vec<Case> {
    let at = |op, axis, x: Array, expected| case_with(op, [Attr::Int(axis)], [x], expected);
    let running = |op, axis, exclusive, reverse, x: Array, expected| {
        let attrs = [Attr::Int(axis), Attr::Bool(exclusive), Attr::Bool(reverse)];
        case_with(op, attrs, [x], expected)
    };
    let x = || matrix([[1, 2, 3], [4, 5, 6]]);
    vec![
        running(
            &CUMSUM,
            0,
            false,
            false,
            x(),
            Value(matrix([[1, 2, 3], [5, 7, 9]])),
        ),
        running(
            &CUMSUM,
            -1,
            false,
            false,
            x(),
            Value(matrix([[1, 3, 6], [4, 9, 15]])),
        ),
        running(
            &CUMSUM,
            1,
            true,
            false,
            x(),
            Value(matrix([[0, 1, 3], [0, 4, 9]])),
        ),
        running(
            &CUMSUM,
            1,
            false,
            true,
            x(),
            Value(matrix([[6, 5, 3], [15, 11, 6]])),
        ),
        running(
            &CUMPROD,
            1,
            true,
            true,
            x(),
            Value(matrix([[6, 3, 1], [30, 6, 1]])),
        ),
        running(
            &CUMPROD,
            0,
            false,
            false,
            x(),
            Value(matrix([[1, 2, 3], [4, 10, 18]])),
        ),
        running(
            &CUMSUM,
            2,
            false,
            false,
            x(),
            TypeError("axis 2 is out of range for an array of rank 2"),
        ),
        // exp(ln 3) : exp(0) = 3 : 1, and large values don't overflow.
        at(
            &SOFTMAX,
            -1,
            matrix([[3f64.ln(), 0.0], [1e4, -1e4]]),
            Value(matrix([[0.75, 0.25], [1.0, 0.0]])),
        ),
        at(
            &SOFTMAX,
            0,
            matrix([[5.0, 1.0], [5.0, 1.0]]),
            Value(matrix([[0.5, 0.5], [0.5, 0.5]])),
        ),
        at(
            &LOG_SOFTMAX,
            0,
            vector([1e4, -1e4]),
            Value(vector([0.0, -2e4])),
        ),
        at(
            &LOG_SOFTMAX,
            0,
            vector([7.0, 7.0]),
            Value(vector([-(2f64.ln()), -(2f64.ln())])),
        ),
    ]
}
