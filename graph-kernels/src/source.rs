//! Arrays from nothing but a few numbers: ranges, one value everywhere, identity matrices.

use crate::dispatch::{dispatch, of_dtype, typed};
use crate::number::{Indicator, Number};
use crate::shape::sizes;
use crate::{Array, DType, Dims, KernelError};

/// `start, start + delta, ..` up to but without `limit`; empty if `delta` leads away from it.
///
/// # Errors
/// `Requires delta != 0: 0`, or if an operand isn't a scalar of the one dtype.
pub fn range(
    start: &Array,
    limit: &Array,
    delta: &Array,
    out: &mut Array,
) -> Result<(), KernelError> {
    if [start, limit, delta]
        .iter()
        .any(|operand| operand.rank() != 0)
    {
        return Err(KernelError::Shape("`range` takes scalars".to_owned()));
    }
    dispatch!(number "range", start, v => range_values(v[0], limit, delta, out))
}

fn range_values<T: Number>(
    start: T,
    limit: &Array,
    delta: &Array,
    out: &mut Array,
) -> Result<(), KernelError> {
    let (limit, delta) = (
        typed::<T>("range", limit)?[0],
        typed::<T>("range", delta)?[0],
    );
    if delta == T::ZERO {
        return Err(KernelError::Value("Requires delta != 0: 0".to_owned()));
    }
    let reaches = if delta > T::ZERO {
        start < limit
    } else {
        start > limit
    };
    let count = if reaches {
        T::steps(start, limit, delta)
    } else {
        0
    };
    let count = usize::try_from(count)
        .ok()
        .filter(|n| *n <= isize::MAX as usize / size_of::<T>());
    let count =
        count.ok_or_else(|| KernelError::Value("`range` has too many values".to_owned()))?;
    out.try_reset(T::DTYPE, &[count])?;
    for (n, o) in out.reset_as(&[count]).iter_mut().enumerate() {
        *o = start.add(delta.mul(T::from_usize(n)));
    }
    Ok(())
}

/// `value`, a scalar, everywhere in an array of the given shape.
///
/// # Errors
/// If a size is negative or `value` isn't a scalar.
pub fn fill(value: &Array, shape: &[i64], out: &mut Array) -> Result<(), KernelError> {
    let shape = sizes(shape)?;
    out.try_reset(value.dtype(), &shape)?;
    if value.rank() != 0 {
        return Err(KernelError::Shape("`fill` takes a scalar".to_owned()));
    }
    dispatch!(any "fill", value, v => {
        out.reset_as(&shape).fill_with(|| v[0].to_owned());
        Ok(())
    })
}

/// The identity matrix of the given size.
///
/// # Errors
/// If a size is negative or the dtype is `string`.
pub fn eye(rows: i64, columns: i64, dtype: DType, out: &mut Array) -> Result<(), KernelError> {
    let shape = sizes(&[rows, columns])?;
    out.try_reset(dtype, &shape)?;
    of_dtype!("eye", dtype, T => {
        eye_values::<T>(&shape, out);
        Ok(())
    })
}

fn eye_values<T: Indicator>(shape: &Dims, out: &mut Array) {
    let values = out.reset_as::<T>(shape);
    values.fill(T::NO);
    values
        .iter_mut()
        .step_by(shape[1] + 1)
        .take(shape[0].min(shape[1]))
        .for_each(|v| *v = T::YES);
}
