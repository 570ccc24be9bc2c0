//! Ops that take parts of an array by index, and that write parts.

use graph_kernels::{self as kernels, AxisSlice, DType};
use smallvec::SmallVec;

use super::rules::{self, Inferred, PLAIN, check_int_scalar, check_same_dtype, merge, operands};
use super::table::op_table;
use super::{AttrError, Attrs};
use crate::types::{Dim, Shape, TensorType};

op_table! {
    INDEX "index" []: index(), (|x, _, out| kernels::index(x[0], &x[1..], out)),
        linear in floats, "What stands at positions of the first axes, which go: [m, n, ..] and an integer scalar for each of them -> [..]; negative ones count from the end.";
    INDEX_AXIS "index_axis" ["axis"]: index_axis(), (|x, a, out| kernels::index_axis(x[0], x[1], a.int("axis")?, out)),
        linear in floats, "The slice of an axis, which goes, at an integer scalar; a negative one counts from the end.";
    STRIDED_SLICE "strided_slice" ["axes", "begins", "ends", "steps", "masks"]: strided_slice(),
        (|x, a, out| kernels::strided_slice(x[0], slices(a)?, out)), fails OnShapes, linear in floats, tf "StridedSlice", onnx "Slice",
        "A part of each listed axis, clipped as NumPy does; mask bit 1 means no begin, bit 2 no end.";
    SLICE_ROWS "slice_rows" []: slice_rows(), (|x, _, out| kernels::slice_rows(x[0], x[1], x[2], out)),
        linear in floats, "Rows begin..end of axis 0, clipped as NumPy does, with integer scalars.";
    SET_ROW "set_row" []: set_row(), (|x, _, out| kernels::set_row(x[0], x[1], x[2], out)),
        in_place (|x, others, _| kernels::set_row_in_place(x, others[0], others[1])),
        linear in floats, "A copy of [n, ..] whose row i is the third operand [..]; a negative i counts from the end.";
    SET_PART "set_part" ["axes", "masks"]: set_part(),
        (|x, a, out| { out.assign(x[0])?; kernels::set_part(out, x[1], &x[2..], a.ints("axes")?, a.ints("masks")?) }),
        in_place (|x, others, a| kernels::set_part(x, others[0], &others[1..], a.ints("axes")?, a.ints("masks")?)), linear in floats, tf "ResourceStridedSliceAssign",
        "A copy with the second operand, which broadcasts, in a part: begin, end and step follow for each axis, as `slice_axis` takes them; mask bit 4 means the position at begin, without its axis.";
    ONE_HOT "one_hot" ["depth", "dtype"]: one_hot(),
        (|x, a, out| kernels::one_hot(x[0], a.int("depth")?, a.dtype("dtype")?, out)), tf "OneHot", onnx "OneHot",
        "A new last axis of the given depth: 1 at the index, 0 elsewhere.";
    BOOLEAN_MASK "boolean_mask" []: boolean_mask(), (binary kernels::boolean_mask),
        linear in floats, "The parts of the first operand where the mask, which covers its leading axes, is true.";
}

/// The shape of a row: the sizes after axis 0, if the rank is known. A scalar has no rows.
fn row_shape(op: &str, shape: &Shape) -> Result<Shape, String> {
    match shape.dims() {
        None => Ok(Shape::unknown()),
        Some([_, rest @ ..]) => Ok(Shape::of(rest.iter().copied())),
        Some([]) => Err(format!(
            "`{op}` takes an array with at least one axis, not a scalar"
        )),
    }
}

fn index(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, positions @ ..] = types else {
        return Err(format!("`{op}` takes at least 2 operands, not 0"));
    };
    if positions.is_empty() {
        return Err(format!("`{op}` takes at least 2 operands, not 1"));
    }
    positions.iter().try_for_each(|i| check_int_scalar(op, i))?;
    let mut shape = x.shape.clone();
    for _ in positions {
        shape = row_shape(op, &shape)?;
    }
    Ok(TensorType::new(x.dtype, shape))
}

fn index_axis(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, i] = operands(op, types)?;
    check_int_scalar(op, i)?;
    let given = attrs.int("axis")?;
    let shape = match x.shape.dims() {
        None => Shape::unknown(),
        Some(dims) => {
            let axis = rules::axis(given, dims.len())?;
            Shape::of([&dims[..axis], &dims[axis + 1..]].concat())
        }
    };
    Ok(TensorType::new(x.dtype, shape))
}

/// The slices described by the attributes, one for each listed axis.
pub(crate) fn slices(attrs: &Attrs) -> Result<SmallVec<[AxisSlice; 4]>, AttrError> {
    let lists = [
        attrs.ints("axes")?,
        attrs.ints("begins")?,
        attrs.ints("ends")?,
        attrs.ints("steps")?,
        attrs.ints("masks")?,
    ];
    let slice = |n: usize| {
        let [axis, begin, end, step, mask] = lists.map(|list| list.get(n).copied());
        let mask = mask?;
        let unless = |bit: i64, at: i64| (mask & bit == 0).then_some(at);
        Some(AxisSlice {
            axis: axis?,
            begin: unless(1, begin?),
            end: unless(2, end?),
            step: step?,
        })
    };
    let longest = lists.iter().map(|list| list.len()).max().unwrap_or(0);
    let all: Option<_> = (0..longest).map(slice).collect();
    all.ok_or_else(|| AttrError::new("axes", "as many axes as begins, ends, steps and masks"))
}

pub(super) fn strided_slice(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let slices = slices(attrs)?;
    let Some(dims) = x.shape.dims() else {
        return Ok(TensorType::new(x.dtype, Shape::unknown()));
    };
    let mut sliced = dims.to_vec();
    let mut seen = vec![false; dims.len()];
    for slice in slices {
        let axis = rules::axis(slice.axis, dims.len())?;
        if std::mem::replace(&mut seen[axis], true) {
            return Err(format!("axis {} is sliced twice", slice.axis));
        }
        // An unknown size is replaced by 0; a step of 0 is found anyway.
        let (_, count) = slice
            .resolve(dims[axis].unwrap_or(0))
            .map_err(|error| error.to_string())?;
        sliced[axis] = dims[axis].map(|_| count);
    }
    Ok(TensorType::new(x.dtype, Shape::of(sliced)))
}

fn slice_rows(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, begin, end] = operands(op, types)?;
    check_int_scalar(op, begin)?;
    check_int_scalar(op, end)?;
    let row = row_shape(op, &x.shape)?;
    let shape = match row.dims() {
        None => Shape::unknown(),
        Some(rest) => Shape::of([None].into_iter().chain(rest.iter().copied())),
    };
    Ok(TensorType::new(x.dtype, shape))
}

fn set_row(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, i, row] = operands(op, types)?;
    check_int_scalar(op, i)?;
    check_same_dtype(op, x, row)?;
    merge(op, &row_shape(op, &x.shape)?, &row.shape)?;
    Ok(x.clone())
}

fn set_part(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, value, bounds @ ..] = types else {
        return Err(format!(
            "`{op}` takes at least 2 operands, not {}",
            types.len()
        ));
    };
    check_same_dtype(op, x, value)?;
    bounds.iter().try_for_each(|ty| check_int_scalar(op, ty))?;
    let (axes, masks) = (attrs.ints("axes")?, attrs.ints("masks")?);
    if bounds.len() != 3 * axes.len() || masks.len() != axes.len() {
        return Err(format!(
            "`{op}` takes three bounds and a mask for each axis"
        ));
    }
    if let Some(rank) = x.shape.rank() {
        let mut seen = vec![false; rank];
        for given in axes {
            let axis = rules::axis(*given, rank)?;
            if std::mem::replace(&mut seen[axis], true) {
                return Err(format!("axis {given} is sliced twice"));
            }
        }
        let gone = masks.iter().filter(|mask| **mask & 4 != 0).count();
        if value.shape.rank().is_some_and(|own| own > rank - gone) {
            return Err(format!(
                "a value of shape {} does not fit into a part of {} axes",
                value.shape,
                rank - gone
            ));
        }
    }
    Ok(x.clone())
}

fn one_hot(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [indices] = operands(op, types)?;
    rules::check_indices(op, indices)?;
    let (depth, dtype) = (attrs.int("depth")?, attrs.dtype("dtype")?);
    rules::check_class(op, PLAIN, dtype)?;
    let depth =
        usize::try_from(depth).map_err(|_| format!("depth must be non-negative, got {depth}"))?;
    let shape = match indices.shape.dims() {
        None => Shape::unknown(),
        Some(dims) => Shape::of(dims.iter().copied().chain([Some(depth)])),
    };
    Ok(TensorType::new(dtype, shape))
}

fn boolean_mask(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, mask] = operands(op, types)?;
    if mask.dtype != DType::Bool {
        return Err(format!("`{op}` takes a bool mask, not {}", mask.dtype));
    }
    let Some(covered) = mask.shape.dims() else {
        return Ok(TensorType::new(x.dtype, Shape::unknown()));
    };
    if covered.is_empty() {
        return Err(format!(
            "`{op}` takes a mask with at least one axis, not a scalar"
        ));
    }
    let Some(dims) = x.shape.dims() else {
        return Ok(TensorType::new(x.dtype, Shape::unknown()));
    };
    let agree = |(m, n): (&Dim, &Dim)| m.is_none() || n.is_none() || m == n;
    if covered.len() > dims.len() || !covered.iter().zip(dims).all(agree) {
        return Err(format!(
            "Shapes {} and {} are incompatible: a mask covers leading axes",
            x.shape, mask.shape
        ));
    }
    let rest = dims[covered.len()..].iter().copied();
    Ok(TensorType::new(
        x.dtype,
        Shape::of([None].into_iter().chain(rest)),
    ))
}
