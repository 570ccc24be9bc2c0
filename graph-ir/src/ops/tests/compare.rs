//! Cases of comparisons, logic and selection.

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    let (a, b) = (
        || vector([1.0, 2.0, f64::NAN]),
        || vector([2.0, 2.0, f64::NAN]),
    );
    let (t, f) = (true, false);
    let left = || matrix([[1], [2]]);
    vec![
        case(&LESS, [a(), b()], Value(vector([t, f, f]))),
        case(&LESS_EQUAL, [a(), b()], Value(vector([t, t, f]))),
        case(&GREATER, [b(), a()], Value(vector([t, f, f]))),
        case(&GREATER_EQUAL, [b(), a()], Value(vector([t, t, f]))),
        case(&EQUAL, [a(), b()], Value(vector([f, t, f]))),
        case(&NOT_EQUAL, [a(), b()], Value(vector([t, f, t]))),
        case(
            &LESS,
            [left(), vector([1, 2])],
            Value(matrix([[f, t], [f, f]])),
        ),
        case(&GREATER, [scalar(3), scalar(2)], Value(scalar(t))),
        case(
            &EQUAL,
            [texts(["a", "b"]), scalar("b".to_owned())],
            Value(vector([f, t])),
        ),
        case(
            &LESS,
            [texts(["a"]), texts(["b"])],
            TypeError("`less` is not defined for string"),
        ),
        case(
            &LOGICAL_AND,
            [vector([t, t, f]), vector([t, f, f])],
            Value(vector([t, f, f])),
        ),
        case(
            &LOGICAL_OR,
            [vector([t, t, f]), vector([t, f, f])],
            Value(vector([t, t, f])),
        ),
        case(&LOGICAL_NOT, [vector([t, f])], Value(vector([f, t]))),
        case(
            &LOGICAL_NOT,
            [scalar(1)],
            TypeError("`logical_not` is not defined for int32"),
        ),
        case(
            &SELECT,
            [vector([t, f]), vector([1, 2]), vector([10, 20])],
            Value(vector([1, 20])),
        ),
        case(
            &SELECT,
            [vector([t, f]), scalar(1), left()],
            Value(matrix([[1, 1], [1, 2]])),
        ),
        case(
            &SELECT,
            [scalar(f), texts(["a"]), texts(["b"])],
            Value(texts(["b"])),
        ),
        case(
            &SELECT,
            [matrix([[t], [f]]), vector([1, 2]), scalar(0)],
            Value(matrix([[1, 2], [0, 0]])),
        ),
        case(
            &SELECT,
            [scalar(1), scalar(1), scalar(1)],
            TypeError("`select` takes a bool condition, not int32"),
        ),
    ]
}
