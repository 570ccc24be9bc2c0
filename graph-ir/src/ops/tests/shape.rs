//! Cases of shape operations and of matrix products.

use graph_kernels::{Array, DType};

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    [
        arrangements(),
        one_values(),
        transposes(),
        joins(),
        repeats(),
        products(),
        systems(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn x() -> Array {
    matrix([[1, 2, 3], [4, 5, 6]])
}

fn arrangements() -> Vec<Case> {
    let relax = |shape, expected| case_with(&RELAX_SHAPE, [Attr::Shape(shape)], [x()], expected);
    let one = || Array::new(&[1, 2, 1], vec![7, 8]);
    vec![
        case_with(
            &RESHAPE,
            [ints([3, -1])],
            [x()],
            Value(matrix([[1, 2], [3, 4], [5, 6]])),
        ),
        case_with(&RESHAPE, [ints([])], [vector([4])], Value(scalar(4))),
        case_with(
            &RESHAPE,
            [ints([0, 5])],
            [Array::zeros(DType::I32, &[0])],
            Value(Array::zeros(DType::I32, &[0, 5])),
        ),
        case_with(
            &RESHAPE,
            [ints([4, 2])],
            [x()],
            TypeError("Cannot reshape a tensor with 6 elements to shape [4,2] (8 elements)"),
        ),
        case_with(
            &RESHAPE,
            [ints([4, -1])],
            [x()],
            TypeError("Cannot reshape a tensor with 6 elements to shape [4,-1]"),
        ),
        relax(Shape::of([None, Some(3)]), Value(x())),
        relax(Shape::unknown(), Value(x())),
        relax(
            Shape::known(&[2, 4]),
            TypeError("A tensor of shape [2,3] is not of shape [2,4]"),
        ),
        relax(
            Shape::known(&[2, 4]),
            RunError("A tensor of shape [2,3] is not of shape [2,4]"),
        ),
        case_with(
            &EXPAND_DIMS,
            [Attr::Int(-1)],
            [vector([1, 2])],
            Value(matrix([[1], [2]])),
        ),
        case_with(
            &EXPAND_DIMS,
            [Attr::Int(0)],
            [vector([1, 2])],
            Value(matrix([[1, 2]])),
        ),
        case_with(&SQUEEZE, [ints([])], [one()], Value(vector([7, 8]))),
        case_with(&SQUEEZE, [ints([-1])], [one()], Value(matrix([[7, 8]]))),
        case_with(
            &SQUEEZE,
            [ints([1])],
            [one()],
            TypeError("Can not squeeze dim[1], expected a dimension of 1, got 2"),
        ),
        case(&SHAPE_OF, [x()], Value(vector([2, 3]))),
        case(&SIZE_OF, [x()], Value(scalar(6))),
        case(&RANK_OF, [x()], Value(scalar(2))),
    ]
}

fn one_values() -> Vec<Case> {
    let one =
        |of: &str, x, expected| case_with(&ONE_VALUE, [Attr::Text(of.to_owned())], [x], expected);
    vec![
        one("condition", vector([true]), Value(scalar(true))),
        one("range", matrix([[7i64]]), Value(scalar(7i64))),
        one("match", scalar(3), Value(scalar(3))),
        one(
            "condition",
            vector([true, false]),
            RunError(
                "a condition must be a scalar, not bool[2]; say which of its values count: `.any()` or `.all()`. Value by value, `&&` and `||` are `&` and `|`, and `select(condition, a, b)` is the `if`",
            ),
        ),
        one(
            "range",
            x(),
            TypeError(
                "a bound of a range must be a scalar, not int32[2,3]; take one of its values: `x.get(0)`",
            ),
        ),
        one(
            "text",
            scalar(3),
            TypeError(
                "the attribute `of` must be given as `condition`, `match`, `range` or `switch`",
            ),
        ),
    ]
}

fn transposes() -> Vec<Case> {
    // The value at [i, j, k] is 100 i + 10 j + k, so each value shows its position.
    let place = |i: i32, j: i32, k: i32| 100 * i + 10 * j + k;
    let cube = |a: i32, b: i32, c: i32, at: &dyn Fn(i32, i32, i32) -> i32| {
        let values = (0..a).flat_map(|i| (0..b).flat_map(move |j| (0..c).map(move |k| (i, j, k))));
        Array::new(
            &[a as usize, b as usize, c as usize],
            values.map(|(i, j, k)| at(i, j, k)).collect(),
        )
    };
    let perm = |perm, x: Array, expected| case_with(&TRANSPOSE, [ints(perm)], [x], expected);
    let big = cube(1, 40, 35, &place);
    vec![
        case_with(
            &TRANSPOSE,
            [ints([1, 0])],
            [x()],
            Value(matrix([[1, 4], [2, 5], [3, 6]])),
        ),
        perm(
            [2, 0, 1],
            cube(2, 3, 4, &place),
            Value(cube(4, 2, 3, &|k, i, j| place(i, j, k))),
        ),
        perm(
            [1, 0, 2],
            cube(2, 3, 4, &place),
            Value(cube(3, 2, 4, &|j, i, k| place(i, j, k))),
        ),
        perm(
            [0, 2, 1],
            big,
            Value(cube(1, 35, 40, &|i, k, j| place(i, j, k))),
        ),
        case_with(
            &TRANSPOSE,
            [ints([0, 0])],
            [x()],
            TypeError("[0, 0] is not a permutation of the axes of an array of rank 2"),
        ),
    ]
}

fn joins() -> Vec<Case> {
    let join =
        |op, axis, parts: [Array; 2], expected| case_with(op, [Attr::Int(axis)], parts, expected);
    vec![
        join(
            &CONCAT,
            0,
            [x(), matrix([[7, 8, 9]])],
            Value(matrix([[1, 2, 3], [4, 5, 6], [7, 8, 9]])),
        ),
        join(
            &CONCAT,
            -1,
            [x(), matrix([[7], [8]])],
            Value(matrix([[1, 2, 3, 7], [4, 5, 6, 8]])),
        ),
        join(
            &CONCAT,
            0,
            [texts(["a"]), texts(["b", "c"])],
            Value(texts(["a", "b", "c"])),
        ),
        join(
            &CONCAT,
            0,
            [x(), matrix([[1]])],
            TypeError(
                "`concat` along axis 0 takes shapes that agree on all other axes, not [2,3] and [1,1]",
            ),
        ),
        join(
            &STACK,
            0,
            [vector([1, 2]), vector([3, 4])],
            Value(matrix([[1, 2], [3, 4]])),
        ),
        join(
            &STACK,
            -1,
            [vector([1, 2]), vector([3, 4])],
            Value(matrix([[1, 3], [2, 4]])),
        ),
        join(&STACK, 0, [scalar(1), scalar(2)], Value(vector([1, 2]))),
        join(
            &STACK,
            0,
            [scalar(1), scalar(2.0)],
            TypeError("`stack` takes operands of one dtype, not int32 and float64"),
        ),
    ]
}

fn repeats() -> Vec<Case> {
    vec![
        case_with(
            &BROADCAST_TO,
            [ints([2, 3])],
            [matrix([[1], [2]])],
            Value(matrix([[1, 1, 1], [2, 2, 2]])),
        ),
        case_with(
            &BROADCAST_TO,
            [ints([2, 2])],
            [vector([1, 2])],
            Value(matrix([[1, 2], [1, 2]])),
        ),
        // An unknown size may be 1, too.
        case_with(
            &BROADCAST_TO,
            [ints([2, 1])],
            [vector([7])],
            Value(matrix([[7], [7]])),
        ),
        case_with(
            &BROADCAST_TO,
            [ints([3])],
            [vector([1, 2])],
            TypeError("Incompatible shapes: [2] cannot be broadcast to [3]"),
        ),
        case_with(
            &TILE,
            [ints([2, 2])],
            [matrix([[1, 2]])],
            Value(matrix([[1, 2, 1, 2], [1, 2, 1, 2]])),
        ),
        case_with(
            &TILE,
            [ints([0])],
            [vector([1, 2])],
            Value(Array::zeros(DType::I32, &[0])),
        ),
        case_with(
            &TILE,
            [ints([1])],
            [x()],
            TypeError("`tile` takes 2 multiples for shape [2,3], not 1"),
        ),
        case_with(
            &TILE,
            [ints([1 << 40, 1])],
            [Array::zeros(DType::I32, &[1 << 40, 0])],
            TypeError("`tile` makes axis 0 too large: 1099511627776 times 1099511627776"),
        ),
    ]
}

fn products() -> Vec<Case> {
    let product = |ta, tb, a: Array, b: Array, expected| {
        case_with(&MATMUL, [Attr::Bool(ta), Attr::Bool(tb)], [a, b], expected)
    };
    let t = || matrix([[1, 4], [2, 5], [3, 6]]);
    // x · xᵀ and xᵀ · x of [[1, 2, 3], [4, 5, 6]].
    let xxt = || matrix([[14, 32], [32, 77]]);
    let xtx = || matrix([[17, 22, 27], [22, 29, 36], [27, 36, 45]]);
    let floats = |array: Array| {
        let values = array
            .values::<i32>()
            .unwrap()
            .iter()
            .map(|v| *v as f32)
            .collect();
        Array::new::<f32>(array.shape(), values)
    };
    let ramp = |rows: usize, columns: usize| {
        Array::new(
            &[rows, columns],
            (0..rows * columns).map(|n| (n % 7) as f64).collect(),
        )
    };
    let batch = || Array::new(&[2, 1, 2], vec![1, 2, 3, 4]);
    vec![
        product(false, false, x(), t(), Value(xxt())),
        product(false, true, x(), x(), Value(xxt())),
        product(true, false, x(), x(), Value(xtx())),
        product(true, true, x(), t(), Value(xtx())),
        product(false, false, floats(x()), floats(t()), Value(floats(xxt()))),
        product(false, true, floats(x()), floats(x()), Value(floats(xxt()))),
        product(true, false, floats(x()), floats(x()), Value(floats(xtx()))),
        product(true, true, floats(x()), floats(t()), Value(floats(xtx()))),
        product(
            false,
            false,
            floats(x()),
            floats(matrix([[1], [0], [2]])),
            Value(floats(matrix([[7], [16]]))),
        ),
        product(
            true,
            false,
            floats(t()),
            floats(matrix([[1], [0], [2]])),
            Value(floats(matrix([[7], [16]]))),
        ),
        product(
            false,
            false,
            floats(matrix([[1, 2]])),
            floats(x()),
            Value(floats(matrix([[9, 12, 15]]))),
        ),
        product(
            false,
            true,
            floats(matrix([[1, 2]])),
            floats(t()),
            Value(floats(matrix([[9, 12, 15]]))),
        ),
        product(
            false,
            false,
            batch(),
            matrix([[1, 0], [0, 2]]),
            Value(Array::new(&[2, 1, 2], vec![1, 4, 3, 8])),
        ),
        product(
            false,
            true,
            batch(),
            batch(),
            Value(Array::new(&[2, 1, 1], vec![5, 25])),
        ),
        product(
            true,
            false,
            matrix([[1], [2]]),
            Array::new(&[2, 2, 1], vec![1, 2, 3, 4]),
            Value(Array::new(&[2, 1, 1], vec![5, 11])),
        ),
        product(
            false,
            false,
            ramp(20, 30),
            ramp(30, 25),
            Value(by_definition(&ramp(20, 30), &ramp(30, 25))),
        ),
        product(
            false,
            false,
            Array::zeros(DType::F32, &[2, 0]),
            Array::zeros(DType::F32, &[0, 3]),
            Value(Array::zeros(DType::F32, &[2, 3])),
        ),
        product(
            false,
            false,
            x(),
            matrix([[1, 2], [3, 4], [5, 6], [7, 8]]),
            TypeError(
                "Dimensions must be equal, but are 3 and 4 for matmul with input shapes: [2,3], [4,2].",
            ),
        ),
        product(
            false,
            false,
            x(),
            matrix([[1, 2], [3, 4], [5, 6], [7, 8]]),
            RunError("Matrix size-incompatible: In[0]: [2,3], In[1]: [4,2]"),
        ),
        product(
            false,
            false,
            vector([1]),
            x(),
            TypeError("`matmul` takes operands of rank 2 or more, not of shape [1]"),
        ),
    ]
}

fn systems() -> Vec<Case> {
    let solve = |adjoint, a: Array, b: Array, expected| {
        case_with(&SOLVE, [Attr::Bool(adjoint)], [a, b], expected)
    };
    vec![
        solve(
            false,
            matrix([[2.0, 1.0], [1.0, 3.0]]),
            matrix([[5.0], [10.0]]),
            Value(matrix([[1.0], [3.0]])),
        ),
        solve(
            true,
            matrix([[2.0f32, 1.0], [0.0, 4.0]]),
            matrix([[2.0f32, 4.0], [9.0, 10.0]]),
            Value(matrix([[1.0f32, 2.0], [2.0, 2.0]])),
        ),
        solve(
            false,
            matrix([[0.0, 1.0], [1.0, 0.0]]),
            Array::new(&[2, 2, 1], vec![1.0, 2.0, 3.0, 4.0]),
            Value(Array::new(&[2, 2, 1], vec![2.0, 1.0, 4.0, 3.0])),
        ),
        solve(
            false,
            matrix([[1.0, 2.0], [2.0, 4.0]]),
            matrix([[1.0], [1.0]]),
            RunError("the matrix is singular, so it has no inverse"),
        ),
        solve(
            false,
            matrix([[1.0, 2.0, 3.0], [2.0, 4.0, 5.0]]),
            matrix([[1.0], [1.0]]),
            TypeError(
                "`solve` takes square matrices and right sides with as many rows, not [2,3] and [2,1]",
            ),
        ),
        solve(
            false,
            matrix([[1.0, 2.0], [2.0, 5.0]]),
            vector([1.0, 1.0]),
            TypeError("`solve` takes operands of rank 2 or more, not of shape [2]"),
        ),
        solve(
            false,
            matrix([[1, 2], [2, 5]]),
            matrix([[1], [1]]),
            TypeError("`solve` is not defined for int32"),
        ),
    ]
}

/// The matrix product, computed by its definition.
fn by_definition(a: &Array, b: &Array) -> Array {
    let (m, k, n) = (a.shape()[0], a.shape()[1], b.shape()[1]);
    let (x, y) = (a.values::<f64>().unwrap(), b.values::<f64>().unwrap());
    let at = |i: usize, j: usize| (0..k).map(|p| x[i * k + p] * y[p * n + j]).sum();
    Array::new::<f64>(
        &[m, n],
        (0..m)
            .flat_map(|i| (0..n).map(move |j| (i, j)))
            .map(|(i, j)| at(i, j))
            .collect(),
    )
}
