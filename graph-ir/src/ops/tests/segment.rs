//! Cases of reductions over segments, with TensorFlow's results.

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    [sorted(), unsorted(), errors()]
        .into_iter()
        .flatten()
        .collect()
}

fn sorted() -> Vec<Case> {
    let x = || matrix([[1f32, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]);
    let of = |op, rows| case(op, [x(), vector([0, 0, 2, 2])], Value(matrix(rows)));
    vec![
        of(&SEGMENT_SUM, [[4f32, 6.0], [0.0, 0.0], [12.0, 14.0]]),
        of(&SEGMENT_MEAN, [[2f32, 3.0], [0.0, 0.0], [6.0, 7.0]]),
        of(&SEGMENT_PROD, [[3f32, 8.0], [1.0, 1.0], [35.0, 48.0]]),
        of(&SEGMENT_MAX, [[3f32, 4.0], [0.0, 0.0], [7.0, 8.0]]),
        of(&SEGMENT_MIN, [[1f32, 2.0], [0.0, 0.0], [5.0, 6.0]]),
        case(
            &SEGMENT_MAX,
            [vector([-1, -2]), vector([1i64, 1])],
            Value(vector([0, -1])),
        ),
        case(
            &SEGMENT_SUM,
            [
                Array::zeros(DType::F32, &[0, 2]),
                Array::zeros(DType::I32, &[0]),
            ],
            Value(Array::zeros(DType::F32, &[0, 2])),
        ),
    ]
}

fn unsorted() -> Vec<Case> {
    let of = |op, expected| {
        let inputs = [vector([1f32, 2.0, 3.0, 4.0]), vector([2, 0, 2, -1])];
        case_with(op, [Attr::Int(4)], inputs, Value(vector(expected)))
    };
    let of_integers = |op, expected| {
        let inputs = [vector([1, 2, 3]), vector([0, 2, 2])];
        case_with(op, [Attr::Int(4)], inputs, Value(vector(expected)))
    };
    vec![
        of(&UNSORTED_SEGMENT_SUM, [2f32, 0.0, 4.0, 0.0]),
        of(&UNSORTED_SEGMENT_MEAN, [2f32, 0.0, 2.0, 0.0]),
        of(&UNSORTED_SEGMENT_PROD, [2f32, 1.0, 3.0, 1.0]),
        of(&UNSORTED_SEGMENT_MAX, [2.0, f32::MIN, 3.0, f32::MIN]),
        of(&UNSORTED_SEGMENT_MIN, [2.0, f32::MAX, 1.0, f32::MAX]),
        of_integers(&UNSORTED_SEGMENT_MAX, [1, i32::MIN, 3, i32::MIN]),
        of_integers(&UNSORTED_SEGMENT_MIN, [1, i32::MAX, 2, i32::MAX]),
        case_with(
            &UNSORTED_SEGMENT_SUM,
            [Attr::Int(3)],
            [matrix([[1, 2], [3, 4]]), matrix([[0, 2], [1, 0]])],
            Value(vector([5, 3, 2])),
        ),
        case_with(
            &UNSORTED_SEGMENT_SUM,
            [Attr::Int(2)],
            [matrix([[1, 2], [3, 4]]), vector([1i64, 1])],
            Value(matrix([[0, 0], [4, 6]])),
        ),
        case_with(
            &UNSORTED_SEGMENT_MAX,
            [Attr::Int(1)],
            [vector([1.0, f64::NAN, 2.0]), vector([0, 0, 0])],
            Value(vector([f64::NAN])),
        ),
    ]
}

fn errors() -> Vec<Case> {
    let x = || vector([1, 2, 3]);
    let sum = |ids: Array, expected| case(&SEGMENT_SUM, [x(), ids], expected);
    let unsorted = |count, ids: Array, expected| {
        case_with(
            &UNSORTED_SEGMENT_SUM,
            [Attr::Int(count)],
            [x(), ids],
            expected,
        )
    };
    vec![
        sum(
            vector([0, 2, 1]),
            RunError("segment ids are not increasing"),
        ),
        sum(
            vector([-1, 0, 1]),
            RunError("segment ids must be >= 0, got -1"),
        ),
        sum(
            vector([0, 1]),
            TypeError("segment_ids should be the same size as dimension 0 of input."),
        ),
        sum(
            matrix([[0, 1, 2]]),
            TypeError("segment_ids should be a vector."),
        ),
        unsorted(
            3,
            vector([0, 2, 5]),
            RunError("segment_ids[2] = 5 is out of range [0, 3)"),
        ),
        unsorted(
            3,
            vector([0, 2]),
            TypeError("data.shape = [3] does not start with segment_ids.shape = [2]"),
        ),
        unsorted(
            -1,
            x(),
            TypeError("Input num_segments == -1 must not be negative."),
        ),
        case(
            &SEGMENT_MEAN,
            [x(), x()],
            TypeError("`segment_mean` is not defined for int32"),
        ),
    ]
}
