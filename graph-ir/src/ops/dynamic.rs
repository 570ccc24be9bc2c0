//! Ops with shapes and bounds as operands: only the rank of the result is known, from the length of the operand.

use graph_kernels as kernels;

use super::Attrs;
use super::rules::{Inferred, check_int_scalar, check_scalar, int_vector, operands, with_axis};
use super::table::op_table;
use crate::types::{Dim, Shape, TensorType};

op_table! {
    RESHAPE_TO "reshape_to" []: reshape_to(), (binary kernels::reshape_to), linear in floats, tf "Reshape", onnx "Reshape",
        "The same values under the shape that the second operand holds; one size may be -1.";
    FILL_TO "fill_to" []: fill_to(), (binary kernels::fill_to), linear in floats, tf "Fill",
        "The scalar everywhere in an array of the shape that the second operand holds.";
    BROADCAST_AS "broadcast_as" []: broadcast_as(), (binary kernels::broadcast_as), linear in floats, tf "BroadcastTo", onnx "Expand",
        "Repeated along axes of size 1 and new leading axes to the shape that the second operand holds.";
    TILE_BY "tile_by" []: tile_by(), (binary kernels::tile_by), linear in floats, tf "Tile", onnx "Tile",
        "Repeated along each axis as often as the second operand says.";
    SLICE "slice" ["sizes"]: slice(), (|x, a, out| kernels::slice(x[0], x[1], a.ints("sizes")?, out)), linear in floats, tf "Slice",
        "The part that begins at the position in the second operand, of the given sizes; -1 means the rest of the axis. Nothing is clipped.";
    SLICE_TO "slice_to" []: slice_to(), (|x, _, out| kernels::slice_to(x[0], x[1], x[2], out)), linear in floats, tf "Slice",
        "As `slice`, with the sizes as the third operand.";
    SLICE_AXIS "slice_axis" ["axis", "mask"]: slice_axis(),
        (|x, a, out| kernels::slice_axis(x[0], [x[1], x[2], x[3]], a.int("axis")?, a.int("mask")?, out)),
        linear in floats, "Every step-th position of an axis from begin to before end, integer scalars, clipped as NumPy does; mask bit 1 means no begin, bit 2 no end.";
}

/// More than the rank of any array: a longer operand gives no information, and a shape of its length might not fit into memory.
const MAX_RANK: usize = 255;

/// The shape that is described by an operand with `len` sizes: only its rank is known.
pub(super) fn of_rank(len: Dim) -> Shape {
    match len {
        Some(rank) if rank <= MAX_RANK => Shape::of(vec![None; rank]),
        _ => Shape::unknown(),
    }
}

fn reshape_to(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, sizes] = operands(op, types)?;
    Ok(TensorType::new(x.dtype, of_rank(int_vector(op, sizes)?)))
}

fn fill_to(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [value, sizes] = operands(op, types)?;
    check_scalar(op, value)?;
    Ok(TensorType::new(
        value.dtype,
        of_rank(int_vector(op, sizes)?),
    ))
}

fn broadcast_as(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, sizes] = operands(op, types)?;
    let target = of_rank(int_vector(op, sizes)?);
    let (Some(dims), Some(rank)) = (x.shape.dims(), target.rank()) else {
        return Ok(TensorType::new(x.dtype, target));
    };
    let new = rank.checked_sub(dims.len()).ok_or_else(|| {
        format!(
            "Incompatible shapes: {} cannot be broadcast to {target}",
            x.shape
        )
    })?;
    // An axis keeps its size, unless the size is 1.
    let kept = dims.iter().map(|size| size.filter(|size| *size != 1));
    let shape = Shape::of((0..new).map(|_| None).chain(kept));
    Ok(TensorType::new(x.dtype, shape))
}

fn tile_by(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, multiples] = operands(op, types)?;
    let len = int_vector(op, multiples)?;
    let shape = same_rank(op, x, len)?;
    Ok(TensorType::new(x.dtype, shape))
}

/// The shape with the rank of `x`, after checking that another operand has one number for each axis.
fn same_rank(op: &str, x: &TensorType, len: Dim) -> Result<Shape, String> {
    match (x.shape.rank(), len) {
        (Some(rank), Some(len)) if rank != len => Err(format!(
            "`{op}` takes {rank} numbers for shape {}, not {len}",
            x.shape
        )),
        (Some(rank), _) => Ok(Shape::of(vec![None; rank])),
        (None, len) => Ok(of_rank(len)),
    }
}

fn slice(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, begins] = operands(op, types)?;
    let sizes = attrs.ints("sizes")?;
    let len = int_vector(op, begins)?;
    let rank = same_rank(op, x, len)?.rank().unwrap_or(sizes.len());
    if rank != sizes.len() {
        return Err(format!(
            "Expected begin and size arguments to be 1-D tensors of size {rank}, but got shapes [{rank}] and [{}] instead.",
            sizes.len()
        ));
    }
    let size = |(axis, size): (usize, &i64)| match usize::try_from(*size) {
        Ok(size) => Ok(Some(size)),
        Err(_) if *size == -1 => Ok(None),
        Err(_) => Err(format!(
            "Expected size[{axis}] to be -1 or more, but got {size}"
        )),
    };
    let dims: Result<Vec<Dim>, String> = sizes.iter().enumerate().map(size).collect();
    Ok(TensorType::new(x.dtype, Shape::of(dims?)))
}

fn slice_to(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, begins, sizes] = operands(op, types)?;
    let (begins, sizes) = (int_vector(op, begins)?, int_vector(op, sizes)?);
    same_rank(op, x, begins)?;
    let shape = same_rank(op, x, sizes.or(begins))?;
    Ok(TensorType::new(x.dtype, shape))
}

pub(super) fn slice_axis(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, begin, end, step] = operands(op, types)?;
    for bound in [begin, end, step] {
        check_int_scalar(op, bound)?;
    }
    attrs.int("mask")?;
    let shape = with_axis(&x.shape, attrs.int("axis")?, |_| Ok(None))?;
    Ok(TensorType::new(x.dtype, shape))
}

#[cfg(test)]
pub(super) mod tests {
    //! Cases of shapes and bounds that are operands, and of linspace, with TensorFlow's results.

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;

    fn x() -> Array {
        matrix([[1, 2], [3, 4], [5, 6]])
    }

    pub(in crate::ops) fn cases() -> Vec<Case> {
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
            case(
                &TILE_BY,
                [
                    Array::zeros(DType::I32, &[1 << 40, 0]),
                    vector([1i64 << 40, 1]),
                ],
                RunError("`tile` makes axis 0 too large: 1099511627776 times 1099511627776"),
            ),
        ]
    }

    fn parts() -> Vec<Case> {
        let slice = |begins: Array, sizes, expected| {
            case_with(&SLICE, [ints(sizes)], [x(), begins], expected)
        };
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
}
