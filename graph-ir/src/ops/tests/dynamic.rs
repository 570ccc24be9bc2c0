//! Cases of ops with shapes and bounds as operands, and of linspace, with TensorFlow's results.

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

fn x() -> Array {
    matrix([[1, 2], [3, 4], [5, 6]])
}

pub(super) fn cases() -> Vec<Case> {
    [shapes(), parts(), axes(), spaced()]
        .into_iter()
        .flatten()
        .collect()
}

fn shapes() -> Vec<Case> {
    vec![
        case(
            &RESHAPE_TO,
            [x(), vector([2, -1])],
            Value(matrix([[1, 2, 3], [4, 5, 6]])),
        ),
        case(
            &RESHAPE_TO,
            [vector([7]), Array::zeros(DType::I64, &[0])],
            Value(scalar(7)),
        ),
        case(
            &RESHAPE_TO,
            [x(), vector([4, 2])],
            RunError("Cannot reshape a tensor with 6 elements to shape [4,2] (8 elements)"),
        ),
        case(
            &RESHAPE_TO,
            [x(), scalar(6)],
            TypeError("`reshape_to` takes a vector of integers, not an array of shape []"),
        ),
        case(
            &RESHAPE_TO,
            [x(), vector([6.0])],
            TypeError("`reshape_to` takes int32 or int64 indices, not float64"),
        ),
        case(
            &FILL_TO,
            [scalar("a".to_owned()), vector([1, 2])],
            Value(matrix([["a", "a"].map(str::to_owned)])),
        ),
        case(
            &FILL_TO,
            [scalar(1), vector([-1, 2])],
            RunError("[-1, 2] is not a shape"),
        ),
        case(
            &FILL_TO,
            [scalar(1u8), vector([1i64 << 58])],
            RunError("an array of shape [288230376151711744] is too large"),
        ),
        case(
            &BROADCAST_AS,
            [matrix([[1], [2]]), vector([2, 2, 2])],
            Value(Array::new(&[2, 2, 2], vec![1, 1, 2, 2, 1, 1, 2, 2])),
        ),
        case(
            &BROADCAST_AS,
            [vector([1, 2, 3]), vector([2, 2])],
            RunError("Incompatible shapes: [3] cannot be broadcast to [2,2]"),
        ),
        case(
            &BROADCAST_AS,
            [x(), vector([6])],
            TypeError("Incompatible shapes: [3,2] cannot be broadcast to [?]"),
        ),
        case(
            &TILE_BY,
            [matrix([[1, 2]]), vector([2, 2])],
            Value(matrix([[1, 2, 1, 2], [1, 2, 1, 2]])),
        ),
        case(
            &TILE_BY,
            [matrix([[1, 2]]), vector([2])],
            TypeError("`tile_by` takes 2 numbers for shape [1,2], not 1"),
        ),
    ]
}

fn parts() -> Vec<Case> {
    let slice =
        |begins: Array, sizes, expected| case_with(&SLICE, [ints(sizes)], [x(), begins], expected);
    let to =
        |begins: Array, sizes: Array, expected| case(&SLICE_TO, [x(), begins, sizes], expected);
    vec![
        slice(vector([1, 0]), [-1, 1], Value(matrix([[3], [5]]))),
        slice(vector([0i64, 1]), [2, 1], Value(matrix([[2], [4]]))),
        slice(
            vector([3, 0]),
            [0, 2],
            Value(Array::zeros(DType::I32, &[0, 2])),
        ),
        slice(
            vector([1, 0]),
            [3, 1],
            RunError("Expected size[0] in [0, 2], but got 3"),
        ),
        slice(
            vector([4, 0]),
            [0, 1],
            RunError("Expected begin[0] in [0, 3], but got 4"),
        ),
        slice(
            vector([-1, 0]),
            [1, 1],
            RunError("Expected begin[0] in [0, 3], but got -1"),
        ),
        case_with(
            &SLICE,
            [ints([1])],
            [x(), vector([0, 0])],
            TypeError(
                "Expected begin and size arguments to be 1-D tensors of size 2, but got shapes [2] and [1] instead.",
            ),
        ),
        to(vector([1, 0]), vector([-1, 1]), Value(matrix([[3], [5]]))),
        to(
            vector([0, 0]),
            vector([1, i32::MIN]),
            RunError("Expected size[1] in [0, 2], but got -2147483648"),
        ),
        to(
            vector([0]),
            vector([1]),
            TypeError("`slice_to` takes 2 numbers for shape [3,2], not 1"),
        ),
    ]
}

fn axes() -> Vec<Case> {
    let axis = |axis, mask, [begin, end, step]: [i64; 3], expected| {
        let inputs = [x(), scalar(begin), scalar(end), scalar(step)];
        case_with(
            &SLICE_AXIS,
            [Attr::Int(axis), Attr::Int(mask)],
            inputs,
            expected,
        )
    };
    vec![
        axis(0, 0, [1, 3, 1], Value(matrix([[3, 4], [5, 6]]))),
        axis(-1, 3, [0, 0, -1], Value(matrix([[2, 1], [4, 3], [6, 5]]))),
        axis(0, 1, [0, -1, 2], Value(matrix([[1, 2]]))),
        axis(0, 2, [-1, 0, -2], Value(matrix([[5, 6], [1, 2]]))),
        axis(0, 0, [0, 3, 0], RunError("slice step cannot be zero")),
        axis(
            2,
            0,
            [0, 1, 1],
            TypeError("axis 2 is out of range for an array of rank 2"),
        ),
    ]
}

fn spaced() -> Vec<Case> {
    let space = |count, start: Array, stop: Array, expected| {
        case_with(&LINSPACE, [Attr::Int(count)], [start, stop], expected)
    };
    vec![
        space(
            4,
            scalar(0.0),
            scalar(1.5),
            Value(vector([0.0, 0.5, 1.0, 1.5])),
        ),
        space(1, scalar(2f32), scalar(3.0f32), Value(vector([2f32]))),
        space(
            0,
            scalar(2f32),
            scalar(3.0f32),
            Value(Array::zeros(DType::F32, &[0])),
        ),
        space(
            -1,
            scalar(2f32),
            scalar(3.0f32),
            TypeError("Requires num >= 0: -1"),
        ),
        space(
            2,
            scalar(2),
            scalar(3),
            TypeError("`linspace` is not defined for int32"),
        ),
    ]
}
