//! Kernels that run in a wider type than that of their arrays: 16-bit floats in `f32`, where the result is rounded once, and rare
//! integers in `i64`, whose sums and products have the same low bits. So a kernel isn't compiled for each type. [`with`] is for kernels
//! that know the narrow type; [`AsInt64`] converts whole arrays, for kernels without code for their integers.

use crate::block::Lane;
use crate::element::{narrow_all, widen_all};
use crate::number::Number;
use crate::{Array, DType, KernelError, bf16, cast, f16, scratch};

/// A type whose values are converted to a wider type for calculations.
pub(crate) trait Widened: Lane {
    type Wide: Number;
    /// Converts values to the wider type.
    fn widen(narrow: &[Self], wide: &mut [Self::Wide]);
    /// Converts values back: floats to the nearest value, integers to their low bits.
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

/// What the conversion of integers to `int64` must preserve, for a kernel without code for their dtype.
#[derive(Clone, Copy)]
pub(crate) enum AsInt64 {
    /// The low bits, as for sums and products, whose low bits depend only on those of the operands.
    ByBits,
    /// The order of the values.
    ByOrder,
}

/// `uint64` has no wider type; flipping the uppermost bit maps its order to that of `int64`.
const SIGN: i64 = i64::MIN;

impl AsInt64 {
    /// The values as `int64`; `None` for a dtype that kernels have code for.
    pub fn widened(self, x: &Array) -> Option<Array> {
        let dtype = x.dtype();
        if !is_rare(dtype) {
            return None;
        }
        let mut wide = Array::default();
        cast(x, DType::I64, &mut wide).ok()?;
        if let (AsInt64::ByOrder, DType::U64) = (self, dtype) {
            wide.values_mut::<i64>()?
                .iter_mut()
                .for_each(|v| *v ^= SIGN);
        }
        Some(wide)
    }

    /// Converts the result of a kernel back. With `ByOrder`, a value out of range becomes the nearest one, so that the limits of `int64`
    /// become those of the narrow type.
    pub fn narrowed(
        self,
        mut wide: Array,
        dtype: DType,
        out: &mut Array,
    ) -> Result<(), KernelError> {
        if let (AsInt64::ByOrder, Some(values)) = (self, wide.values_mut::<i64>()) {
            match range(dtype) {
                Some((low, high)) => values.iter_mut().for_each(|v| *v = (*v).clamp(low, high)),
                None => values.iter_mut().for_each(|v| *v ^= SIGN),
            }
        }
        cast(&wide, dtype, out)
    }

    /// Calls a kernel whose result has the dtype of `x`; `None` if the kernel has code for that dtype.
    pub fn map(
        self,
        x: &Array,
        out: &mut Array,
        kernel: impl FnOnce(&Array, &mut Array) -> Result<(), KernelError>,
    ) -> Option<Result<(), KernelError>> {
        let wide = self.widened(x)?;
        let mut result = Array::default();
        let done = kernel(&wide, &mut result);
        Some(done.and_then(|()| self.narrowed(result, x.dtype(), out)))
    }

    /// Calls a kernel that changes `x` by values of the same dtype; `None` if the kernel has code for that dtype.
    pub fn change(
        self,
        x: &mut Array,
        values: &Array,
        kernel: impl FnOnce(&mut Array, &Array) -> Result<(), KernelError>,
    ) -> Option<Result<(), KernelError>> {
        let dtype = x.dtype();
        let wide_values = self.widened(values).filter(|_| values.dtype() == dtype)?;
        let mut wide = self.widened(x)?;
        let done = kernel(&mut wide, &wide_values);
        Some(done.and_then(|()| self.narrowed(wide, dtype, x)))
    }
}

/// True for the integers that only elementwise functions, and kernels that move values, have code for.
pub(crate) fn is_rare(dtype: DType) -> bool {
    use DType::{I8, I16, U16, U32, U64};
    matches!(dtype, I8 | I16 | U16 | U32 | U64)
}

/// The smallest and the largest value of an integer type that fits `int64`.
fn range(dtype: DType) -> Option<(i64, i64)> {
    let bits = dtype.bytes() as u32 * 8;
    match dtype.is_unsigned() {
        true if bits == 64 => None,
        true => Some((0, (1 << bits) - 1)),
        false => Some((i64::MIN >> (64 - bits), i64::MAX >> (64 - bits))),
    }
}
