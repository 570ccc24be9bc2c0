//! Type rules that families share: accepted dtypes, broadcasting, axes, and partly known shapes.

use graph_kernels::{DType, KernelError, normalize_axis};

use crate::ops::Attrs;
use crate::types::{Dim, Shape, TensorType};

/// The result of a type rule: the output's type, or an error message.
pub(super) type Inferred = Result<TensorType, String>;

/// A class of dtypes, such as [`DType::is_number`].
pub(super) type Class = fn(DType) -> bool;

/// Every dtype.
pub(super) const ANY: Class = |_| true;
/// Numbers.
pub(super) const NUMBER: Class = DType::is_number;
/// Floats.
pub(super) const FLOAT: Class = DType::is_float;
/// Everything but strings.
pub(super) const PLAIN: Class = |dtype| dtype != DType::Str;
/// Positions, counts and seeds.
pub(super) const INDEX: Class = DType::is_index;
/// Booleans.
pub(super) const BOOL: Class = |dtype| dtype == DType::Bool;
/// Strings.
pub(super) const STRING: Class = |dtype| dtype == DType::Str;

/// The operands of an op that takes a fixed number of them.
pub(super) fn operands<'a, const N: usize>(
    op: &str,
    types: &'a [TensorType],
) -> Result<&'a [TensorType; N], String> {
    let plural = if N == 1 { "" } else { "s" };
    types
        .try_into()
        .map_err(|_| format!("`{op}` takes {N} operand{plural}, not {}", types.len()))
}

/// Fails unless the dtype is of the class.
pub(super) fn check_class(op: &str, class: Class, dtype: DType) -> Result<(), String> {
    if class(dtype) {
        Ok(())
    } else {
        Err(format!("`{op}` is not defined for {dtype}"))
    }
}

/// Fails unless the dtypes are equal.
pub(super) fn check_same_dtype(op: &str, a: &TensorType, b: &TensorType) -> Result<(), String> {
    if a.dtype == b.dtype {
        return Ok(());
    }
    Err(format!(
        "`{op}` takes operands of one dtype, not {} and {}",
        a.dtype, b.dtype
    ))
}

/// Fails if the operand can't be an `int32` or `int64` scalar.
pub(super) fn check_int_scalar(op: &str, ty: &TensorType) -> Result<(), String> {
    check_indices(op, ty)?;
    check_scalar(op, ty)
}

/// Fails unless the operand's dtype is `int32` or `int64`.
pub(super) fn check_indices(op: &str, ty: &TensorType) -> Result<(), String> {
    check_integers(op, "indices", ty)
}

/// Fails unless the operand's dtype is `int32` or `int64`; `what` says what the operand contains.
pub(super) fn check_integers(op: &str, what: &str, ty: &TensorType) -> Result<(), String> {
    match ty.dtype {
        dtype if dtype.is_index() => Ok(()),
        other => Err(format!("`{op}` takes int32 or int64 {what}, not {other}")),
    }
}

/// The length, if known, of an operand that must be a vector with dtype `int32` or `int64`.
pub(super) fn int_vector(op: &str, ty: &TensorType) -> Result<Dim, String> {
    check_indices(op, ty)?;
    match ty.shape.dims() {
        None => Ok(None),
        Some([len]) => Ok(*len),
        Some(_) => Err(format!(
            "`{op}` takes a vector of integers, not an array of shape {}",
            ty.shape
        )),
    }
}

/// Checks shapes with a function of the kernels if all are known; otherwise they are checked at run time.
pub(super) fn check_known<const N: usize>(
    shapes: [&Shape; N],
    check: impl FnOnce([&[usize]; N]) -> Result<(), KernelError>,
) -> Result<(), String> {
    let known = shapes.map(Shape::to_known);
    if known.iter().any(Option::is_none) {
        return Ok(());
    }
    let dims = known.each_ref().map(|dims| dims.as_deref().unwrap_or(&[]));
    check(dims).map_err(|error| error.to_string())
}

/// Converts a kernel's result for a type rule.
pub(super) fn text<T>(result: Result<T, KernelError>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// The shape with another size for one axis; the old and the new size may be unknown.
pub(super) fn with_axis(
    shape: &Shape,
    given: i64,
    size: impl FnOnce(Dim) -> Result<Dim, String>,
) -> Result<Shape, String> {
    let Some(dims) = shape.dims() else {
        return Ok(Shape::unknown());
    };
    let axis = axis(given, dims.len())?;
    let mut dims = dims.to_vec();
    dims[axis] = size(dims[axis])?;
    Ok(Shape::of(dims))
}

/// Fails if the operand is known not to be a scalar.
pub(super) fn check_scalar(op: &str, ty: &TensorType) -> Result<(), String> {
    match ty.shape.rank() {
        None | Some(0) => Ok(()),
        Some(_) => Err(format!(
            "`{op}` takes a scalar here, not an array of shape {}",
            ty.shape
        )),
    }
}

/// Converts an axis that may count from the end to one that counts from the beginning.
pub(super) fn axis(axis: i64, rank: usize) -> Result<usize, String> {
    normalize_axis(axis, rank).map_err(|error| error.to_string())
}

/// The broadcast shape of two operands.
pub(super) fn broadcast(op: &str, a: &Shape, b: &Shape) -> Result<Shape, String> {
    let (Some(x), Some(y)) = (a.dims(), b.dims()) else {
        return Ok(Shape::unknown());
    };
    let rank = x.len().max(y.len());
    let at = |dims: &[Dim], axis: usize| {
        (axis + dims.len())
            .checked_sub(rank)
            .map_or(Some(1), |i| dims[i])
    };
    let dims: Result<Vec<Dim>, String> = (0..rank)
        .map(|axis| match (at(x, axis), at(y, axis)) {
            (Some(1), size) | (size, Some(1)) => Ok(size),
            (Some(m), Some(n)) if m != n => Err(unequal(op, (m, n), (a, b))),
            (m, n) => Ok(m.or(n)),
        })
        .collect();
    dims.map(Shape::of)
}

/// TensorFlow's message for two sizes that must be equal.
pub(super) fn unequal(op: &str, (m, n): (usize, usize), (a, b): (&Shape, &Shape)) -> String {
    format!("Dimensions must be equal, but are {m} and {n} for {op} with input shapes: {a}, {b}.")
}

/// Combines two partly known shapes of the same array into one.
pub(super) fn merge(op: &str, a: &Shape, b: &Shape) -> Result<Shape, String> {
    let (x, y) = match (a.dims(), b.dims()) {
        (None, _) => return Ok(b.clone()),
        (_, None) => return Ok(a.clone()),
        (Some(x), Some(y)) => (x, y),
    };
    if !a.may_be(b) {
        return Err(format!("Shapes {a} and {b} are incompatible for {op}"));
    }
    Ok(Shape::of(x.iter().zip(y).map(|(m, n)| m.or(*n))))
}

/// The rule for two broadcasting operands of the same dtype of the class; the result has that dtype.
pub(super) fn binary(op: &str, types: &[TensorType], _: &Attrs, class: Class) -> Inferred {
    let [a, b] = operands(op, types)?;
    check_same_dtype(op, a, b)?;
    check_class(op, class, a.dtype)?;
    Ok(TensorType::new(a.dtype, broadcast(op, &a.shape, &b.shape)?))
}

/// The rule for two broadcasting operands of the same dtype of the class; the result is `bool`.
pub(super) fn comparison(op: &str, types: &[TensorType], attrs: &Attrs, class: Class) -> Inferred {
    Ok(TensorType::new(
        DType::Bool,
        binary(op, types, attrs, class)?.shape,
    ))
}

/// The rule for one operand with a dtype of the class; the result has the same type.
pub(super) fn unary(op: &str, types: &[TensorType], _: &Attrs, class: Class) -> Inferred {
    let [x] = operands(op, types)?;
    check_class(op, class, x.dtype)?;
    Ok(x.clone())
}

/// The rule for one operand with a dtype of the class; the result has another dtype and the same shape.
pub(super) fn unary_to(
    op: &str,
    types: &[TensorType],
    attrs: &Attrs,
    class: Class,
    dtype: DType,
) -> Inferred {
    Ok(TensorType::new(
        dtype,
        unary(op, types, attrs, class)?.shape,
    ))
}

/// The rule for one operand with a dtype of the class and an attribute `axis`; the result has the same type.
pub(super) fn along(op: &str, types: &[TensorType], attrs: &Attrs, class: Class) -> Inferred {
    let x = unary(op, types, attrs, class)?;
    let given = attrs.int("axis")?;
    if let Some(rank) = x.shape.rank() {
        axis(given, rank)?;
    }
    Ok(x)
}
