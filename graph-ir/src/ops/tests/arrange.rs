//! Cases of rolling, repeating and reversing, with TensorFlow's results.

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

fn x() -> Array {
    matrix([[1, 2, 3], [4, 5, 6]])
}

pub(super) fn cases() -> Vec<Case> {
    [rolls(), repeats(), reversed()]
        .into_iter()
        .flatten()
        .collect()
}

fn rolls() -> Vec<Case> {
    let roll = |shifts: Array, expected| case_with(&ROLL, [ints([1])], [x(), shifts], expected);
    vec![
        roll(vector([1]), Value(matrix([[3, 1, 2], [6, 4, 5]]))),
        roll(vector([-4i64]), Value(matrix([[2, 3, 1], [5, 6, 4]]))),
        roll(vector([i64::MIN]), Value(matrix([[3, 1, 2], [6, 4, 5]]))),
        case_with(
            &ROLL,
            [ints([0, -1, 1])],
            [x(), vector([1, 1, 1])],
            Value(matrix([[5, 6, 4], [2, 3, 1]])),
        ),
        case_with(
            &ROLL,
            [ints([0])],
            [Array::zeros(DType::Str, &[0]), vector([1])],
            Value(Array::zeros(DType::Str, &[0])),
        ),
        roll(
            vector([1, 2]),
            TypeError("shift and axis must have the same size"),
        ),
    ]
}

fn repeats() -> Vec<Case> {
    let repeat = |axis, count, expected| {
        case_with(
            &REPEAT,
            [Attr::Int(axis), Attr::Int(count)],
            [x()],
            expected,
        )
    };
    let each =
        |counts: Array, expected| case_with(&REPEAT_EACH, [Attr::Int(1)], [x(), counts], expected);
    vec![
        repeat(
            1,
            2,
            Value(matrix([[1, 1, 2, 2, 3, 3], [4, 4, 5, 5, 6, 6]])),
        ),
        repeat(
            0,
            2,
            Value(matrix([[1, 2, 3], [1, 2, 3], [4, 5, 6], [4, 5, 6]])),
        ),
        repeat(-1, 0, Value(Array::zeros(DType::I32, &[2, 0]))),
        repeat(0, -1, TypeError("1 slices can't be repeated -1 times")),
        each(vector([1, 0, 2]), Value(matrix([[1, 3, 3], [4, 6, 6]]))),
        each(vector([1i64, -1, 2]), Value(matrix([[1, 3, 3], [4, 6, 6]]))),
        each(vector([0, 0, 0]), Value(Array::zeros(DType::I32, &[2, 0]))),
        each(
            vector([1, 2]),
            TypeError("Dimensions 3 and 2 are not compatible"),
        ),
        case_with(
            &REPEAT_EACH,
            [Attr::Int(0)],
            [texts(["a", "b"]), vector([2, 1])],
            Value(texts(["a", "a", "b"])),
        ),
    ]
}

fn reversed() -> Vec<Case> {
    let reverse = |sequence, batch, lengths: Array, expected| {
        let attrs = [Attr::Int(sequence), Attr::Int(batch)];
        case_with(&REVERSE_SEQUENCE, attrs, [x(), lengths], expected)
    };
    vec![
        reverse(1, 0, vector([2, 3]), Value(matrix([[2, 1, 3], [6, 5, 4]]))),
        reverse(
            0,
            -1,
            vector([2i64, 0, 1]),
            Value(matrix([[4, 2, 3], [1, 5, 6]])),
        ),
        reverse(
            1,
            0,
            vector([2, 4]),
            RunError("seq_lens(1) > input.dims(1)"),
        ),
        reverse(1, 0, vector([2, -1]), RunError("seq_lens(1) < 0")),
        reverse(
            0,
            -2,
            vector([1, 1]),
            TypeError("batch_dim == seq_dim == 0"),
        ),
        reverse(
            1,
            0,
            vector([1]),
            TypeError("Length of seq_lens != input.dims(0), ([1] vs. 2)"),
        ),
    ]
}
