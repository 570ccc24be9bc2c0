//! Cases of ops that write at given positions, with TensorFlow's results.

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

fn x() -> Array {
    matrix([[1, 2], [3, 4], [5, 6]])
}

fn v() -> Array {
    vector([1, 2, 3])
}

pub(super) fn cases() -> Vec<Case> {
    let twice = || matrix([[1], [1]]);
    let at = |op, expected| case(op, [v(), twice(), vector([7, 8])], Value(vector(expected)));
    let mut cases = vec![
        at(&SCATTER_UPDATE, [1, 8, 3]),
        at(&SCATTER_ADD, [1, 17, 3]),
        at(&SCATTER_SUB, [1, -13, 3]),
        at(&SCATTER_MIN, [1, 2, 3]),
        at(&SCATTER_MAX, [1, 8, 3]),
        case(
            &SCATTER_UPDATE,
            [x(), matrix([[0i64, 1], [2, 0]]), vector([20, 50])],
            Value(matrix([[1, 20], [3, 4], [50, 6]])),
        ),
        case(
            &SCATTER_UPDATE,
            [x(), vector([2]), vector([50, 60])],
            Value(matrix([[1, 2], [3, 4], [50, 60]])),
        ),
        case(
            &SCATTER_UPDATE,
            [texts(["a", "b"]), matrix([[0]]), texts(["c"])],
            Value(texts(["c", "b"])),
        ),
        case(
            &SCATTER_ADD,
            [
                x(),
                Array::zeros(DType::I32, &[0, 2]),
                Array::zeros(DType::I32, &[0]),
            ],
            Value(x()),
        ),
        case(
            &SCATTER_MAX,
            [
                vector([1.0, f64::NAN]),
                matrix([[0], [1]]),
                vector([f64::NAN, 2.0]),
            ],
            Value(vector([f64::NAN, f64::NAN])),
        ),
        case(
            &INVERT_PERMUTATION,
            [vector([2, 0, 1])],
            Value(vector([1, 2, 0])),
        ),
        case(
            &INVERT_PERMUTATION,
            [vector([1i64, 0])],
            Value(vector([1i64, 0])),
        ),
    ];
    cases.extend(errors());
    cases
}

fn errors() -> Vec<Case> {
    vec![
        case(
            &SCATTER_UPDATE,
            [x(), matrix([[0], [3]]), matrix([[7, 8], [9, 9]])],
            RunError("indices[1] = [3] does not index into shape [3,2]"),
        ),
        case(
            &SCATTER_ADD,
            [v(), matrix([[1], [-1]]), vector([7, 8])],
            RunError("indices[1] = [-1] does not index into shape [3]"),
        ),
        case(
            &SCATTER_UPDATE,
            [v(), matrix([[1], [1]]), vector([7, 8, 9])],
            TypeError(
                "Outer dimensions of indices and update must match. Indices shape: [2,1], updates shape:[3]",
            ),
        ),
        case(
            &SCATTER_UPDATE,
            [x(), matrix([[1], [1]]), vector([7, 8])],
            TypeError(
                "Inner dimensions of output shape must match inner dimensions of updates shape. Output: [3,2] updates: [2]",
            ),
        ),
        case(
            &SCATTER_UPDATE,
            [v(), matrix([[0, 0]]), vector([7])],
            TypeError("index innermost dimension length must be <= params rank; saw: 2 vs. 1"),
        ),
        case(
            &SCATTER_ADD,
            [texts(["a"]), matrix([[0]]), texts(["b"])],
            TypeError("`scatter_add` is not defined for string"),
        ),
        case(
            &INVERT_PERMUTATION,
            [vector([2, 0, 2])],
            RunError("2 is duplicated in the input."),
        ),
        case(
            &INVERT_PERMUTATION,
            [vector([3, 0, 1])],
            RunError("3 is not between 0 and 3"),
        ),
        case(
            &INVERT_PERMUTATION,
            [vector([0, -1])],
            RunError("-1 is not between 0 and 2"),
        ),
    ]
}
