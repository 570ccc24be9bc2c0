//! Cases of the ops for gradients.

use graph_kernels::Array;

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    let x = || matrix([[1, 2, 3], [4, 5, 6]]);
    let along = |axis, operands: [Array; 3], expected| {
        case_with(&ADD_ALONG_AXIS, [Attr::Int(axis)], operands, expected)
    };
    vec![
        case(&SUM_TO, [x(), vector([3])], Value(vector([5, 7, 9]))),
        case(
            &SUM_TO,
            [x(), vector([2i64, 1])],
            Value(matrix([[6], [15]])),
        ),
        case(
            &SUM_TO,
            [x(), Array::new::<i32>(&[0], vec![])],
            Value(scalar(21)),
        ),
        case(
            &SUM_TO,
            [x(), vector([2])],
            RunError("Incompatible shapes: [2] cannot be broadcast to [2,3]"),
        ),
        case(
            &SUM_TO,
            [x(), vector([-1])],
            RunError("`sum_to` takes sizes, of 0 or more"),
        ),
        case(
            &SUM_TO,
            [vector([1]), vector([1, 1])],
            TypeError("Incompatible shapes: [?,?] cannot be broadcast to [1]"),
        ),
        case(&STOP_GRADIENT, [x()], Value(x())),
        case(&AFTER, [x(), scalar(1.0f32)], Value(x())),
        case(
            &GRAD_DIV,
            [vector([0.0, 0.0, 3.0]), vector([0.0, f64::NAN, 2.0])],
            Value(vector([0.0, 0.0, 1.5])),
        ),
        case(
            &INDEX_ADD,
            [x(), vector([10, 20, 30]), scalar(-1)],
            Value(matrix([[1, 2, 3], [14, 25, 36]])),
        ),
        case(
            &INDEX_ADD,
            [x(), scalar(10), scalar(0), scalar(2i64)],
            Value(matrix([[1, 2, 13], [4, 5, 6]])),
        ),
        case(
            &INDEX_ADD,
            [x(), vector([1, 1, 1]), scalar(2)],
            RunError("slice index 2 of dimension 0 out of bounds."),
        ),
        case(
            &INDEX_ADD,
            [x(), vector([1.0f32]), scalar(0)],
            TypeError("`index_add` takes operands of one dtype, not int32 and float32"),
        ),
        case(
            &INDEX_ADD,
            [x(), scalar(1), scalar(0), scalar(0), scalar(0)],
            TypeError("`index_add` takes an array with at least 3 axes, not of shape [2,3]"),
        ),
        case_with(
            &STRIDED_SLICE_ADD,
            [ints([1]), ints([0]), ints([3]), ints([2]), ints([0])],
            [x(), matrix([[10, 20], [30, 40]])],
            Value(matrix([[11, 2, 23], [34, 5, 46]])),
        ),
        case_with(
            &STRIDED_SLICE_ADD,
            [ints([1]), ints([0]), ints([3]), ints([2]), ints([0])],
            [x(), matrix([[10, 20, 30], [30, 40, 50]])],
            TypeError("Shapes [2,2] and [2,3] are incompatible for strided_slice_add"),
        ),
        case_with(
            &SLICE_AXIS_ADD,
            [Attr::Int(0), Attr::Int(2)],
            [
                x(),
                matrix([[10, 20, 30]]),
                scalar(-1),
                scalar(0),
                scalar(1i64),
            ],
            Value(matrix([[1, 2, 3], [14, 25, 36]])),
        ),
        case(
            &SLICE_ADD,
            [x(), matrix([[10]]), vector([1, 2])],
            Value(matrix([[1, 2, 3], [4, 5, 16]])),
        ),
        case(
            &SLICE_ADD,
            [x(), matrix([[10]]), vector([2, 0])],
            RunError("Expected size[0] in [0, 0], but got 1"),
        ),
        case_with(
            &GATHER_ADD,
            [Attr::Int(1), Attr::Int(0)],
            [x(), matrix([[10, 20], [30, 40]]), vector([2, 2])],
            Value(matrix([[1, 2, 33], [4, 5, 76]])),
        ),
        case_with(
            &GATHER_ADD,
            [Attr::Int(0), Attr::Int(0)],
            [x(), matrix([[10, 20, 30]]), vector([2])],
            RunError("indices[0] = 2 is not in [0, 2)"),
        ),
        along(
            1,
            [x(), matrix([[0, 0], [-1, 1]]), matrix([[10, 20], [30, 40]])],
            Value(matrix([[31, 2, 3], [4, 45, 36]])),
        ),
        // One row of indices is broadcast to all rows.
        along(
            -1,
            [x(), matrix([[2i64, 2]]), matrix([[10, 20], [30, 40]])],
            Value(matrix([[1, 2, 33], [4, 5, 76]])),
        ),
        along(
            0,
            [x(), matrix([[1, -2, 1]]), matrix([[10, 20, 30]])],
            Value(matrix([[1, 22, 3], [14, 5, 36]])),
        ),
        // A single column receives the values at the positions of two columns.
        along(
            0,
            [
                matrix([[1], [2]]),
                matrix([[0, 1], [1, 1]]),
                matrix([[10, 20], [30, 40]]),
            ],
            Value(matrix([[11], [92]])),
        ),
        along(
            0,
            [x(), matrix([[0, 2, 1]]), matrix([[1, 1, 1]])],
            RunError("index 2 is out of bounds for axis 0 with size 2"),
        ),
        along(
            0,
            [x(), vector([0]), vector([1])],
            TypeError(
                "`add_along_axis` takes indices of the rank of shape [2,3], not of shape [1]",
            ),
        ),
        along(
            0,
            [x(), matrix([[0]]), matrix([[1]])],
            TypeError("Shapes [1,3] and [1,1] are incompatible for add_along_axis"),
        ),
        along(
            0,
            [x(), matrix([[0]]), matrix([[1.0f32, 1.0, 1.0]])],
            TypeError("`add_along_axis` takes operands of one dtype, not int32 and float32"),
        ),
    ]
}
