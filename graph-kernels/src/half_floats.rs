//! Kernels of 16-bit floats that run in `f32`: the operands are widened, and the result is rounded once.

use half::slice::HalfFloatSliceExt;

use crate::element::Half;
use crate::scratch;

/// Calls `f` with the inputs and the output in `f32`, then rounds the output.
pub(crate) fn with<T: Half, const N: usize>(
    inputs: [&[T]; N],
    out: &mut [T],
    f: impl FnOnce([&[f32]; N], &mut [f32]),
) where
    [T]: HalfFloatSliceExt,
{
    let lens = inputs.map(<[T]>::len);
    scratch::with(lens.iter().sum::<usize>(), |wide: &mut [f32]| {
        let mut rest = &mut *wide;
        for input in inputs {
            let (values, after) = rest.split_at_mut(input.len());
            input.convert_to_f32_slice(values);
            rest = after;
        }
        let mut rest = &*wide;
        let widened = lens.map(|len| {
            let (values, after) = rest.split_at(len);
            rest = after;
            values
        });
        scratch::with(out.len(), |result: &mut [f32]| {
            f(widened, result);
            out.convert_from_f32_slice(result);
        });
    });
}
