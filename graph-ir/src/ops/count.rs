//! Counting numbers, and finding distinct values.

use graph_kernels::{self as kernels, DType};

use super::rules::{Inferred, NUMBER, check_class, check_indices, check_known, operands, text};
use super::table::op_table;
use super::{AttrError, Attrs};
use crate::types::{Shape, TensorType};

op_table! {
    BINCOUNT "bincount" ["min", "max"]: bincount(), (|x, a, out| kernels::bincount(x[0], a.int("min")?, most(a)?, out)),
        "How often each number from 0 occurs, up to the largest, at least min and at most max (-1: any) numbers: [..] -> int32[?].";
    WEIGHTED_BINCOUNT "weighted_bincount" ["min", "max"]: weighted_bincount(),
        (|x, a, out| kernels::weighted_bincount(x[0], x[1], a.int("min")?, most(a)?, out)), linear in floats, tf "Bincount",
        "The sum of the weights, the second operand, of each number, as `bincount` counts them.";
    UNIQUE "unique" []: unique(), (unary kernels::unique), tf "Unique",
        "The distinct values of a vector in the order of first occurrence: [n] -> [?].";
    UNIQUE_INDEX "unique_index" []: unique_index(), (unary kernels::unique_index),
        "For each value of a vector, its index in the result of `unique`: [n] -> int32[n].";
}

/// The maximum number of bins, if it is given.
fn most(attrs: &Attrs) -> Result<Option<i64>, AttrError> {
    attrs
        .int("max")
        .map(|max| Some(max).filter(|max| *max != -1))
}

/// The type of counts; their size is known if the minimum equals the maximum.
fn counts(dtype: DType, attrs: &Attrs) -> Inferred {
    let (least, most) = text(kernels::bin_limits(attrs.int("min")?, most(attrs)?))?;
    let size = Some(least).filter(|least| *least == most);
    Ok(TensorType::new(dtype, Shape::of([size])))
}

fn bincount(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    check_indices(op, x)?;
    counts(DType::I32, attrs)
}

fn weighted_bincount(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, weights] = operands(op, types)?;
    check_indices(op, x)?;
    check_class(op, NUMBER, weights.dtype)?;
    check_known([&x.shape, &weights.shape], |[x, weights]| {
        kernels::check_weights(x, weights)
    })?;
    counts(weights.dtype, attrs)
}

/// The only operand, which must be a vector or of unknown rank.
fn vector<'a>(op: &str, types: &'a [TensorType]) -> Result<&'a TensorType, String> {
    let [x] = operands(op, types)?;
    match x.shape.rank() {
        None | Some(1) => Ok(x),
        Some(_) => Err(format!("unique expects a 1D vector, not shape {}", x.shape)),
    }
}

fn unique(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    Ok(TensorType::new(vector(op, types)?.dtype, Shape::of([None])))
}

fn unique_index(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let len = vector(op, types)?.shape.dims().and_then(|dims| dims[0]);
    Ok(TensorType::new(DType::I32, Shape::of([len])))
}
