//! Products of 16-bit floats: the operands become `f32`, and each sum is rounded once.

use half::slice::HalfFloatSliceExt;

use super::{Finish, Product};
use crate::dispatch::typed;
use crate::number::Number;
use crate::{Array, KernelError, scratch};

/// The product of typed values and an operand of the same dtype.
pub(super) fn apply<T: Number>(
    product: &Product,
    a: &[T],
    b: &Array,
    out: &mut Array,
) -> Result<(), KernelError>
where
    [T]: HalfFloatSliceExt,
{
    let b = typed::<T>("matmul", b)?;
    let out = product.output::<T>(out)?;
    widened(a, |a| {
        widened(b, |b| {
            scratch::with(out.len(), |sums| {
                product.run(a, b, sums, Finish::NOTHING);
                out.convert_from_f32_slice(sums);
            });
        });
    });
    Ok(())
}

/// Calls `f` with the values as `f32`.
fn widened<T>(values: &[T], f: impl FnOnce(&[f32]))
where
    [T]: HalfFloatSliceExt,
{
    scratch::with(values.len(), |wide| {
        values.convert_to_f32_slice(wide);
        f(wide);
    });
}
