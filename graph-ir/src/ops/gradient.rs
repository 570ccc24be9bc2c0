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
