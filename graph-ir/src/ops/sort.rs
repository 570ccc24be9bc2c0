//! Sorting, the largest values, and positions in sorted rows.

use graph_kernels::{self as kernels, DType};

use super::Attrs;
use super::rules::{
    Inferred, NUMBER, along, check_class, check_known, check_same_dtype, operands, text, with_axis,
};
use super::table::op_table;
use crate::types::TensorType;

op_table! {
    SORT "sort" ["axis", "descending"]: sort(),
        (|x, a, out| kernels::sort(x[0], a.int("axis")?, a.bool("descending")?, out)), fails OnShapes,
        "The values sorted along the axis; NaN last.";
    ARGSORT "argsort" ["axis", "descending"]: argsort(),
        (|x, a, out| kernels::argsort(x[0], a.int("axis")?, a.bool("descending")?, out)), fails OnShapes,
        "The int32 indices that sort the values along the axis: equal values keep their order, NaN last.";
    TOP_K "top_k" ["k"]: top_k(), (|x, a, out| kernels::top_k(x[0], a.int("k")?, out)), fails OnShapes, tf "TopKV2", onnx "TopK",
        "The int32 indices of the k largest values along the last axis, largest first; for equal values, the lower index first: [.., n] -> [.., k].";
    SEARCHSORTED "searchsorted" ["right"]: searchsorted(),
        (|x, a, out| kernels::searchsorted(x[0], x[1], a.bool("right")?, out)),
        "The position at which each value belongs in its sorted row, before equal values or (right) after them: [.., n] and [.., m] -> int32[.., m].";
}

fn sort(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    attrs.bool("descending")?;
    along(op, types, attrs, NUMBER)
}

fn argsort(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    Ok(TensorType::new(DType::I32, sort(op, types, attrs)?.shape))
}

fn top_k(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    check_class(op, NUMBER, x.dtype)?;
    if x.shape.rank() == Some(0) {
        return Err("input must be >= 1-D, got shape []".to_owned());
    }
    let k = attrs.int("k")?;
    let shape = with_axis(&x.shape, -1, |columns| {
        let columns = columns.unwrap_or(usize::MAX);
        text(kernels::top_k_count(columns, k)).map(Some)
    })?;
    Ok(TensorType::new(DType::I32, shape))
}

fn searchsorted(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [sorted, values] = operands(op, types)?;
    attrs.bool("right")?;
    check_same_dtype(op, sorted, values)?;
    check_class(op, NUMBER, values.dtype)?;
    check_known([&sorted.shape, &values.shape], |[sorted, values]| {
        kernels::check_rows(sorted, values)
    })?;
    Ok(TensorType::new(DType::I32, values.shape.clone()))
}
