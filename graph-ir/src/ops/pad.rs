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

#[cfg(test)]
pub(super) mod tests {
    //! Cases of padding, with TensorFlow's results.

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;

    fn x() -> Array {
        matrix([[1, 2], [3, 4], [5, 6]])
    }

    pub(in crate::ops) fn cases() -> Vec<Case> {
        let pad = |before, after, expected| {
            case_with(
                &PAD,
                [ints(before), ints(after)],
                [x(), scalar(9)],
                expected,
            )
        };
        let by = |paddings: Array, expected| case(&PAD_BY, [x(), scalar(9), paddings], expected);
        let padded = || matrix([[9, 9, 9, 9], [1, 2, 9, 9], [3, 4, 9, 9], [5, 6, 9, 9]]);
        let mut cases = vec![
            pad([1, 0], [0, 2], Value(padded())),
            pad([0, 0], [0, 0], Value(x())),
            pad(
                [-1, 0],
                [2, 0],
                TypeError("Paddings must be non-negative: -1 2"),
            ),
            case_with(
                &PAD,
                [ints([1]), ints([1])],
                [x(), scalar(9)],
                TypeError(
                    "The first dimension of paddings must be the rank of inputs, which is 2, not 1",
                ),
            ),
            case_with(
                &PAD,
                [ints([i64::MAX]), ints([i64::MAX])],
                [vector([1]), scalar(9)],
                RunError("an array of shape [18446744073709551615] is too large"),
            ),
            case_with(
                &PAD,
                [ints([0, 1]), ints([0, 0])],
                [Array::zeros(DType::Bool, &[0, 2]), scalar(true)],
                Value(Array::zeros(DType::Bool, &[0, 3])),
            ),
            case_with(
                &PAD,
                [ints([1]), ints([0])],
                [texts(["a"]), scalar("-".to_owned())],
                Value(texts(["-", "a"])),
            ),
            by(matrix([[1, 0], [0, 2]]), Value(padded())),
            by(matrix([[1i64, 0], [0, 2]]), Value(padded())),
            by(
                matrix([[1, 0], [0, -2]]),
                RunError("Paddings must be non-negative: 0 -2"),
            ),
            by(
                matrix([[1, 0, 1]]),
                TypeError("paddings must be a matrix with 2 columns: [1,3]"),
            ),
        ];
        cases.extend(mirrors());
        cases
    }

    fn mirrors() -> Vec<Case> {
        let mirror = |mode: &str, before, after, expected| {
            let attrs = [Attr::Text(mode.to_owned()), ints([before]), ints([after])];
            case_with(&MIRROR_PAD, attrs, [vector([1, 2, 3])], expected)
        };
        vec![
            mirror("reflect", 2, 2, Value(vector([3, 2, 1, 2, 3, 2, 1]))),
            mirror("symmetric", 3, 2, Value(vector([3, 2, 1, 1, 2, 3, 3, 2]))),
            mirror(
                "reflect",
                3,
                2,
                TypeError("paddings must be less than the dimension size: 3, 2 not less than 3"),
            ),
            mirror(
                "symmetric",
                4,
                2,
                TypeError(
                    "paddings must be no greater than the dimension size: 4, 2 greater than 3",
                ),
            ),
            mirror(
                "mirror",
                0,
                0,
                TypeError("the attribute `mode` must be given as `reflect` or `symmetric`"),
            ),
            case_with(
                &MIRROR_PAD,
                [Attr::Text("reflect".to_owned()), ints([1, 0]), ints([0, 1])],
                [x()],
                Value(matrix([[3, 4, 3], [1, 2, 1], [3, 4, 3], [5, 6, 5]])),
            ),
            case_with(
                &MIRROR_PAD,
                [Attr::Text("symmetric".to_owned()), ints([1]), ints([0])],
                [texts(["a", "b"])],
                Value(texts(["a", "a", "b"])),
            ),
        ]
    }
}
