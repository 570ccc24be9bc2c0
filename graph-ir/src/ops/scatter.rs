//! Ops that write into a copy of an array at given positions.

use graph_kernels as kernels;

use super::Attrs;
use super::rules::{
    ANY, Class, Inferred, NUMBER, check_class, check_indices, check_known, check_same_dtype,
    int_vector, operands,
};
use super::table::op_table;
use crate::types::{Shape, TensorType};

op_table! {
    SCATTER_UPDATE "scatter_update" []: scatter(ANY), (|x, _, out| kernels::scatter_update(x[0], x[1], x[2], out)),
        in_place |x, rest, _| kernels::scatter_update_in_place(x, rest[0], rest[1]), linear in floats, tf "TensorScatterUpdate", onnx "ScatterND",
        "A copy of [d1, .., dk, rest..] with updates [outer.., rest..] at rows of positions [outer.., k]; of equal rows, the last one counts.";
    SCATTER_ADD "scatter_add" []: scatter(NUMBER), (|x, _, out| kernels::scatter_add(x[0], x[1], x[2], out)),
        in_place |x, rest, _| kernels::scatter_add_in_place(x, rest[0], rest[1]), linear in floats, tf "TensorScatterAdd",
        "As `scatter_update`, but the updates are added; those of equal rows add up.";
    SCATTER_SUB "scatter_sub" []: scatter(NUMBER), (|x, _, out| kernels::scatter_sub(x[0], x[1], x[2], out)),
        in_place |x, rest, _| kernels::scatter_sub_in_place(x, rest[0], rest[1]), linear in floats, tf "TensorScatterSub",
        "As `scatter_update`, but the updates are subtracted.";
    SCATTER_MIN "scatter_min" []: scatter(NUMBER), (|x, _, out| kernels::scatter_min(x[0], x[1], x[2], out)),
        in_place |x, rest, _| kernels::scatter_min_in_place(x, rest[0], rest[1]), tf "TensorScatterMin",
        "As `scatter_update`, but the smaller of value and update is kept; NaN wins.";
    SCATTER_MAX "scatter_max" []: scatter(NUMBER), (|x, _, out| kernels::scatter_max(x[0], x[1], x[2], out)),
        in_place |x, rest, _| kernels::scatter_max_in_place(x, rest[0], rest[1]), tf "TensorScatterMax",
        "As `scatter_update`, but the larger of value and update is kept; NaN wins.";
    INVERT_PERMUTATION "invert_permutation" []: invert_permutation(), (unary kernels::invert_permutation), tf "InvertPermutation",
        "The inverse of a permutation of 0..n: [n] -> [n].";
}

fn scatter(op: &str, types: &[TensorType], _: &Attrs, class: Class) -> Inferred {
    let [x, indices, updates] = operands(op, types)?;
    check_indices(op, indices)?;
    check_same_dtype(op, x, updates)?;
    check_class(op, class, x.dtype)?;
    match indices.shape.dims() {
        Some([]) => return Err("indices must be at least a vector".to_owned()),
        Some([.., Some(depth)]) => {
            let rank = x.shape.rank().unwrap_or(usize::MAX);
            kernels::check_depth(*depth, rank).map_err(|error| error.to_string())?;
        }
        _ => {}
    }
    check_known(
        [&x.shape, &indices.shape, &updates.shape],
        |[x, indices, updates]| kernels::check_updates(x, indices, updates),
    )?;
    Ok(x.clone())
}

fn invert_permutation(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let len = int_vector(op, x)?;
    Ok(TensorType::new(x.dtype, Shape::of([len])))
}

#[cfg(test)]
pub(super) mod tests {
    //! Cases of writing at positions, with TensorFlow's results.

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;

    fn x() -> Array {
        matrix([[1, 2], [3, 4], [5, 6]])
    }

    fn v() -> Array {
        vector([1, 2, 3])
    }

    pub(in crate::ops) fn cases() -> Vec<Case> {
        let twice = || matrix([[1], [1]]);
        let at = |op, expected| case(op, [v(), twice(), vector([7, 8])], Value(vector(expected)));
        let mut cases = vec![
            at(&SCATTER_UPDATE, [1, 8, 3]),
            at(&SCATTER_ADD, [1, 17, 3]),
            at(&SCATTER_SUB, [1, -13, 3]),
            at(&SCATTER_MIN, [1, 2, 3]),
            at(&SCATTER_MAX, [1, 8, 3]),
            case(
                &SCATTER_UPDATE,
                [x(), matrix([[0i64, 1], [2, 0]]), vector([20, 50])],
                Value(matrix([[1, 20], [3, 4], [50, 6]])),
            ),
            case(
                &SCATTER_UPDATE,
                [x(), vector([2]), vector([50, 60])],
                Value(matrix([[1, 2], [3, 4], [50, 60]])),
            ),
            case(
                &SCATTER_UPDATE,
                [texts(["a", "b"]), matrix([[0]]), texts(["c"])],
                Value(texts(["c", "b"])),
            ),
            case(
                &SCATTER_ADD,
                [
                    x(),
                    Array::zeros(DType::I32, &[0, 2]),
                    Array::zeros(DType::I32, &[0]),
                ],
                Value(x()),
            ),
            case(
                &SCATTER_MAX,
                [
                    vector([1.0, f64::NAN]),
                    matrix([[0], [1]]),
                    vector([f64::NAN, 2.0]),
                ],
                Value(vector([f64::NAN, f64::NAN])),
            ),
            case(
                &INVERT_PERMUTATION,
                [vector([2, 0, 1])],
                Value(vector([1, 2, 0])),
            ),
            case(
                &INVERT_PERMUTATION,
                [vector([1i64, 0])],
                Value(vector([1i64, 0])),
            ),
        ];
        cases.extend(errors());
        cases
    }

    fn errors() -> Vec<Case> {
        vec![
            case(
                &SCATTER_UPDATE,
                [x(), matrix([[0], [3]]), matrix([[7, 8], [9, 9]])],
                RunError("indices[1] = [3] does not index into shape [3,2]"),
            ),
            case(
                &SCATTER_ADD,
                [v(), matrix([[1], [-1]]), vector([7, 8])],
                RunError("indices[1] = [-1] does not index into shape [3]"),
            ),
            case(
                &SCATTER_UPDATE,
                [v(), matrix([[1], [1]]), vector([7, 8, 9])],
                TypeError(
                    "Outer dimensions of indices and update must match. Indices shape: [2,1], updates shape:[3]",
                ),
            ),
            case(
                &SCATTER_UPDATE,
                [x(), matrix([[1], [1]]), vector([7, 8])],
                TypeError(
                    "Inner dimensions of output shape must match inner dimensions of updates shape. Output: [3,2] updates: [2]",
                ),
            ),
            case(
                &SCATTER_UPDATE,
                [v(), matrix([[0, 0]]), vector([7])],
                TypeError("index innermost dimension length must be <= params rank; saw: 2 vs. 1"),
            ),
            case(
                &SCATTER_ADD,
                [texts(["a"]), matrix([[0]]), texts(["b"])],
                TypeError("`scatter_add` is not defined for string"),
            ),
            case(
                &INVERT_PERMUTATION,
                [vector([2, 0, 2])],
                RunError("2 is duplicated in the input."),
            ),
            case(
                &INVERT_PERMUTATION,
                [vector([3, 0, 1])],
                RunError("3 is not between 0 and 3"),
            ),
            case(
                &INVERT_PERMUTATION,
                [vector([0, -1])],
                RunError("-1 is not between 0 and 2"),
            ),
        ]
    }
}
