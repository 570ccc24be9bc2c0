//! Ops that gradients need in addition to other ops: the transposes of broadcasting and of taking parts.

use graph_kernels::{self as kernels, Array, KernelError};

use super::Attrs;
use super::dynamic::{of_rank, slice_axis};
use super::gather::{gathered, take_along_axis};
use super::index::{slices, strided_slice};
use super::rules::{
    ANY, FLOAT, Inferred, NUMBER, binary, check_class, check_int_scalar, check_same_dtype,
    int_vector, merge, operands, unary,
};
use super::table::op_table;
use crate::types::{Shape, TensorType};

op_table! {
    SUM_TO "sum_to" []: sum_to(), (|x, _, out| kernels::sum_to(x[0], &sizes(x[1])?, out)),
        linear in floats,
        "The sum to the shape in the second operand: over the axes that broadcasting from that shape repeats.";
    GRAD_DIV "grad_div" []: binary(FLOAT), (element Xdivy),
        "A gradient over a divisor, broadcasting: 0 where the gradient is 0. As `xdivy`, but the quotient is linear in the gradient.";
    STOP_GRADIENT "stop_gradient" []: unary(ANY), (|x, _, out| { out.assign(x[0])?; Ok(()) }), in_place (|_, _, _| Ok(())), fails Never,
        tf "StopGradient", "The values, through which no gradient goes.";
    AFTER "after" []: after(), (|x, _, out| { out.assign(x[0])?; Ok(()) }), in_place (|_, _, _| Ok(())), fails Never, linear in floats,
        "The first operand, available only after the second is computed; passes don't treat it as the same value.";
    INDEX_ADD "index_add" []: index_add(), (|x, _, out| of_copy(x[0], out, |out| kernels::index_add(out, &x[2..], x[1]))),
        in_place (|x, others, _| kernels::index_add(x, &others[1..], others[0])),
        linear in floats,
        "[m, n, ..] with the second operand [..] added at positions of the first axes, an integer scalar for each of them.";
    STRIDED_SLICE_ADD "strided_slice_add" ["axes", "begins", "ends", "steps", "masks"]: strided_slice_add(),
        (|x, a, out| of_copy(x[0], out, |out| kernels::strided_slice_add(out, slices(a)?, x[1]))),
        in_place (|x, others, a| kernels::strided_slice_add(x, slices(a)?, others[0])), fails OnShapes,
        linear in floats,
        "The array with the second operand added to the part that `strided_slice` takes.";
    SLICE_AXIS_ADD "slice_axis_add" ["axis", "mask"]: slice_axis_add(),
        (|x, a, out| of_copy(x[0], out, |out| kernels::slice_axis_add(out, x[1], [x[2], x[3], x[4]], a.int("axis")?, a.int("mask")?))),
        in_place (|x, others, a| kernels::slice_axis_add(x, others[0], [others[1], others[2], others[3]], a.int("axis")?, a.int("mask")?)),
        linear in floats,
        "The array with the second operand added to the part that `slice_axis` takes with the others.";
    SLICE_ADD "slice_add" []: slice_add(), (|x, _, out| of_copy(x[0], out, |out| kernels::slice_add(out, x[1], x[2]))),
        in_place (|x, others, _| kernels::slice_add(x, others[0], others[1])),
        linear in floats,
        "The array with the second operand added to the part that begins at the position in the third.";
    GATHER_ADD "gather_add" ["axis", "batch_dims"]: gather_add(),
        (|x, a, out| of_copy(x[0], out, |out| kernels::gather_add(out, x[1], x[2], a.int("axis")?, a.int("batch_dims")?))),
        in_place (|x, others, a| kernels::gather_add(x, others[0], others[1], a.int("axis")?, a.int("batch_dims")?)),
        linear in floats,
        "The array with the slices of the second operand added to those that `batch_gather` takes with the third.";
    ADD_ALONG_AXIS "add_along_axis" ["axis"]: add_along_axis(),
        (|x, a, out| of_copy(x[0], out, |out| kernels::add_along_axis(out, x[1], x[2], a.int("axis")?))),
        in_place (|x, others, a| kernels::add_along_axis(x, others[0], others[1], a.int("axis")?)),
        linear in floats, onnx "ScatterElements",
        "The array with the third operand added to the values that `take_along_axis` takes with the second; those for one value add up in order.";
}

/// Copies an array and updates the copy.
fn of_copy(
    x: &Array,
    out: &mut Array,
    update: impl FnOnce(&mut Array) -> Result<(), KernelError>,
) -> Result<(), KernelError> {
    out.assign(x)?;
    update(out)
}

/// The type of an array after a part is added to it; the part must have the type `taken` of the op that takes such a part.
fn added(op: &str, x: &TensorType, part: &TensorType, taken: &TensorType) -> Inferred {
    check_class(op, NUMBER, x.dtype)?;
    check_same_dtype(op, x, part)?;
    merge(op, &taken.shape, &part.shape)?;
    Ok(x.clone())
}

fn strided_slice_add(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, part] = operands(op, types)?;
    let taken = strided_slice(op, std::slice::from_ref(x), attrs)?;
    added(op, x, part, &taken)
}

fn slice_axis_add(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, part, begin, end, step] = operands(op, types)?;
    let slice = [x, begin, end, step].map(Clone::clone);
    added(op, x, part, &slice_axis(op, &slice, attrs)?)
}

fn slice_add(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, part, begins] = operands(op, types)?;
    let of_part = of_rank(int_vector(op, begins)?);
    merge(op, &of_part, &x.shape)?;
    added(op, x, part, &TensorType::new(x.dtype, of_part))
}

fn gather_add(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, part, indices] = operands(op, types)?;
    let gather = [x, indices].map(Clone::clone);
    let taken = gathered(op, &gather, attrs.int("axis")?, attrs.int("batch_dims")?)?;
    added(op, x, part, &taken)
}

fn add_along_axis(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, indices, updates] = operands(op, types)?;
    let taken = [x, indices].map(Clone::clone);
    added(op, x, updates, &take_along_axis(op, &taken, attrs)?)
}

/// The sizes that an operand contains.
fn sizes(sizes: &Array) -> Result<Vec<usize>, KernelError> {
    let size = |size: i64| usize::try_from(size);
    let sizes: Option<Result<Vec<usize>, _>> = match sizes.buffer() {
        kernels::Buffer::I32(v) => Some(v.iter().map(|n| size((*n).into())).collect()),
        kernels::Buffer::I64(v) => Some(v.iter().map(|n| size(*n)).collect()),
        _ => None,
    };
    let text = "`sum_to` takes sizes, of 0 or more";
    sizes
        .and_then(Result::ok)
        .ok_or_else(|| KernelError::Value(text.to_owned()))
}

fn sum_to(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, sizes] = operands(op, types)?;
    check_class(op, NUMBER, x.dtype)?;
    let shape = of_rank(int_vector(op, sizes)?);
    if let (Some(rank), Some(own)) = (x.shape.rank(), shape.rank())
        && own > rank
    {
        return Err(format!(
            "Incompatible shapes: {shape} cannot be broadcast to {}",
            x.shape
        ));
    }
    Ok(TensorType::new(x.dtype, shape))
}

fn after(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, _] = operands(op, types)?;
    Ok(x.clone())
}

fn index_add(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, part, positions @ ..] = types else {
        return Err(format!(
            "`{op}` takes at least 3 operands, not {}",
            types.len()
        ));
    };
    if positions.is_empty() {
        return Err(format!("`{op}` takes at least 3 operands, not 2"));
    }
    check_class(op, NUMBER, x.dtype)?;
    check_same_dtype(op, x, part)?;
    positions.iter().try_for_each(|i| check_int_scalar(op, i))?;
    let Some(dims) = x.shape.dims() else {
        return Ok(x.clone());
    };
    let inner = dims.get(positions.len()..).ok_or_else(|| {
        let (axes, shape) = (positions.len(), &x.shape);
        format!("`{op}` takes an array with at least {axes} axes, not of shape {shape}")
    })?;
    merge(op, &Shape::of(inner.iter().copied()), &part.shape)?;
    Ok(x.clone())
}

#[cfg(test)]
pub(super) mod tests {
    //! Cases of the ops that gradients are made of.

    use graph_kernels::Array;

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
        let x = || matrix([[1, 2, 3], [4, 5, 6]]);
        let along = |axis, operands: [Array; 3], expected| {
            case_with(&ADD_ALONG_AXIS, [Attr::Int(axis)], operands, expected)
        };
        vec![
            case(&SUM_TO, [x(), vector([3])], Value(vector([5, 7, 9]))),
            case(
                &SUM_TO,
                [x(), vector([2i64, 1])],
                Value(matrix([[6], [15]])),
            ),
            case(
                &SUM_TO,
                [x(), Array::new::<i32>(&[0], vec![])],
                Value(scalar(21)),
            ),
            case(
                &SUM_TO,
                [x(), vector([2])],
                RunError("Incompatible shapes: [2] cannot be broadcast to [2,3]"),
            ),
            case(
                &SUM_TO,
                [x(), vector([-1])],
                RunError("`sum_to` takes sizes, of 0 or more"),
            ),
            case(
                &SUM_TO,
                [vector([1]), vector([1, 1])],
                TypeError("Incompatible shapes: [?,?] cannot be broadcast to [1]"),
            ),
            case(&STOP_GRADIENT, [x()], Value(x())),
            case(&AFTER, [x(), scalar(1.0f32)], Value(x())),
            case(
                &GRAD_DIV,
                [vector([0.0, 0.0, 3.0]), vector([0.0, f64::NAN, 2.0])],
                Value(vector([0.0, 0.0, 1.5])),
            ),
            case(
                &INDEX_ADD,
                [x(), vector([10, 20, 30]), scalar(-1)],
                Value(matrix([[1, 2, 3], [14, 25, 36]])),
            ),
            case(
                &INDEX_ADD,
                [x(), scalar(10), scalar(0), scalar(2i64)],
                Value(matrix([[1, 2, 13], [4, 5, 6]])),
            ),
            case(
                &INDEX_ADD,
                [x(), vector([1, 1, 1]), scalar(2)],
                RunError("slice index 2 of dimension 0 out of bounds."),
            ),
            case(
                &INDEX_ADD,
                [x(), vector([1.0f32]), scalar(0)],
                TypeError("`index_add` takes operands of one dtype, not int32 and float32"),
            ),
            case(
                &INDEX_ADD,
                [x(), scalar(1), scalar(0), scalar(0), scalar(0)],
                TypeError("`index_add` takes an array with at least 3 axes, not of shape [2,3]"),
            ),
            case_with(
                &STRIDED_SLICE_ADD,
                [ints([1]), ints([0]), ints([3]), ints([2]), ints([0])],
                [x(), matrix([[10, 20], [30, 40]])],
                Value(matrix([[11, 2, 23], [34, 5, 46]])),
            ),
            case_with(
                &STRIDED_SLICE_ADD,
                [ints([1]), ints([0]), ints([3]), ints([2]), ints([0])],
                [x(), matrix([[10, 20, 30], [30, 40, 50]])],
                TypeError("Shapes [2,2] and [2,3] are incompatible for strided_slice_add"),
            ),
            case_with(
                &SLICE_AXIS_ADD,
                [Attr::Int(0), Attr::Int(2)],
                [
                    x(),
                    matrix([[10, 20, 30]]),
                    scalar(-1),
                    scalar(0),
                    scalar(1i64),
                ],
                Value(matrix([[1, 2, 3], [14, 25, 36]])),
            ),
            case(
                &SLICE_ADD,
                [x(), matrix([[10]]), vector([1, 2])],
                Value(matrix([[1, 2, 3], [4, 5, 16]])),
            ),
            case(
                &SLICE_ADD,
                [x(), matrix([[10]]), vector([2, 0])],
                RunError("Expected size[0] in [0, 0], but got 1"),
            ),
            case_with(
                &GATHER_ADD,
                [Attr::Int(1), Attr::Int(0)],
                [x(), matrix([[10, 20], [30, 40]]), vector([2, 2])],
                Value(matrix([[1, 2, 33], [4, 5, 76]])),
            ),
            case_with(
                &GATHER_ADD,
                [Attr::Int(0), Attr::Int(0)],
                [x(), matrix([[10, 20, 30]]), vector([2])],
                RunError("indices[0] = 2 is not in [0, 2)"),
            ),
            along(
                1,
                [x(), matrix([[0, 0], [-1, 1]]), matrix([[10, 20], [30, 40]])],
                Value(matrix([[31, 2, 3], [4, 45, 36]])),
            ),
            // One row of indices for all rows.
            along(
                -1,
                [x(), matrix([[2i64, 2]]), matrix([[10, 20], [30, 40]])],
                Value(matrix([[1, 2, 33], [4, 5, 76]])),
            ),
            along(
                0,
                [x(), matrix([[1, -2, 1]]), matrix([[10, 20, 30]])],
                Value(matrix([[1, 22, 3], [14, 5, 36]])),
            ),
            // Positions of two columns in one.
            along(
                0,
                [
                    matrix([[1], [2]]),
                    matrix([[0, 1], [1, 1]]),
                    matrix([[10, 20], [30, 40]]),
                ],
                Value(matrix([[11], [92]])),
            ),
            along(
                0,
                [x(), matrix([[0, 2, 1]]), matrix([[1, 1, 1]])],
                RunError("index 2 is out of bounds for axis 0 with size 2"),
            ),
            along(
                0,
                [x(), vector([0]), vector([1])],
                TypeError(
                    "`add_along_axis` takes indices of the rank of shape [2,3], not of shape [1]",
                ),
            ),
            along(
                0,
                [x(), matrix([[0]]), matrix([[1]])],
                TypeError("Shapes [1,3] and [1,1] are incompatible for add_along_axis"),
            ),
            along(
                0,
                [x(), matrix([[0]]), matrix([[1.0f32, 1.0, 1.0]])],
                TypeError("`add_along_axis` takes operands of one dtype, not int32 and float32"),
            ),
        ]
    }
}
