//! Ops that change shapes and orders of axes, that join arrays, and that return sizes.

use graph_kernels::{self as kernels, Array, DType, KernelError};

use super::Attrs;
use super::rules::{self, Inferred, check_same_dtype, merge, operands};
use super::table::op_table;
use crate::types::{Dim, Shape, TensorType};

op_table! {
    RESHAPE "reshape" ["shape"]: reshape(), (|x, a, out| kernels::reshape(x[0], a.ints("shape")?, out)),
        in_place (|x, _, a| kernels::reshape_in_place(x, a.ints("shape")?)), fails OnShapes, linear in floats, tf "Reshape", onnx "Reshape",
        "The same values with another shape; one size may be -1.";
    RELAX_SHAPE "relax_shape" ["shape"]: relax_shape(), (|x, a, out| checked_identity(x[0], a.shape("shape")?, out)),
        in_place (|x, _, a| check_shape(x, a.shape("shape")?)), linear in floats, tf "EnsureShape",
        "The same array; its static shape is exactly the attribute's, which is checked when run.";
    TRANSPOSE "transpose" ["perm"]: transpose(), (|x, a, out| kernels::transpose(x[0], a.ints("perm")?, out)), fails OnShapes, linear in floats, tf "Transpose", onnx "Transpose",
        "The axes in another order: axis `i` of the result is axis `perm[i]`.";
    EXPAND_DIMS "expand_dims" ["axis"]: expand_dims(), (|x, a, out| kernels::expand_dims(x[0], a.int("axis")?, out)),
        in_place (|x, _, a| kernels::expand_dims_in_place(x, a.int("axis")?)), fails OnShapes, linear in floats, tf "ExpandDims", onnx "Unsqueeze",
        "A new axis of size 1 before the given one; -1 appends it.";
    SQUEEZE "squeeze" ["axes"]: squeeze(), (|x, a, out| kernels::squeeze(x[0], a.ints("axes")?, out)),
        in_place (|x, _, a| kernels::squeeze_in_place(x, a.ints("axes")?)), fails OnShapes, linear in floats, tf "Squeeze", onnx "Squeeze",
        "The array without the given axes of size 1, or without all axes of size 1 if none is given.";
    CONCAT "concat" ["axis"]: concat(), (|x, a, out| kernels::concat(x, a.int("axis")?, out)), fails OnShapes, linear in floats, tf "ConcatV2", onnx "Concat",
        "The operands one after another along an axis.";
    STACK "stack" ["axis"]: stack(), (|x, a, out| kernels::stack(x, a.int("axis")?, out)), fails OnShapes, linear in floats, tf "Pack",
        "The operands, all of one shape, along a new axis.";
    BROADCAST_TO "broadcast_to" ["shape"]: broadcast_to(), (|x, a, out| kernels::broadcast_to(x[0], a.ints("shape")?, out)), fails OnShapes, linear in floats, tf "BroadcastTo", onnx "Expand",
        "Repeated along axes of size 1 and new leading axes to the given shape.";
    TILE "tile" ["multiples"]: tile(), (|x, a, out| kernels::tile(x[0], a.ints("multiples")?, out)), fails OnShapes, linear in floats, tf "Tile", onnx "Tile",
        "The array repeated multiples[i] times along axis i.";
    // This op and the next fail if a size doesn't fit into `int32`. They still count as safe, because loops ask for sizes all the time.
    SHAPE_OF "shape_of" []: shape_of(), (unary kernels::shape_of), fails Never, tf "Shape", onnx "Shape",
        "The shape as an int32 vector.";
    SIZE_OF "size_of" []: count(), (unary kernels::size_of), fails Never, tf "Size", onnx "Size",
        "The number of values as an int32 scalar.";
    RANK_OF "rank_of" []: count(), (|x, _, out| kernels::rank_of(x[0], out)), fails Never, tf "Rank",
        "The number of axes as an int32 scalar.";
}

/// Applies a rule to the axes of the only operand if its rank is known; otherwise the shape is unknown.
fn from_dims(
    op: &str,
    types: &[TensorType],
    rule: impl FnOnce(&[Dim]) -> Result<Shape, String>,
) -> Inferred {
    let [x] = operands(op, types)?;
    let shape = x.shape.dims().map_or(Ok(Shape::unknown()), rule)?;
    Ok(TensorType::new(x.dtype, shape))
}

/// The shape that an attribute gives.
fn sizes(shape: &[i64]) -> Result<Shape, String> {
    kernels::sizes(shape)
        .map(|dims| Shape::known(&dims))
        .map_err(|error| error.to_string())
}

fn reshape(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let target = attrs.ints("shape")?;
    let shape = match x.shape.size() {
        Some(len) => {
            Shape::known(&kernels::resolve_reshape(len, target).map_err(|error| error.to_string())?)
        }
        None if target.iter().any(|n| *n < -1)
            || target.iter().filter(|n| **n == -1).count() > 1 =>
        {
            return Err(format!(
                "Cannot reshape a tensor of shape {} to shape {target:?}",
                x.shape
            ));
        }
        None => Shape::of(target.iter().map(|n| usize::try_from(*n).ok())),
    };
    Ok(TensorType::new(x.dtype, shape))
}

fn relax_shape(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let shape = attrs.shape("shape")?;
    if !shape.may_be(&x.shape) {
        return Err(not_of_shape(&x.shape, shape));
    }
    Ok(TensorType::new(x.dtype, shape.clone()))
}

fn checked_identity(x: &Array, shape: &Shape, out: &mut Array) -> Result<(), KernelError> {
    check_shape(x, shape)?;
    out.assign(x)?;
    Ok(())
}

fn not_of_shape(actual: &Shape, shape: &Shape) -> String {
    format!("A tensor of shape {actual} is not of shape {shape}")
}

pub(super) fn check_shape(x: &Array, shape: &Shape) -> Result<(), KernelError> {
    let actual = Shape::known(x.shape());
    if !shape.covers(&actual) {
        return Err(KernelError::Shape(not_of_shape(&actual, shape)));
    }
    Ok(())
}

fn transpose(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let perm = attrs.ints("perm")?;
    let [x] = operands(op, types)?;
    let rank = x.shape.rank().unwrap_or(perm.len());
    let axes = kernels::permutation(perm, rank).map_err(|error| error.to_string())?;
    let size = |axis: &usize| x.shape.dims().and_then(|dims| dims[*axis]);
    Ok(TensorType::new(x.dtype, Shape::of(axes.iter().map(size))))
}

fn expand_dims(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let axis = attrs.int("axis")?;
    from_dims(op, types, |dims| inserted(dims, axis, Some(1)))
}

fn inserted(dims: &[Dim], axis: i64, size: Dim) -> Result<Shape, String> {
    let mut dims = dims.to_vec();
    dims.insert(rules::axis(axis, dims.len() + 1)?, size);
    Ok(Shape::of(dims))
}

fn squeeze(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let axes = attrs.ints("axes")?;
    from_dims(op, types, |dims| {
        if axes.is_empty() {
            let known = !dims.contains(&None);
            return Ok(if known {
                Shape::of(dims.iter().copied().filter(|d| *d != Some(1)))
            } else {
                Shape::unknown()
            });
        }
        let axes: Vec<usize> = axes
            .iter()
            .map(|axis| rules::axis(*axis, dims.len()))
            .collect::<Result<_, _>>()?;
        for axis in &axes {
            if let Some(size) = dims[*axis].filter(|size| *size != 1) {
                return Err(format!(
                    "Can not squeeze dim[{axis}], expected a dimension of 1, got {size}"
                ));
            }
        }
        Ok(Shape::of(
            dims.iter()
                .enumerate()
                .filter(|(axis, _)| !axes.contains(axis))
                .map(|(_, d)| *d),
        ))
    })
}

/// The first operand, after checking that all operands have the same dtype.
fn first_of_one_dtype<'a>(op: &str, types: &'a [TensorType]) -> Result<&'a TensorType, String> {
    let first = types
        .first()
        .ok_or_else(|| format!("`{op}` takes at least one operand"))?;
    types
        .iter()
        .try_for_each(|ty| check_same_dtype(op, first, ty))?;
    Ok(first)
}

fn concat(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let dtype = first_of_one_dtype(op, types)?.dtype;
    let Some(rank) = types.iter().find_map(|ty| ty.shape.rank()) else {
        return Ok(TensorType::new(dtype, Shape::unknown()));
    };
    let axis = rules::axis(attrs.int("axis")?, rank)?;
    // Except for the joined axis, all shapes must be the same.
    let mut joined = Some(0usize);
    let mut rest = Shape::unknown();
    for ty in types {
        let mut dims = ty
            .shape
            .dims()
            .map_or_else(|| vec![None; rank], <[Dim]>::to_vec);
        let size = dims.get_mut(axis).and_then(Option::take);
        joined = match joined.zip(size) {
            Some((sum, size)) => {
                let sum = sum.checked_add(size);
                Some(sum.ok_or_else(|| format!("`{op}` makes axis {axis} too large"))?)
            }
            None => None,
        };
        rest = merge(op, &rest, &Shape::of(dims)).map_err(|_| {
            let (first, other) = (&types[0].shape, &ty.shape);
            format!("`{op}` along axis {axis} takes shapes that agree on all other axes, not {first} and {other}")
        })?;
    }
    let with_axis = rest
        .dims()
        .unwrap_or_default()
        .iter()
        .enumerate()
        .map(|(n, d)| if n == axis { joined } else { *d });
    Ok(TensorType::new(dtype, Shape::of(with_axis)))
}

fn stack(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let dtype = first_of_one_dtype(op, types)?.dtype;
    let axis = attrs.int("axis")?;
    let shape = types
        .iter()
        .try_fold(Shape::unknown(), |shape, ty| merge(op, &shape, &ty.shape))?;
    let shape = shape.dims().map_or(Ok(Shape::unknown()), |dims| {
        inserted(dims, axis, Some(types.len()))
    })?;
    Ok(TensorType::new(dtype, shape))
}

fn broadcast_to(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let target = sizes(attrs.ints("shape")?)?;
    let sizes = target.dims().unwrap_or_default();
    let fits = |dims: &[Dim]| {
        // An unknown size may be equal to the target's size, or 1.
        let one_of = |(own, size): (&Dim, &Dim)| own.is_none() || *own == Some(1) || own == size;
        dims.len() <= sizes.len() && dims.iter().rev().zip(sizes.iter().rev()).all(one_of)
    };
    if !x.shape.dims().is_none_or(fits) {
        return Err(format!(
            "Incompatible shapes: {} cannot be broadcast to {target}",
            x.shape
        ));
    }
    Ok(TensorType::new(x.dtype, target))
}

fn tile(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let times = sizes(attrs.ints("multiples")?)?;
    let times = times.dims().unwrap_or_default();
    let Some(dims) = x.shape.dims() else {
        return Ok(TensorType::new(
            x.dtype,
            Shape::of(times.iter().map(|_| None)),
        ));
    };
    if dims.len() != times.len() {
        return Err(format!(
            "`{op}` takes {} multiples for shape {}, not {}",
            dims.len(),
            x.shape,
            times.len()
        ));
    }
    let pairs = dims.iter().zip(times).enumerate();
    let tiled = pairs.map(|(axis, (n, t))| match n.zip(*t) {
        Some((n, t)) => {
            let size = n.checked_mul(t);
            let text = || format!("`{op}` makes axis {axis} too large: {t} times {n}");
            size.map(Some).ok_or_else(text)
        }
        None => Ok(None),
    });
    let tiled: Vec<Dim> = tiled.collect::<Result<_, String>>()?;
    Ok(TensorType::new(x.dtype, Shape::of(tiled)))
}

fn shape_of(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    Ok(TensorType::new(DType::I32, Shape::of([x.shape.rank()])))
}

fn count(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [_] = operands(op, types)?;
    Ok(TensorType::scalar(DType::I32))
}
