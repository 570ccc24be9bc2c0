//! Arrays made from a few numbers: ranges, `linspace`, constants, identity matrices.

use crate::dispatch::{dispatch, typed, undefined};
use crate::number::{Float, Number};
use crate::shape::sizes;
use crate::widened::AsInt64;
use crate::{Array, DType, Dims, Element, KernelError, cast};

/// `start, start + delta, ..` up to `limit`, without it; empty if `delta` leads away from `limit`.
///
/// # Errors
/// `Requires delta != 0: 0`, or if an operand isn't a scalar, or the dtypes differ.
pub fn range(
    start: &Array,
    limit: &Array,
    delta: &Array,
    out: &mut Array,
) -> Result<(), KernelError> {
    check_scalars([start, limit, delta])?;
    if let DType::U64 = start.dtype() {
        return range_values(typed::<u64>("range", start)?[0], limit, delta, out);
    }
    if let (Some(limit), Some(delta)) = (
        AsInt64::ByBits.widened(limit),
        AsInt64::ByBits.widened(delta),
    ) && let Some(done) =
        AsInt64::ByBits.map(start, out, |start, out| range(start, &limit, &delta, out))
    {
        return done;
    }
    dispatch!(number "range", start, v => range_values(v[0], limit, delta, out))
}

/// The number of values of [`range`].
///
/// # Errors
/// As of `range`.
pub fn range_len(start: &Array, limit: &Array, delta: &Array) -> Result<usize, KernelError> {
    check_scalars([start, limit, delta])?;
    if let DType::U64 = start.dtype() {
        return steps(typed::<u64>("range", start)?[0], limit, delta);
    }
    let wide = |x| AsInt64::ByBits.widened(x);
    if let (Some(start), Some(limit), Some(delta)) = (wide(start), wide(limit), wide(delta)) {
        return range_len(&start, &limit, &delta);
    }
    dispatch!(number "range", start, v => steps(v[0], limit, delta))
}

fn check_scalars(operands: [&Array; 3]) -> Result<(), KernelError> {
    match operands.iter().any(|operand| operand.rank() != 0) {
        true => Err(KernelError::Shape("`range` takes scalars".to_owned())),
        false => Ok(()),
    }
}

/// The number of values of a range that begins at `start`.
fn steps<T: Number>(start: T, limit: &Array, delta: &Array) -> Result<usize, KernelError> {
    let (limit, delta) = (
        typed::<T>("range", limit)?[0],
        typed::<T>("range", delta)?[0],
    );
    if delta == T::ZERO {
        return Err(KernelError::Value("Requires delta != 0: 0".to_owned()));
    }
    let reaches = match delta > T::ZERO {
        true => start < limit,
        false => start > limit,
    };
    if !reaches {
        return Ok(0);
    }
    let count = usize::try_from(T::steps(start, limit, delta));
    let fits = count
        .ok()
        .filter(|n| *n <= isize::MAX as usize / size_of::<T>());
    fits.ok_or_else(|| KernelError::Value("`range` has too many values".to_owned()))
}

fn range_values<T: Number>(
    start: T,
    limit: &Array,
    delta: &Array,
    out: &mut Array,
) -> Result<(), KernelError> {
    let count = steps(start, limit, delta)?;
    let delta = typed::<T>("range", delta)?[0];
    out.reset(T::DTYPE, &[count])?;
    for (n, o) in out.reset_as(&[count])?.iter_mut().enumerate() {
        *o = start.add(delta.mul(T::from_usize(n)));
    }
    Ok(())
}

/// An array of the given shape filled with the scalar `value`.
///
/// # Errors
/// If a size is negative or `value` isn't a scalar.
pub fn fill(value: &Array, shape: &[i64], out: &mut Array) -> Result<(), KernelError> {
    let shape = sizes(shape)?;
    out.reset(value.dtype(), &shape)?;
    if value.rank() != 0 {
        return Err(KernelError::Shape("`fill` takes a scalar".to_owned()));
    }
    dispatch!(moved value, v => {
        out.reset_like(value, &shape)?.fill_with(|| v[0].to_owned());
        Ok(())
    })
}

/// The identity matrix of the given size.
///
/// # Errors
/// If a size is negative or the dtype is `string`.
pub fn eye(rows: i64, columns: i64, dtype: DType, out: &mut Array) -> Result<(), KernelError> {
    let shape = sizes(&[rows, columns])?;
    out.reset(dtype, &shape)?;
    if dtype == DType::Str {
        return Err(undefined("eye", dtype));
    }
    let mut one = Array::default();
    cast(&Array::scalar(true), dtype, &mut one)?;
    dispatch!(moved one, value => eye_values(&value[0], &shape, out.reset_like(&one, &shape)?));
    Ok(())
}

fn eye_values<T: Element>(one: &T, shape: &Dims, values: &mut [T]) {
    values.fill(T::default());
    values
        .iter_mut()
        .step_by(shape[1] + 1)
        .take(shape[0].min(shape[1]))
        .for_each(|v| v.clone_from(one));
}

/// `count` values from `start` to `stop` at equal distances: `start + i * delta`, and the last is `stop` itself.
///
/// # Errors
/// If an operand isn't a scalar of one float dtype, or the count is negative.
pub fn linspace(
    start: &Array,
    stop: &Array,
    count: i64,
    out: &mut Array,
) -> Result<(), KernelError> {
    if start.rank() != 0 || stop.rank() != 0 {
        return Err(KernelError::Shape("`linspace` takes scalars".to_owned()));
    }
    let count = linspace_count(count)?;
    out.reset(start.dtype(), &[count])?;
    dispatch!(float "linspace", start, v => {
        let stop = typed("linspace", stop)?[0];
        spaced(v[0], stop, out.reset_as(&[count])?);
        Ok(())
    })
}

/// The number of values of a linspace.
///
/// # Errors
/// `Requires num >= 0: -1`.
pub fn linspace_count(count: i64) -> Result<usize, KernelError> {
    usize::try_from(count).map_err(|_| KernelError::Value(format!("Requires num >= 0: {count}")))
}

fn spaced<T: Float>(start: T, stop: T, out: &mut [T]) {
    let Some(last) = out.len().checked_sub(1) else {
        return;
    };
    let delta = stop.sub(start).div(T::from_usize(last.max(1)));
    for (n, out) in out.iter_mut().enumerate() {
        *out = match n {
            0 => start,
            n if n == last => stop,
            n => start.add(delta.mul(T::from_usize(n))),
        };
    }
}
