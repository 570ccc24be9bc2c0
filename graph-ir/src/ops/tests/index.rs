//! Cases of indexing.

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    [rows(), parts(), slices(), masks()]
        .into_iter()
        .flatten()
        .collect()
}

/// A case that sets a part of an array; each axis is given by the axis, its mask, and begin, end and step.
fn set<const N: usize>(axes: [(i64, i64, [i32; 3]); N], value: Array, expected: Expected) -> Case {
    let bounds = axes.iter().flat_map(|(.., bounds)| bounds.map(scalar));
    let operands: Vec<Array> = [matrix([[1, 2, 3], [4, 5, 6]]), value]
        .into_iter()
        .chain(bounds)
        .collect();
    let attrs = [ints(axes.map(|a| a.0)), ints(axes.map(|a| a.1))];
    case_with(&SET_PART, attrs, operands, expected)
}

fn parts() -> Vec<Case> {
    let element = [(0, 4, [1, 0, 1]), (1, 4, [-3, 0, 1])];
    vec![
        set(element, scalar(9), Value(matrix([[1, 2, 3], [9, 5, 6]]))),
        set(
            [(-1, 4, [1, 0, 1])],
            vector([8, 9]),
            Value(matrix([[1, 8, 3], [4, 9, 6]])),
        ),
        set(
            [(1, 2, [-1, 0, -2])],
            vector([8, 9]),
            Value(matrix([[9, 2, 8], [9, 5, 8]])),
        ),
        set(
            [(1, 1, [7, -1, 1]), (0, 0, [1, 9, 1])],
            scalar(0),
            Value(matrix([[1, 2, 3], [0, 0, 6]])),
        ),
        set(
            [(0, 0, [1, 1, 1])],
            scalar(0),
            Value(matrix([[1, 2, 3], [4, 5, 6]])),
        ),
        set([], matrix([[8], [9]]), Value(matrix([[8; 3], [9; 3]]))),
        set(
            [(0, 4, [2, 0, 1])],
            scalar(0),
            RunError("slice index 2 of dimension 0 out of bounds."),
        ),
        set(
            [(1, 0, [0, 2, 1])],
            vector([1, 2, 3]),
            RunError("a value of shape [3] does not fit into a part of shape [2,2]"),
        ),
        set(
            element,
            vector([1]),
            TypeError("a value of shape [1] does not fit into a part of 0 axes"),
        ),
        set(
            [(1, 0, [0, 2, 1]), (-1, 0, [0, 2, 1])],
            scalar(0),
            TypeError("axis -1 is sliced twice"),
        ),
        set(
            element,
            scalar(1.5),
            TypeError("`set_part` takes operands of one dtype, not int32 and float64"),
        ),
    ]
}

fn x() -> Array {
    matrix([[1, 2], [3, 4], [5, 6]])
}

fn rows() -> Vec<Case> {
    vec![
        case(&INDEX, [x(), scalar(1)], Value(vector([3, 4]))),
        case(&INDEX, [x(), scalar(-1i64)], Value(vector([5, 6]))),
        case(
            &INDEX,
            [texts(["a", "b"]), scalar(1)],
            Value(scalar("b".to_owned())),
        ),
        case(
            &INDEX,
            [vector([1, 2, 3]), scalar(4)],
            RunError("slice index 4 of dimension 0 out of bounds."),
        ),
        case(
            &INDEX,
            [vector([1, 2, 3]), scalar(-4)],
            RunError("slice index -4 of dimension 0 out of bounds."),
        ),
        case(&INDEX, [x(), scalar(-1), scalar(0i64)], Value(scalar(5))),
        case(
            &INDEX,
            [
                Array::new(&[2, 2, 2], (0..8).collect::<Vec<i32>>()),
                scalar(1),
                scalar(-2),
            ],
            Value(vector([4, 5])),
        ),
        case(
            &INDEX,
            [x(), scalar(1), scalar(5)],
            RunError("slice index 5 of dimension 1 out of bounds."),
        ),
        case(
            &INDEX,
            [vector([1]), scalar(0), scalar(0)],
            TypeError("`index` takes an array with at least one axis, not a scalar"),
        ),
        case(
            &INDEX,
            [scalar(1), scalar(0)],
            TypeError("`index` takes an array with at least one axis, not a scalar"),
        ),
        case(
            &INDEX,
            [x(), scalar(0.0)],
            TypeError("`index` takes int32 or int64 indices, not float64"),
        ),
        case_with(
            &INDEX_AXIS,
            [Attr::Int(1)],
            [x(), scalar(-1)],
            Value(vector([2, 4, 6])),
        ),
        case_with(
            &INDEX_AXIS,
            [Attr::Int(-2)],
            [x(), scalar(1i64)],
            Value(vector([3, 4])),
        ),
        case_with(
            &INDEX_AXIS,
            [Attr::Int(1)],
            [x(), scalar(5)],
            RunError("slice index 5 of dimension 1 out of bounds."),
        ),
        case(
            &SET_ROW,
            [x(), scalar(1), vector([8, 9])],
            Value(matrix([[1, 2], [8, 9], [5, 6]])),
        ),
        case(
            &SET_ROW,
            [vector([1, 2]), scalar(-1), scalar(7)],
            Value(vector([1, 7])),
        ),
        case(
            &SET_ROW,
            [x(), scalar(7), vector([8, 9])],
            RunError("Trying to modify element 7 in a list with 3 elements."),
        ),
        case(
            &SET_ROW,
            [x(), scalar(0), scalar(9)],
            TypeError("Shapes [2] and [] are incompatible for set_row"),
        ),
        case_with(
            &ONE_HOT,
            [Attr::Int(3), Attr::DType(DType::F32)],
            [vector([1, 3, -1])],
            Value(matrix([[0f32, 1.0, 0.0], [0.0; 3], [0.0; 3]])),
        ),
        case_with(
            &ONE_HOT,
            [Attr::Int(2), Attr::DType(DType::Bool)],
            [scalar(0)],
            Value(vector([true, false])),
        ),
    ]
}

fn slices() -> Vec<Case> {
    let five = || vector([0, 1, 2, 3, 4]);
    let slice = |begin, end, step, mask, expected| {
        let attrs = [
            ints([0]),
            ints([begin]),
            ints([end]),
            ints([step]),
            ints([mask]),
        ];
        case_with(&STRIDED_SLICE, attrs, [five()], expected)
    };
    let on_x = |axes, begins, ends, steps, masks, expected| {
        case_with(
            &STRIDED_SLICE,
            [
                ints(axes),
                ints(begins),
                ints(ends),
                ints(steps),
                ints(masks),
            ],
            [x()],
            expected,
        )
    };
    let rows =
        |begin, end, expected| case(&SLICE_ROWS, [x(), scalar(begin), scalar(end)], expected);
    vec![
        slice(1, 4, 1, 0, Value(vector([1, 2, 3]))),
        slice(-2, 0, 1, 2, Value(vector([3, 4]))),
        slice(0, -1, 2, 1, Value(vector([0, 2]))),
        slice(0, 0, -1, 3, Value(vector([4, 3, 2, 1, 0]))),
        slice(3, 0, -2, 0, Value(vector([3, 1]))),
        slice(-100, 100, 1, 0, Value(five())),
        slice(100, -100, -3, 0, Value(vector([4, 1]))),
        slice(4, 2, 1, 0, Value(Array::zeros(DType::I32, &[0]))),
        slice(i64::MIN, i64::MAX, i64::MAX, 0, Value(vector([0]))),
        slice(0, 0, 0, 0, TypeError("slice step cannot be zero")),
        on_x(
            [1, 0],
            [0, 1],
            [1, 3],
            [1, 1],
            [0, 0],
            Value(matrix([[3], [5]])),
        ),
        on_x(
            [0, 1],
            [0, 0],
            [0, 0],
            [-1, -1],
            [3, 3],
            Value(matrix([[6, 5], [4, 3], [2, 1]])),
        ),
        on_x(
            [0, -2],
            [1, 1],
            [3, 3],
            [1, 1],
            [0, 0],
            TypeError("axis -2 is sliced twice"),
        ),
        rows(1, 3, Value(matrix([[3, 4], [5, 6]]))),
        rows(-2, 100, Value(matrix([[3, 4], [5, 6]]))),
        rows(2, 1, Value(Array::zeros(DType::I32, &[0, 2]))),
    ]
}

fn masks() -> Vec<Case> {
    vec![
        case(
            &BOOLEAN_MASK,
            [x(), vector([true, false, true])],
            Value(matrix([[1, 2], [5, 6]])),
        ),
        case(
            &BOOLEAN_MASK,
            [x(), matrix([[true, false], [false, true], [false, false]])],
            Value(vector([1, 4])),
        ),
        case(
            &BOOLEAN_MASK,
            [x(), vector([true, false])],
            TypeError("Shapes [3,2] and [2] are incompatible: a mask covers leading axes"),
        ),
    ]
}
