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
