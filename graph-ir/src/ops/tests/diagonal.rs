//! Cases of diagonals, with TensorFlow's results.

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

fn x() -> Array {
    matrix([[1, 2], [3, 4], [5, 6]])
}

pub(super) fn cases() -> Vec<Case> {
    let diag =
        |diagonal, x: Array, expected| case_with(&DIAG, [Attr::Int(diagonal)], [x], expected);
    let part = |diagonal, expected| case_with(&DIAG_PART, [Attr::Int(diagonal)], [x()], expected);
    let band = |low, high, expected| {
        let ones = Array::new(&[3, 4], vec![1; 12]);
        case_with(
            &BAND_PART,
            [Attr::Int(low), Attr::Int(high)],
            [ones],
            Value(matrix(expected)),
        )
    };
    let set = |diagonal, x: Array, values: Array, expected| {
        case_with(&SET_DIAG, [Attr::Int(diagonal)], [x, values], expected)
    };
    let ones = |shape: &[usize]| Array::new(shape, vec![1; shape.iter().product()]);
    vec![
        set(
            0,
            ones(&[2, 3, 4]),
            matrix([[7, 8, 9], [4, 5, 6]]),
            Value(Array::new(
                &[2, 3, 4],
                vec![
                    7, 1, 1, 1, 1, 8, 1, 1, 1, 1, 9, 1, 4, 1, 1, 1, 1, 5, 1, 1, 1, 1, 6, 1,
                ],
            )),
        ),
        set(
            2,
            ones(&[3, 4]),
            vector([7, 8]),
            Value(matrix([[1, 1, 7, 1], [1, 1, 1, 8], [1, 1, 1, 1]])),
        ),
        set(
            -1,
            ones(&[3, 2]),
            vector([7, 8]),
            Value(matrix([[1, 1], [7, 1], [1, 8]])),
        ),
        set(
            0,
            Array::zeros(DType::F32, &[2, 0]),
            Array::zeros(DType::F32, &[0]),
            Value(Array::zeros(DType::F32, &[2, 0])),
        ),
        set(
            0,
            ones(&[3, 4]),
            vector([7, 8]),
            TypeError("Shapes [3] and [2] are incompatible for set_diag"),
        ),
        set(
            4,
            ones(&[3, 4]),
            vector([7]),
            TypeError("lower_diag_index is out of bound: 4. It must be between -3 and 4"),
        ),
        diag(0, vector([1, 2]), Value(matrix([[1, 0], [0, 2]]))),
        diag(
            1,
            vector([1, 2]),
            Value(matrix([[0, 1, 0], [0, 0, 2], [0, 0, 0]])),
        ),
        diag(
            -1,
            vector([true]),
            Value(matrix([[false, false], [true, false]])),
        ),
        diag(
            0,
            matrix([[1, 2], [3, 4]]),
            Value(Array::new(&[2, 2, 2], vec![1, 0, 0, 2, 3, 0, 0, 4])),
        ),
        diag(
            2,
            Array::zeros(DType::F32, &[0]),
            Value(Array::zeros(DType::F32, &[2, 2])),
        ),
        diag(
            0,
            scalar(1),
            TypeError("`diag` takes an array with at least one axis"),
        ),
        part(0, Value(vector([1, 4]))),
        part(-1, Value(vector([3, 6]))),
        part(-2, Value(vector([5]))),
        part(1, Value(vector([2]))),
        part(
            2,
            TypeError("lower_diag_index is out of bound: 2. It must be between -3 and 2"),
        ),
        part(
            i64::MIN,
            TypeError(
                "lower_diag_index is out of bound: -9223372036854775808. It must be between -3 and 2",
            ),
        ),
        case_with(
            &DIAG_PART,
            [Attr::Int(1)],
            [Array::new(&[2, 2, 2], (0..8).collect())],
            Value(matrix([[1], [5]])),
        ),
        case_with(
            &DIAG_PART,
            [Attr::Int(0)],
            [vector([1])],
            TypeError("`diag_part` takes matrices, not an array of shape [1]"),
        ),
        band(-1, 0, [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0]]),
        band(1, i64::MAX, [[0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]),
        band(i64::MIN, -1, [[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]]),
        band(2, 1, [[0; 4]; 3]),
    ]
}
