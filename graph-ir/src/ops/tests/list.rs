//! Cases of lists of rows.

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

const UNREAD: &str = "Trying to read an uninitialized tensor but element_shape is not fully defined: <unknown> and no list element is set.";
const UNSTACKED: &str = "Tried to stack list which only contains uninitialized tensors and has a non-fully-defined element_shape: <unknown>";

pub(super) fn cases() -> Vec<Case> {
    let unknown = || Attr::Shape(Shape::unknown());
    let known = |dims: &[Option<usize>]| Attr::Shape(Shape::of(dims.iter().copied()));
    let open = |rows: usize| Array::zeros(DType::I32, &[rows, 0, 0, 0, 0, 0, 0, 0]);
    let new = |shape, size: Array, expected| {
        case_with(
            &LIST_NEW,
            [Attr::DType(DType::I32), shape],
            [size],
            expected,
        )
    };
    let write = |grows, list: Array, i: i32, row: Array, expected| {
        case_with(
            &LIST_WRITE,
            [Attr::Bool(grows)],
            [list, scalar(i), row],
            expected,
        )
    };
    let scatter = |grows, list: Array, indices: Array, rows: Array, expected| {
        case_with(
            &LIST_SCATTER,
            [Attr::Bool(grows)],
            [list, indices, rows],
            expected,
        )
    };
    let read = |shape, list: Array, i: i32, expected| {
        case_with(&LIST_READ, [shape], [list, scalar(i)], expected)
    };
    let rows = |shape, list: Array, expected| case_with(&LIST_ROWS, [shape], [list], expected);
    let pair = || vector([1, 2]);
    let matrix_list = || matrix([[1, 2], [3, 4]]);
    vec![
        new(unknown(), scalar(3), Value(open(3))),
        new(
            known(&[None, Some(2)]),
            scalar(1i64),
            Value(matrix([[0, 0]])),
        ),
        new(
            known(&[Some(2)]),
            scalar(3),
            RunError("A tensor of shape [3] is not of shape [2]"),
        ),
        new(
            unknown(),
            scalar(-1),
            RunError("The size of a list must be non-negative, got -1"),
        ),
        new(
            known(&[]),
            scalar(1),
            TypeError("a list has at least one axis"),
        ),
        write(false, open(2), 1, pair(), Value(matrix([[0, 0], [1, 2]]))),
        write(false, open(2), 1, scalar(5), Value(vector([0, 5]))),
        write(false, pair(), 0, scalar(5), Value(vector([5, 2]))),
        write(true, pair(), 3, scalar(5), Value(vector([1, 2, 0, 5]))),
        write(
            false,
            pair(),
            2,
            scalar(5),
            RunError("Trying to modify element 2 in a list with 2 elements."),
        ),
        write(
            true,
            pair(),
            -1,
            scalar(5),
            RunError("Trying to modify element -1 in a list with 2 elements."),
        ),
        write(
            false,
            matrix_list(),
            0,
            scalar(5),
            TypeError("Inconsistent shapes: saw [] but expected [2]"),
        ),
        write(
            false,
            pair(),
            0,
            scalar(5.0),
            TypeError("a list of int32 takes no float64"),
        ),
        scatter(
            false,
            open(3),
            vector([2, 0]),
            matrix([[1, 2], [3, 4]]),
            Value(matrix([[3, 4], [0, 0], [1, 2]])),
        ),
        scatter(
            true,
            pair(),
            vector([3i64]),
            vector([7]),
            Value(vector([1, 2, 0, 7])),
        ),
        scatter(
            false,
            open(2),
            Array::zeros(DType::I32, &[0]),
            Array::zeros(DType::I32, &[0, 3]),
            Value(open(2)),
        ),
        scatter(
            false,
            pair(),
            vector([0]),
            vector([7, 8]),
            TypeError("Shapes [1] and [2] are incompatible for list_scatter"),
        ),
        scatter(
            false,
            pair(),
            vector([0]),
            scalar(7),
            TypeError("Tensor must be at least a vector, but saw shape: []"),
        ),
        case(
            &LIST_EXTEND,
            [vector([1, 2]), matrix([[3, 4]])],
            Value(vector([1, 2, 3, 4])),
        ),
        case(
            &LIST_EXTEND,
            [vector([1]), scalar(1.5f32)],
            TypeError("a list of int32 takes no float32"),
        ),
        case(
            &LIST_EXTEND,
            [scalar(1), scalar(2)],
            TypeError("`list_extend` takes a vector, not int32[]"),
        ),
        case(&LIST_SIZE, [pair()], Value(scalar(2))),
        case(&LIST_SIZE, [open(3)], Value(scalar(3))),
        case(
            &LIST_SIZE,
            [scalar(1)],
            TypeError("a list has at least one axis"),
        ),
        case(
            &LIST_ADD,
            [vector([1, 2]), vector([3, 4])],
            Value(vector([4, 6])),
        ),
        case(&LIST_ADD, [open(2), vector([3, 4])], Value(vector([3, 4]))),
        case(&LIST_ADD, [vector([3, 4]), open(2)], Value(vector([3, 4]))),
        case(
            &LIST_ADD,
            [vector([3, 4]), vector([1.5f32])],
            TypeError("`list_add` takes operands of one dtype, not int32 and float32"),
        ),
        case(
            &LIST_ADD,
            [vector([3, 4]), vector([1, 2, 3])],
            TypeError("Shapes [2] and [3] are incompatible for list_add"),
        ),
        read(unknown(), matrix_list(), 1, Value(vector([3, 4]))),
        read(known(&[None, Some(2)]), open(2), 1, Value(vector([0, 0]))),
        read(unknown(), open(2), 1, RunError(UNREAD)),
        read(
            unknown(),
            pair(),
            2,
            RunError("Trying to access element 2 in a list with 2 elements."),
        ),
        read(
            unknown(),
            pair(),
            -1,
            RunError("Trying to access element -1 in a list with 2 elements."),
        ),
        rows(unknown(), matrix_list(), Value(matrix_list())),
        rows(
            known(&[Some(2), Some(1)]),
            open(2),
            Value(matrix([[0], [0]])),
        ),
        rows(unknown(), open(0), Value(Array::zeros(DType::I32, &[0]))),
        rows(unknown(), open(2), RunError(UNSTACKED)),
        rows(
            known(&[Some(3)]),
            pair(),
            RunError("A tensor of shape [2] is not of shape [3]"),
        ),
        case(&LIST_CONCAT, [matrix_list()], Value(vector([1, 2, 3, 4]))),
        case(
            &LIST_CONCAT,
            [pair()],
            TypeError("Concat saw a scalar shape at index 0 but requires at least vectors."),
        ),
    ]
}
