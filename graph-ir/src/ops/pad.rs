//! Padding.

use graph_kernels::{self as kernels, KernelError, Mirror, Paddings};

use super::rules::{Inferred, check_indices, check_same_dtype, check_scalar, operands, text};
use super::table::op_table;
use super::{AttrError, Attrs};
use crate::types::{Dim, Shape, TensorType};

op_table! {
    PAD "pad" ["before", "after"]: pad(), (|x, a, out| kernels::pad(x[0], x[1], a.ints("before")?, a.ints("after")?, out)), fails OnShapes,
        linear in floats, tf "PadV2", onnx "Pad",
        "The array padded with the scalar: before[i] times at the beginning and after[i] times at the end of axis i.";
    MIRROR_PAD "mirror_pad" ["mode", "before", "after"]: mirror_pad(),
        (|x, a, out| kernels::mirror_pad(x[0], mirror(a)?, a.ints("before")?, a.ints("after")?, out)), fails OnShapes, linear in floats, tf "MirrorPad", onnx "Pad",
        "The array mirrored at both ends of each axis; the mode is `reflect` (without the border) or `symmetric` (with it).";
    PAD_BY "pad_by" []: pad_by(), (|x, _, out| kernels::pad_by(x[0], x[1], x[2], out)), linear in floats, tf "PadV2", onnx "Pad",
        "As `pad`, with an operand [rank, 2] that contains before and after of each axis.";
}

fn mirror(attrs: &Attrs) -> Result<Mirror, AttrError> {
    Mirror::from_name(attrs.text("mode")?)
        .ok_or_else(|| AttrError::new("mode", "`reflect` or `symmetric`"))
}

/// The padded shape; `check` checks each size with its padding.
fn padded(
    x: &TensorType,
    attrs: &Attrs,
    check: impl Fn((usize, usize), usize) -> Result<(), KernelError>,
) -> Inferred {
    let (before, after) = (attrs.ints("before")?, attrs.ints("after")?);
    let rank = x.shape.rank().unwrap_or(before.len());
    let paddings = text(Paddings::new(before, after, rank))?;
    let size = |axis: usize| -> Result<Dim, String> {
        let Some(Some(size)) = x.shape.dims().map(|dims| dims[axis]) else {
            return Ok(None);
        };
        text(check(paddings.at(axis), size))?;
        let padded = paddings.padded(axis, size);
        Ok(Some(padded.ok_or("the paddings are too large")?))
    };
    let dims: Result<Vec<Dim>, String> = (0..rank).map(size).collect();
    Ok(TensorType::new(x.dtype, Shape::of(dims?)))
}

fn pad(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, value] = operands(op, types)?;
    check_same_dtype(op, x, value)?;
    check_scalar(op, value)?;
    padded(x, attrs, |_, _| Ok(()))
}

fn mirror_pad(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let mirror = mirror(attrs)?;
    padded(x, attrs, |paddings, size| mirror.check(paddings, size))
}

fn pad_by(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, value, paddings] = operands(op, types)?;
    check_same_dtype(op, x, value)?;
    check_scalar(op, value)?;
    check_indices(op, paddings)?;
    let rows = match paddings.shape.dims() {
        None => None,
        Some([rows, None | Some(2)]) => *rows,
        Some(_) => {
            return Err(format!(
                "paddings must be a matrix with 2 columns: {}",
                paddings.shape
            ));
        }
    };
    let shape = match (x.shape.rank(), rows) {
        (Some(rank), Some(rows)) if rank != rows => {
            return Err(format!(
                "The first dimension of paddings must be the rank of inputs, which is {rank}, not {rows}"
            ));
        }
        (Some(rank), _) => Shape::of(vec![None; rank]),
        (None, _) => Shape::unknown(),
    };
    Ok(TensorType::new(x.dtype, shape))
}
