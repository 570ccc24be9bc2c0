//! Ops on shapes: the same values under another shape or axis order, arrays joined, and sizes as arrays.

use smallvec::SmallVec;

use crate::along::Split;
use crate::along::normalize_axis;
use crate::copy::{interleave, strided_copy};
use crate::dispatch::{alike, dispatch, shape_text};
use crate::nest::{Strides, broadcast_strides, row_major};
use crate::{Array, Dims, Element, KernelError};

fn shape_error(text: String) -> KernelError {
    KernelError::Shape(text)
}

/// The shape of a reshape: a size of -1 is calculated from the others.
///
/// # Errors
/// If the sizes don't fit the number of values.
pub fn resolve_reshape(len: usize, shape: &[i64]) -> Result<Dims, KernelError> {
    let known: Option<usize> = shape
        .iter()
        .filter(|n| **n != -1)
        .try_fold(1usize, |product, n| {
            product.checked_mul(usize::try_from(*n).ok()?)
        });
    let holes = shape.iter().filter(|n| **n == -1).count();
    let hole = match (known, holes) {
        (Some(product), 0) if product == len => Some(0),
        (Some(product), 1) if product > 0 && len.is_multiple_of(product) => Some(len / product),
        _ => None,
    };
    let Some(hole) = hole else {
        return Err(shape_error(reshape_text(len, shape, known, holes)));
    };
    Ok(shape
        .iter()
        .map(|n| if *n == -1 { hole } else { *n as usize })
        .collect())
}

fn reshape_text(len: usize, shape: &[i64], known: Option<usize>, holes: usize) -> String {
    let sizes: Vec<String> = shape.iter().map(i64::to_string).collect();
    let text = format!(
        "Cannot reshape a tensor with {len} elements to shape [{}]",
        sizes.join(",")
    );
    match known {
        Some(product) if holes == 0 => format!("{text} ({product} elements)"),
        _ => text,
    }
}

/// The same values under another shape; one size may be -1.
///
/// # Errors
/// `Cannot reshape a tensor with 6 elements to shape [4,2] (8 elements)`.
pub fn reshape(x: &Array, shape: &[i64], out: &mut Array) -> Result<(), KernelError> {
    out.assign_as(x, &resolve_reshape(x.len(), shape)?)?;
    Ok(())
}

/// [`reshape`] in place: no value is touched.
///
/// # Errors
/// As [`reshape`].
pub fn reshape_in_place(x: &mut Array, shape: &[i64]) -> Result<(), KernelError> {
    x.set_shape(&resolve_reshape(x.len(), shape)?);
    Ok(())
}

/// The axes in another order: axis `i` of the result is axis `perm[i]` of `x`.
///
/// # Errors
/// If `perm` isn't a permutation of the axes.
pub fn transpose(x: &Array, perm: &[i64], out: &mut Array) -> Result<(), KernelError> {
    let axes = permutation(perm, x.rank())?;
    let steps = row_major(x.shape());
    let shape: Dims = axes.iter().map(|axis| x.shape()[*axis]).collect();
    let strides: Strides = axes.iter().map(|axis| steps[*axis]).collect();
    strided(x, 0, &strides, &shape, out)
}

/// The axes of a permutation, counted from the first.
///
/// # Errors
/// If it doesn't name every axis once.
pub fn permutation(perm: &[i64], rank: usize) -> Result<Dims, KernelError> {
    let wrong = || {
        shape_error(format!(
            "{perm:?} is not a permutation of the axes of an array of rank {rank}"
        ))
    };
    let axes: Dims = perm
        .iter()
        .map(|axis| normalize_axis(*axis, rank))
        .collect::<Result<_, _>>()
        .map_err(|_| wrong())?;
    let is_whole = axes.len() == rank && (0..rank).all(|axis| axes.contains(&axis));
    if is_whole { Ok(axes) } else { Err(wrong()) }
}

/// A part of an array: the values at `start + i · strides` for every index `i` of `shape`.
pub(crate) struct View {
    pub start: usize,
    pub strides: Strides,
    pub shape: Dims,
}

impl View {
    /// Copies the part out of an array.
    pub fn copy(&self, x: &Array, out: &mut Array) -> Result<(), KernelError> {
        strided(x, self.start, &self.strides, &self.shape, out)
    }
}

/// [`strided_copy`] for any dtype.
pub(crate) fn strided(
    x: &Array,
    start: usize,
    strides: &[isize],
    shape: &[usize],
    out: &mut Array,
) -> Result<(), KernelError> {
    dispatch!(moved x, v => {
        strided_copy(v, start, strides, shape, out.reset_like(x, shape)?);
        Ok(())
    })
}

/// `x` with a new axis of size 1 before the given one; -1 appends it.
///
/// # Errors
/// If there is no such axis.
pub fn expand_dims(x: &Array, axis: i64, out: &mut Array) -> Result<(), KernelError> {
    out.assign_as(x, &expanded(x.shape(), axis)?)?;
    Ok(())
}

/// [`expand_dims`] in place: no value is touched.
///
/// # Errors
/// As [`expand_dims`].
pub fn expand_dims_in_place(x: &mut Array, axis: i64) -> Result<(), KernelError> {
    x.set_shape(&expanded(x.shape(), axis)?);
    Ok(())
}

fn expanded(shape: &[usize], axis: i64) -> Result<Dims, KernelError> {
    let axis = normalize_axis(axis, shape.len() + 1)?;
    let mut expanded = Dims::from_slice(shape);
    expanded.insert(axis, 1);
    Ok(expanded)
}

/// `x` without the given axes of size 1, or without all axes of size 1 if none is given.
///
/// # Errors
/// If a given axis isn't of size 1.
pub fn squeeze(x: &Array, axes: &[i64], out: &mut Array) -> Result<(), KernelError> {
    out.assign_as(x, &squeezed(x.shape(), axes)?)?;
    Ok(())
}

/// [`squeeze`] in place: no value is touched.
///
/// # Errors
/// As [`squeeze`].
pub fn squeeze_in_place(x: &mut Array, axes: &[i64]) -> Result<(), KernelError> {
    x.set_shape(&squeezed(x.shape(), axes)?);
    Ok(())
}

fn squeezed(shape: &[usize], axes: &[i64]) -> Result<Dims, KernelError> {
    let axes: Dims = axes
        .iter()
        .map(|axis| normalize_axis(*axis, shape.len()))
        .collect::<Result<_, _>>()?;
    if let Some(axis) = axes.iter().find(|axis| shape[**axis] != 1) {
        let text = format!(
            "Can not squeeze dim[{axis}], expected a dimension of 1, got {}",
            shape[*axis]
        );
        return Err(shape_error(text));
    }
    let goes = |axis: usize, size: usize| {
        if axes.is_empty() {
            size == 1
        } else {
            axes.contains(&axis)
        }
    };
    let kept = shape.iter().enumerate();
    let kept = kept.filter(|(axis, n)| !goes(*axis, **n));
    Ok(kept.map(|(_, n)| *n).collect())
}

/// Concatenates the arrays along an axis.
///
/// # Errors
/// If there is no array, or they differ in dtype or in another axis.
pub fn concat(parts: &[&Array], axis: i64, out: &mut Array) -> Result<(), KernelError> {
    let first = first_of("concat", parts)?;
    let split = Split::new(first.shape(), axis)?;
    let mut shape = Dims::from_slice(first.shape());
    for part in &parts[1..] {
        let mut other = Dims::from_slice(part.shape());
        if let Some(size) = other.get_mut(split.axis) {
            shape[split.axis] += *size;
            *size = split.len;
        }
        if *other != *first.shape() {
            return Err(mismatch("concat", first, part));
        }
    }
    let len = |part: &Array| part.shape()[split.axis] * split.inner;
    dispatch!(moved first, v => join("concat", v, parts, split.outer, len, &shape, out))
}

/// Stacks the arrays, all of one shape, along a new axis.
///
/// # Errors
/// If there is no array, or they differ in dtype or shape.
pub fn stack(parts: &[&Array], axis: i64, out: &mut Array) -> Result<(), KernelError> {
    let first = first_of("stack", parts)?;
    if let Some(part) = parts.iter().find(|part| part.shape() != first.shape()) {
        return Err(mismatch("stack", first, part));
    }
    let axis = normalize_axis(axis, first.rank() + 1)?;
    let (outer, inner): (usize, usize) = (
        first.shape()[..axis].iter().product(),
        first.shape()[axis..].iter().product(),
    );
    let mut shape = Dims::from_slice(first.shape());
    shape.insert(axis, parts.len());
    dispatch!(moved first, v => join("stack", v, parts, outer, |_| inner, &shape, out))
}

fn first_of<'a>(op: &str, parts: &[&'a Array]) -> Result<&'a Array, KernelError> {
    parts
        .first()
        .copied()
        .ok_or_else(|| shape_error(format!("`{op}` takes at least one operand")))
}

fn mismatch(op: &str, first: &Array, other: &Array) -> KernelError {
    let (a, b) = (shape_text(first.shape()), shape_text(other.shape()));
    shape_error(format!(
        "Shapes of all inputs of `{op}` must match: {a} vs. {b}"
    ))
}

/// Concatenates the parts, which have the dtype of the first one, `_first`.
fn join<T: Element>(
    op: &str,
    _first: &[T],
    parts: &[&Array],
    outer: usize,
    len: impl Fn(&Array) -> usize,
    shape: &[usize],
    out: &mut Array,
) -> Result<(), KernelError> {
    let blocks: SmallVec<[(&[T], usize); 8]> = parts
        .iter()
        .map(|part| Ok((alike::<T>(op, parts[0], part)?, len(part))))
        .collect::<Result<_, KernelError>>()?;
    interleave(&blocks, outer, out.reset_like(parts[0], shape)?);
    Ok(())
}

/// `x` broadcast to a shape: axes of size 1 and new leading axes are repeated.
///
/// # Errors
/// If a size of `x` is neither 1 nor the target's.
pub fn broadcast_to(x: &Array, shape: &[i64], out: &mut Array) -> Result<(), KernelError> {
    let target = sizes(shape)?;
    let missing = target.len().checked_sub(x.rank());
    let fits = missing.is_some_and(|missing| {
        x.shape()
            .iter()
            .zip(&target[missing..])
            .all(|(n, t)| *n == 1 || n == t)
    });
    if !fits {
        let (from, to) = (shape_text(x.shape()), shape_text(&target));
        return Err(shape_error(format!(
            "Incompatible shapes: {from} cannot be broadcast to {to}"
        )));
    }
    out.reset(x.dtype(), &target)?;
    strided(x, 0, &broadcast_strides(x.shape(), &target), &target, out)
}

/// Sizes given as integers, as a shape.
///
/// # Errors
/// If a size is negative, or there would be more values than memory addresses.
pub fn sizes(shape: &[i64]) -> Result<Dims, KernelError> {
    let dims: Option<Dims> = shape.iter().map(|n| usize::try_from(*n).ok()).collect();
    // Without axes of size 0, so that the sizes of any subset of the axes multiply without overflow.
    let bytes = |dims: &Dims| {
        dims.iter()
            .try_fold(std::mem::size_of::<String>(), |product, n| {
                product.checked_mul((*n).max(1))
            })
    };
    dims.filter(|dims| bytes(dims).is_some_and(|bytes| bytes <= isize::MAX as usize))
        .ok_or_else(|| shape_error(format!("{shape:?} is not a shape")))
}

/// `x` repeated as often along each axis as `multiples` says.
///
/// # Errors
/// If there isn't one multiple per axis, one is negative, or the result is too large.
pub fn tile(x: &Array, multiples: &[i64], out: &mut Array) -> Result<(), KernelError> {
    let times = sizes(multiples)?;
    if times.len() != x.rank() {
        let text = format!(
            "`tile` takes {} multiples for shape {}, not {}",
            x.rank(),
            shape_text(x.shape()),
            times.len()
        );
        return Err(shape_error(text));
    }
    let pairs = times.iter().zip(x.shape()).enumerate();
    let tiled = pairs.map(|(axis, (t, n))| {
        let text = || format!("`tile` makes axis {axis} too large: {t} times {n}");
        t.checked_mul(*n).ok_or_else(|| shape_error(text()))
    });
    let tiled: Dims = tiled.collect::<Result<_, KernelError>>()?;
    out.reset(x.dtype(), &tiled)?;
    // Each axis is walked twice: the repetitions with stride 0, then the axis itself.
    let pairs = times.iter().zip(x.shape()).zip(row_major(x.shape()));
    let (shape, strides): (Dims, Strides) = pairs
        .flat_map(|((t, n), step)| [(*t, 0), (*n, step)])
        .unzip();
    strided(x, 0, &strides, &shape, out)?;
    out.set_shape(&tiled);
    Ok(())
}

/// The shape of `x` as an `int32` vector.
///
/// # Errors
/// `Shape output type is 32-bit but dim 0 is 4294967296`.
pub fn shape_of(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    let sizes = out.reset_as::<i32>(&[x.rank()])?;
    for (dim, (o, n)) in sizes.iter_mut().zip(x.shape()).enumerate() {
        *o = i32::try_from(*n).map_err(|_| {
            shape_error(format!("Shape output type is 32-bit but dim {dim} is {n}"))
        })?;
    }
    Ok(())
}

/// The number of values of `x` as an `int32` scalar.
///
/// # Errors
/// If no `int32` holds it.
pub fn size_of(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    out.reset_as::<i32>(&[])?[0] = i32::try_from(x.len()).map_err(|_| {
        shape_error(
            "Number of elements was larger than representable by 32-bit output type".to_owned(),
        )
    })?;
    Ok(())
}

/// The number of axes of `x` as an `int32` scalar.
///
/// # Errors
/// If there is no memory for it.
pub fn rank_of(x: &Array, out: &mut Array) -> Result<(), KernelError> {
    out.reset_as::<i32>(&[])?[0] = x.rank() as i32;
    Ok(())
}
