//! Cases of sorting, the largest values, positions in sorted rows, counting and distinct values, with TensorFlow's results (except
//! that NaN is last).

use graph_kernels::{Array, DType, bf16, f16};

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    [
        sorted(),
        largest(),
        halves(),
        found(),
        counted(),
        distinct(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn sorted() -> Vec<Case> {
    let nan = f64::NAN;
    let ordered = |op, axis, descending, x: Array, expected| {
        case_with(op, [Attr::Int(axis), Attr::Bool(descending)], [x], expected)
    };
    vec![
        ordered(
            &SORT,
            0,
            false,
            vector([3.0, nan, 1.0]),
            Value(vector([1.0, 3.0, nan])),
        ),
        ordered(
            &SORT,
            0,
            true,
            vector([3.0, nan, 1.0, 5.0]),
            Value(vector([5.0, 3.0, 1.0, nan])),
        ),
        ordered(
            &SORT,
            0,
            false,
            matrix([[3, 1], [2, 4]]),
            Value(matrix([[2, 1], [3, 4]])),
        ),
        ordered(
            &ARGSORT,
            0,
            false,
            vector([3.0, nan, 1.0]),
            Value(vector([2, 0, 1])),
        ),
        ordered(
            &ARGSORT,
            -1,
            true,
            vector([1, 2, 2]),
            Value(vector([1, 2, 0])),
        ),
    ]
}

fn largest() -> Vec<Case> {
    let top = |k, x: Array, expected| case_with(&TOP_K, [Attr::Int(k)], [x], expected);
    let three = || vector([1f32, 3.0, 3.0]);
    vec![
        top(2, three(), Value(vector([1, 2]))),
        top(3, three(), Value(vector([1, 2, 0]))),
        top(2, vector([f64::NAN, 1.0, 3.0, 2.0]), Value(vector([2, 3]))),
        top(1, matrix([[1u8, 2], [4, 3]]), Value(matrix([[1], [0]]))),
        top(0, three(), Value(Array::zeros(DType::I32, &[0]))),
        top(
            5,
            three(),
            TypeError("input must have at least k columns. Had 3, needed 5"),
        ),
        top(-1, three(), TypeError("Need k >= 0, got -1")),
        top(
            0,
            scalar(1),
            TypeError("input must be >= 1-D, got shape []"),
        ),
    ]
}

/// 16-bit floats are moved and compared without conversion.
fn halves() -> Vec<Case> {
    let half = |v: f32| f16::from_f32(v);
    let x = || vector([2.0, -1.0, 0.5].map(half));
    vec![
        case_with(&TOP_K, [Attr::Int(2)], [x()], Value(vector([0, 2]))),
        case_with(
            &SORT,
            [Attr::Int(0), Attr::Bool(false)],
            [x()],
            Value(vector([-1.0, 0.5, 2.0].map(half))),
        ),
        case_with(
            &ARGSORT,
            [Attr::Int(0), Attr::Bool(true)],
            [vector([1.0, -3.0, 2.0].map(bf16::from_f32))],
            Value(vector([2, 0, 1])),
        ),
        case_with(
            &PAD,
            [ints([1]), ints([0])],
            [x(), scalar(half(7.0))],
            Value(vector([7.0, 2.0, -1.0, 0.5].map(half))),
        ),
        case(
            &SCATTER_ADD,
            [x(), matrix([[1], [1]]), vector([1.0, 0.25].map(half))],
            Value(vector([2.0, 0.25, 0.5].map(half))),
        ),
        case(
            &SEGMENT_MEAN,
            [x(), vector([0, 0, 1])],
            Value(vector([0.5, 0.5].map(half))),
        ),
        case(&NONZERO, [x()], Value(matrix([[0i64], [1], [2]]))),
        case(
            &UNIQUE,
            [vector([1.0, 1.0].map(half))],
            Value(vector([half(1.0)])),
        ),
    ]
}

fn found() -> Vec<Case> {
    let find = |right, values: Array, expected| {
        let sorted = vector([1f32, 2.0, 2.0, 3.0]);
        case_with(
            &SEARCHSORTED,
            [Attr::Bool(right)],
            [sorted, values],
            expected,
        )
    };
    let wanted = || vector([0f32, 2.0, 2.5, f32::NAN, 9.0]);
    vec![
        find(false, wanted(), Value(vector([0, 1, 3, 0, 4]))),
        find(true, wanted(), Value(vector([0, 3, 3, 4, 4]))),
        case_with(
            &SEARCHSORTED,
            [Attr::Bool(false)],
            [matrix([[1, 2], [5, 6]]), matrix([[2, 3], [0, 9]])],
            Value(matrix([[1, 2], [0, 2]])),
        ),
        case_with(
            &SEARCHSORTED,
            [Attr::Bool(false)],
            [matrix([[1, 2], [5, 6]]), matrix([[2, 3]])],
            TypeError("Leading dim_size of both tensors must match."),
        ),
    ]
}

fn counted() -> Vec<Case> {
    let x = || vector([1, 1, 3]);
    let count = |min, max, x: Array, expected| {
        case_with(&BINCOUNT, [Attr::Int(min), Attr::Int(max)], [x], expected)
    };
    let weigh = |weights: Array, expected| {
        let attrs = [Attr::Int(0), Attr::Int(-1)];
        case_with(&WEIGHTED_BINCOUNT, attrs, [x(), weights], expected)
    };
    vec![
        count(0, -1, x(), Value(vector([0, 2, 0, 1]))),
        count(6, -1, x(), Value(vector([0, 2, 0, 1, 0, 0]))),
        count(0, 2, x(), Value(vector([0, 2]))),
        count(2, 2, matrix([[0i64, 9], [0, 1]]), Value(vector([2, 1]))),
        count(
            0,
            -1,
            Array::zeros(DType::I32, &[0]),
            Value(Array::zeros(DType::I32, &[0])),
        ),
        count(
            0,
            -1,
            vector([1, -1]),
            RunError("Input arr must be non-negative!"),
        ),
        count(
            -2,
            -1,
            x(),
            TypeError("the number of bins must be non-negative, got -2"),
        ),
        weigh(
            vector([0.5f32, 0.25, 2.0]),
            Value(vector([0f32, 0.75, 0.0, 2.0])),
        ),
        weigh(
            vector([0.5f32, 0.25]),
            TypeError("`weights` must be the same shape as `arr`. Received [2] and [3]"),
        ),
    ]
}

fn distinct() -> Vec<Case> {
    let x = || vector([3i64, 1, 3, 2, 1]);
    vec![
        case(&UNIQUE, [x()], Value(vector([3i64, 1, 2]))),
        case(&UNIQUE_INDEX, [x()], Value(vector([0, 1, 0, 2, 1]))),
        case(
            &UNIQUE,
            [vector([f64::NAN, 0.0, -0.0, f64::NAN])],
            Value(vector([f64::NAN, 0.0, f64::NAN])),
        ),
        case(&UNIQUE, [texts(["b", "a", "b"])], Value(texts(["b", "a"]))),
        case(
            &UNIQUE_INDEX,
            [Array::zeros(DType::Bool, &[0])],
            Value(Array::zeros(DType::I32, &[0])),
        ),
        case(
            &UNIQUE,
            [matrix([[1]])],
            TypeError("unique expects a 1D vector, not shape [1,1]"),
        ),
    ]
}
