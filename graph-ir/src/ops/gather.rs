//! Ops that take values at positions given by arrays, and the positions of nonzero values.

use graph_kernels::{self as kernels, DType};

use super::Attrs;
use super::rules::{self, Inferred, PLAIN, broadcast, check_class, check_indices, operands, text};
use super::table::op_table;
use crate::types::{Dim, Shape, TensorType};

op_table! {
    GATHER "gather" ["axis"]: gather(), (|x, a, out| kernels::gather(x[0], x[1], a.int("axis")?, 0, out)), linear in floats, tf "GatherV2", onnx "Gather",
        "The slices of an axis at the given indices; the axes of the indices replace the axis.";
    BATCH_GATHER "batch_gather" ["axis", "batch_dims"]: batch_gather(),
        (|x, a, out| kernels::gather(x[0], x[1], a.int("axis")?, a.int("batch_dims")?, out)), linear in floats, tf "GatherV2",
        "As `gather`, but the first batch_dims axes are common to both operands, and each position in them has its own indices.";
    GATHER_ND "gather_nd" ["batch_dims"]: gather_nd(), (|x, a, out| kernels::gather_nd(x[0], x[1], a.int("batch_dims")?, out)),
        linear in floats, tf "GatherNd", onnx "GatherND",
        "The parts of [batch.., d1, .., dk, rest..] at rows of positions [batch.., outer.., k] -> [batch.., outer.., rest..].";
    TAKE_ALONG_AXIS "take_along_axis" ["axis"]: take_along_axis(),
        (|x, a, out| kernels::take_along_axis(x[0], x[1], a.int("axis")?, out)), linear in floats, onnx "GatherElements",
        "For each index, the value at that position of its lane along the axis; the other axes broadcast.";
    NONZERO "nonzero" []: nonzero(), (unary kernels::nonzero), tf "Where",
        "The int64 positions of the values that are true or not 0, in row-major order: [..] -> [?, rank].";
}

fn gather(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    gathered(op, types, attrs.int("axis")?, 0)
}

fn batch_gather(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    gathered(op, types, attrs.int("axis")?, attrs.int("batch_dims")?)
}

pub(super) fn gathered(op: &str, types: &[TensorType], axis: i64, batch: i64) -> Inferred {
    let [x, indices] = operands(op, types)?;
    check_indices(op, indices)?;
    let Some(dims) = x.shape.dims() else {
        return Ok(TensorType::new(x.dtype, Shape::unknown()));
    };
    let axis = rules::axis(axis, dims.len())?;
    let Some(places) = indices.shape.dims() else {
        return Ok(TensorType::new(x.dtype, Shape::unknown()));
    };
    let batch = text(kernels::batch_axes(batch, axis, places.len()))?;
    let common = rules::merge(
        op,
        &Shape::of(dims[..batch].iter().copied()),
        &Shape::of(places[..batch].iter().copied()),
    )?;
    let parts = [
        common.dims().unwrap_or_default(),
        &dims[batch..axis],
        &places[batch..],
        &dims[axis + 1..],
    ];
    Ok(TensorType::new(x.dtype, Shape::of(parts.concat())))
}

fn gather_nd(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, indices] = operands(op, types)?;
    check_indices(op, indices)?;
    let unknown = TensorType::new(x.dtype, Shape::unknown());
    let batch = attrs.int("batch_dims")?;
    let Some(places) = indices.shape.dims() else {
        return Ok(unknown);
    };
    let Some((depth, outer)) = places.split_last() else {
        return Err("indices must be at least a vector".to_owned());
    };
    let (Some(dims), Some(depth)) = (x.shape.dims(), *depth) else {
        return Ok(unknown);
    };
    let batch = text(kernels::batch_axes(
        batch,
        outer.len().min(dims.len()),
        places.len(),
    ))?;
    rules::merge(
        op,
        &Shape::of(dims[..batch].iter().copied()),
        &Shape::of(outer[..batch].iter().copied()),
    )?;
    text(kernels::check_depth(depth, dims.len() - batch))?;
    Ok(TensorType::new(
        x.dtype,
        Shape::of([outer, &dims[batch + depth..]].concat()),
    ))
}

pub(super) fn take_along_axis(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, indices] = operands(op, types)?;
    check_indices(op, indices)?;
    let given = attrs.int("axis")?;
    let (Some(dims), Some(places)) = (x.shape.dims(), indices.shape.dims()) else {
        return Ok(TensorType::new(x.dtype, Shape::unknown()));
    };
    let axis = rules::axis(given, dims.len())?;
    if dims.len() != places.len() {
        return Err(format!(
            "`{op}` takes indices of the rank of shape {}, not of shape {}",
            x.shape, indices.shape
        ));
    }
    let at_one = |dims: &[Dim]| {
        let size = |(n, dim): (usize, &Dim)| if n == axis { Some(1) } else { *dim };
        Shape::of(dims.iter().enumerate().map(size))
    };
    let lanes = broadcast(op, &at_one(dims), &at_one(places))?;
    let shape = rules::with_axis(&lanes, axis as i64, |_| Ok(places[axis]))?;
    Ok(TensorType::new(x.dtype, shape))
}

fn nonzero(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    check_class(op, PLAIN, x.dtype)?;
    Ok(TensorType::new(
        DType::I64,
        Shape::of([None, x.shape.rank()]),
    ))
}
