//! Kernels that run in a wider type than that of their arrays: 16-bit floats in `f32`, where the result is rounded once, and rare
//! integers in `i64`, whose sums and products have the same low bits. So a kernel needn't be compiled for each type.

use crate::element::{Lane, narrow_all, widen_all};
use crate::number::Number;
use crate::{bf16, f16, scratch};

/// A type whose values kernels may take in a wider one.
pub(crate) trait Widened: Lane {
    type Wide: Number;
    /// The same values.
    fn widen(narrow: &[Self], wide: &mut [Self::Wide]);
    /// The nearest values; of integers the low bits.
    fn narrow(wide: &[Self::Wide], narrow: &mut [Self]);
}

macro_rules! floats {
    ($($type:ty)*) => { $(
        impl Widened for $type {
            type Wide = f32;
            fn widen(narrow: &[$type], wide: &mut [f32]) {
                widen_all(narrow, wide);
            }
            fn narrow(wide: &[f32], narrow: &mut [$type]) {
                narrow_all(wide, narrow);
            }
        }
    )* };
}
floats! { f16 bf16 }

macro_rules! integers {
    ($($type:ty)*) => { $(
        impl Widened for $type {
            type Wide = i64;
            fn widen(narrow: &[$type], wide: &mut [i64]) {
                let pairs = wide.iter_mut().zip(narrow);
                pairs.for_each(|(wide, narrow)| *wide = i64::from(*narrow));
            }
            fn narrow(wide: &[i64], narrow: &mut [$type]) {
                let pairs = narrow.iter_mut().zip(wide);
                pairs.for_each(|(narrow, wide)| *narrow = *wide as $type);
            }
        }
    )* };
}
integers! { i32 u8 }

/// Calls `f` with the inputs and the output in the wider type, then narrows the output.
pub(crate) fn with<T: Widened, const N: usize>(
    inputs: [&[T]; N],
    out: &mut [T],
    f: impl FnOnce([&[T::Wide]; N], &mut [T::Wide]),
) {
    let lens = inputs.map(<[T]>::len);
    scratch::with(lens.iter().sum::<usize>(), |wide: &mut [T::Wide]| {
        let mut rest = &mut *wide;
        for input in inputs {
            let (values, after) = rest.split_at_mut(input.len());
            T::widen(input, values);
            rest = after;
        }
        let mut rest = &*wide;
        let widened = lens.map(|len| {
            let (values, after) = rest.split_at(len);
            rest = after;
            values
        });
        scratch::with(out.len(), |result: &mut [T::Wide]| {
            f(widened, result);
            T::narrow(result, out);
        });
    });
}
