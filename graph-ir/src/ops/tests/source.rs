//! Cases of ops that make arrays, and of strings.

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    let range = |a: Array, b: Array, c: Array, expected| case(&RANGE, [a, b, c], expected);
    let empty = || Array::zeros(DType::I32, &[0]);
    let join = |parts: [Array; 3], expected| {
        case_with(&STRING_JOIN, [Attr::Text("-".to_owned())], parts, expected)
    };
    let text = |text: &str| scalar(text.to_owned());
    vec![
        range(scalar(0), scalar(5), scalar(2), Value(vector([0, 2, 4]))),
        range(scalar(3), scalar(0), scalar(-1), Value(vector([3, 2, 1]))),
        range(scalar(3), scalar(0), scalar(1), Value(empty())),
        range(
            scalar(0.0),
            scalar(1.0),
            scalar(0.25),
            Value(vector([0.0, 0.25, 0.5, 0.75])),
        ),
        range(
            scalar(i32::MIN),
            scalar(i32::MAX),
            scalar(i32::MAX),
            Value(vector([i32::MIN, -1, i32::MAX - 1])),
        ),
        range(
            scalar(0),
            scalar(5),
            scalar(0),
            RunError("Requires delta != 0: 0"),
        ),
        range(
            scalar(0),
            scalar(5.0),
            scalar(1),
            TypeError("`range` takes operands of one dtype, not int32 and float64"),
        ),
        case_with(
            &FILL,
            [ints([2, 2])],
            [scalar(7)],
            Value(matrix([[7, 7], [7, 7]])),
        ),
        case_with(&FILL, [ints([2])], [text("a")], Value(texts(["a", "a"]))),
        case_with(
            &FILL,
            [ints([-1])],
            [scalar(7)],
            TypeError("[-1] is not a shape"),
        ),
        case_with(
            &UNDEFINED,
            [
                Attr::DType(DType::I32),
                Attr::Shape(Shape::of([None, Some(0)])),
            ],
            [],
            Value(Array::zeros(DType::I32, &[0, 0])),
        ),
        case_with(
            &EYE,
            [Attr::Int(2), Attr::Int(3), Attr::DType(DType::I32)],
            [],
            Value(matrix([[1, 0, 0], [0, 1, 0]])),
        ),
        case_with(
            &EYE,
            [Attr::Int(3), Attr::Int(2), Attr::DType(DType::F32)],
            [],
            Value(matrix([[1f32, 0.0], [0.0, 1.0], [0.0, 0.0]])),
        ),
        case(
            &STRING_LENGTH,
            [texts(["", "ab", "é"])],
            Value(vector([0, 2, 2])),
        ),
        join(
            [texts(["a", "b"]), text("x"), texts(["c", "d"])],
            Value(texts(["a-x-c", "b-x-d"])),
        ),
        join([text("a"), text("b"), text("c")], Value(text("a-b-c"))),
        join(
            [text("a"), scalar(1), text("c")],
            TypeError("`string_join` is not defined for int32"),
        ),
    ]
}
