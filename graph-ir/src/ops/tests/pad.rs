//! Cases of padding, with TensorFlow's results.

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

fn x() -> Array {
    matrix([[1, 2], [3, 4], [5, 6]])
}

pub(super) fn cases() -> Vec<Case> {
    let pad = |before, after, expected| {
        case_with(
            &PAD,
            [ints(before), ints(after)],
            [x(), scalar(9)],
            expected,
        )
    };
    let by = |paddings: Array, expected| case(&PAD_BY, [x(), scalar(9), paddings], expected);
    let padded = || matrix([[9, 9, 9, 9], [1, 2, 9, 9], [3, 4, 9, 9], [5, 6, 9, 9]]);
    let mut cases = vec![
        pad([1, 0], [0, 2], Value(padded())),
        pad([0, 0], [0, 0], Value(x())),
        pad(
            [-1, 0],
            [2, 0],
            TypeError("Paddings must be non-negative: -1 2"),
        ),
        case_with(
            &PAD,
            [ints([1]), ints([1])],
            [x(), scalar(9)],
            TypeError(
                "The first dimension of paddings must be the rank of inputs, which is 2, not 1",
            ),
        ),
        case_with(
            &PAD,
            [ints([i64::MAX]), ints([i64::MAX])],
            [vector([1]), scalar(9)],
            RunError("an array of shape [18446744073709551615] is too large"),
        ),
        case_with(
            &PAD,
            [ints([0, 1]), ints([0, 0])],
            [Array::zeros(DType::Bool, &[0, 2]), scalar(true)],
            Value(Array::zeros(DType::Bool, &[0, 3])),
        ),
        case_with(
            &PAD,
            [ints([1]), ints([0])],
            [texts(["a"]), scalar("-".to_owned())],
            Value(texts(["-", "a"])),
        ),
        by(matrix([[1, 0], [0, 2]]), Value(padded())),
        by(matrix([[1i64, 0], [0, 2]]), Value(padded())),
        by(
            matrix([[1, 0], [0, -2]]),
            RunError("Paddings must be non-negative: 0 -2"),
        ),
        by(
            matrix([[1, 0, 1]]),
            TypeError("paddings must be a matrix with 2 columns: [1,3]"),
        ),
    ];
    cases.extend(mirrors());
    cases
}

fn mirrors() -> Vec<Case> {
    let mirror = |mode: &str, before, after, expected| {
        let attrs = [Attr::Text(mode.to_owned()), ints([before]), ints([after])];
        case_with(&MIRROR_PAD, attrs, [vector([1, 2, 3])], expected)
    };
    vec![
        mirror("reflect", 2, 2, Value(vector([3, 2, 1, 2, 3, 2, 1]))),
        mirror("symmetric", 3, 2, Value(vector([3, 2, 1, 1, 2, 3, 3, 2]))),
        mirror(
            "reflect",
            3,
            2,
            TypeError("paddings must be less than the dimension size: 3, 2 not less than 3"),
        ),
        mirror(
            "symmetric",
            4,
            2,
            TypeError("paddings must be no greater than the dimension size: 4, 2 greater than 3"),
        ),
        mirror(
            "mirror",
            0,
            0,
            TypeError("the attribute `mode` must be given as `reflect` or `symmetric`"),
        ),
        case_with(
            &MIRROR_PAD,
            [Attr::Text("reflect".to_owned()), ints([1, 0]), ints([0, 1])],
            [x()],
            Value(matrix([[3, 4, 3], [1, 2, 1], [3, 4, 3], [5, 6, 5]])),
        ),
        case_with(
            &MIRROR_PAD,
            [Attr::Text("symmetric".to_owned()), ints([1]), ints([0])],
            [texts(["a", "b"])],
            Value(texts(["a", "a", "b"])),
        ),
    ]
}
