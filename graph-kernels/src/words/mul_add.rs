//! The multiply-add of a matrix product, for products so small that their values are in registers: one rounding or two, as at the
//! thread's [level](crate::simd::level).

use super::{DType, WordFunction};
use crate::element::ElementError;
use crate::number::Number;
use crate::simd::{self, Kernel, Level, MulAdd};

/// The function of a dtype: `a * b + c`. `None` for other dtypes than `float32` and `float64`.
pub(super) fn function(dtype: DType) -> Option<WordFunction> {
    match dtype {
        DType::F32 => Some(mul_add::<f32>),
        DType::F64 => Some(mul_add::<f64>),
        _ => None,
    }
}

fn mul_add<T: Number>(words: [u64; 3]) -> Result<u64, ElementError> {
    Ok(simd::run(Once(words.map(T::of_word))).to_word())
}

/// One multiply-add.
struct Once<T>([T; 3]);

impl<T: Number> Kernel for Once<T> {
    type Output = T;
    const UP_TO: Level = T::UP_TO;

    #[inline(always)]
    fn run<M: MulAdd>(self) -> T {
        let [a, b, c] = self.0;
        a.mul_add::<M>(b, c)
    }
}
