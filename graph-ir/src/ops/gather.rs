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

#[cfg(test)]
pub(super) mod tests {
    //! Cases of taking values by positions. The results of `gather`, `gather_nd` and `nonzero` are TensorFlow's, those of
    //! `take_along_axis` NumPy's.

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
        [slices(), batches(), rows(), lanes(), places()]
            .into_iter()
            .flatten()
            .collect()
    }

    fn x() -> Array {
        matrix([[1, 2], [3, 4], [5, 6]])
    }

    fn slices() -> Vec<Case> {
        let gather = |axis, indices: Array, expected| {
            case_with(&GATHER, [Attr::Int(axis)], [x(), indices], expected)
        };
        vec![
            gather(0, vector([2, 0]), Value(matrix([[5, 6], [1, 2]]))),
            gather(
                -1,
                vector([1i64, 1]),
                Value(matrix([[2, 2], [4, 4], [6, 6]])),
            ),
            gather(1, scalar(0), Value(vector([1, 3, 5]))),
            gather(
                0,
                vector([-1, 0]),
                RunError("indices[0] = -1 is not in [0, 3)"),
            ),
            gather(
                0,
                vector([0, 3]),
                RunError("indices[1] = 3 is not in [0, 3)"),
            ),
        ]
    }

    fn batches() -> Vec<Case> {
        let batch = |axis, batch, indices: Array, expected| {
            let attrs = [Attr::Int(axis), Attr::Int(batch)];
            case_with(&BATCH_GATHER, attrs, [x(), indices], expected)
        };
        let each = || matrix([[0, 1], [1, 1], [0, 0]]);
        vec![
            batch(1, 1, each(), Value(matrix([[1, 2], [4, 4], [5, 5]]))),
            batch(-1, -1, each(), Value(matrix([[1, 2], [4, 4], [5, 5]]))),
            batch(1, 1, vector([1i64, 0, 1]), Value(vector([2, 3, 6]))),
            batch(
                1,
                1,
                matrix([[0, 1], [1, 2], [0, 0]]),
                RunError("indices[1,1] = 2 is not in [0, 2)"),
            ),
            batch(
                1,
                1,
                vector([0, 1]),
                TypeError("Shapes [3] and [2] are incompatible for batch_gather"),
            ),
            batch(
                0,
                1,
                each(),
                TypeError("batch_dims 1 must be at most axis 0 and the rank 2 of the indices"),
            ),
            case_with(
                &GATHER,
                [Attr::Int(0)],
                [vector([1, 2, 3]), matrix([[0, 5]])],
                RunError("indices[0,1] = 5 is not in [0, 3)"),
            ),
            case_with(
                &GATHER,
                [Attr::Int(0)],
                [Array::zeros(DType::Str, &[0, 2]), vector([0i64; 0])],
                Value(Array::zeros(DType::Str, &[0, 2])),
            ),
        ]
    }

    fn rows() -> Vec<Case> {
        let at = |batch, indices: Array, expected| {
            case_with(&GATHER_ND, [Attr::Int(batch)], [x(), indices], expected)
        };
        vec![
            at(0, matrix([[0, 1], [2, 0]]), Value(vector([2, 5]))),
            at(0, matrix([[2i64], [0]]), Value(matrix([[5, 6], [1, 2]]))),
            at(0, vector([1]), Value(vector([3, 4]))),
            at(
                0,
                Array::zeros(DType::I32, &[2, 0]),
                Value(Array::new(&[2, 3, 2], [1, 2, 3, 4, 5, 6].repeat(2))),
            ),
            at(1, matrix([[1], [0], [1]]), Value(vector([2, 3, 6]))),
            at(
                0,
                matrix([[0, 1], [3, 0]]),
                RunError("indices[1] = [3, 0] does not index into param shape [3,2]"),
            ),
            at(
                0,
                Array::new(&[1, 1, 2], vec![0, -1]),
                RunError("indices[0,0] = [0, -1] does not index into param shape [3,2]"),
            ),
            at(
                0,
                matrix([[0, 1, 1]]),
                TypeError("index innermost dimension length must be <= params rank; saw: 3 vs. 2"),
            ),
            at(0, scalar(1), TypeError("indices must be at least a vector")),
            case_with(
                &GATHER_ND,
                [Attr::Int(0)],
                [texts(["a", "b"]), matrix([[1]])],
                Value(texts(["b"])),
            ),
        ]
    }

    fn lanes() -> Vec<Case> {
        let along = |axis, indices: Array, expected| {
            case_with(
                &TAKE_ALONG_AXIS,
                [Attr::Int(axis)],
                [x(), indices],
                expected,
            )
        };
        vec![
            along(1, matrix([[1], [0], [-1]]), Value(matrix([[2], [3], [6]]))),
            along(0, matrix([[2i64, 0]]), Value(matrix([[5, 2]]))),
            // One row of indices for all rows.
            along(
                -1,
                matrix([[1, 0, 1]]),
                Value(matrix([[2, 1, 2], [4, 3, 4], [6, 5, 6]])),
            ),
            case_with(
                &TAKE_ALONG_AXIS,
                [Attr::Int(0)],
                [
                    matrix([["a".to_owned()], ["b".to_owned()]]),
                    matrix([[1, 0, 1]]),
                ],
                Value(matrix([["b", "a", "b"].map(str::to_owned)])),
            ),
            along(
                0,
                matrix([[3, 0]]),
                RunError("index 3 is out of bounds for axis 0 with size 3"),
            ),
            along(
                0,
                vector([0]),
                TypeError(
                    "`take_along_axis` takes indices of the rank of shape [3,2], not of shape [1]",
                ),
            ),
        ]
    }

    fn places() -> Vec<Case> {
        vec![
            case(
                &NONZERO,
                [matrix([[true, false], [true, true]])],
                Value(matrix([[0i64, 0], [1, 0], [1, 1]])),
            ),
            case(
                &NONZERO,
                [vector([0.0, f64::NAN, -0.0, 2.0])],
                Value(matrix([[1i64], [3]])),
            ),
            case(
                &NONZERO,
                [scalar(3)],
                Value(Array::zeros(DType::I64, &[1, 0])),
            ),
            case(
                &NONZERO,
                [Array::zeros(DType::U8, &[0, 4])],
                Value(Array::zeros(DType::I64, &[0, 2])),
            ),
            case(
                &NONZERO,
                [texts(["a"])],
                TypeError("`nonzero` is not defined for string"),
            ),
        ]
    }
}
