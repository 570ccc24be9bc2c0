//! Logarithms.
//!
//! `x = m 2^e` with `m` between `sqrt(1/2)` and `sqrt(2)`. For `f = m - 1` and `s = f / (2 + f)`,
//! `log(m) = 2 atanh(s) = f - (f^2/2 - s (f^2/2 + s^2 p(s^2)))` (FreeBSD's msun), with a minimax polynomial `p`
//! (computed by Remez' exchange for this file).

use super::exp::{Exponential, exp};
use super::real::Real;
use crate::simd::MulAdd;

/// The polynomial of one float type.
pub(crate) trait Logarithm: Real {
    const SQRT_2: Self;
    /// `(2 atanh(s) - 2 s) / s^3` for `z = s^2`.
    fn series<T: Real<Plain = Self::Plain>, M: MulAdd>(z: T) -> T;
}

impl Logarithm for f32 {
    const SQRT_2: Self = std::f32::consts::SQRT_2;

    #[inline(always)]
    fn series<T: Real<Plain = Self>, M: MulAdd>(z: T) -> T {
        // Within 2^-30 of the logarithm.
        z.polynomial::<M, 3>([0.666_667_76, 0.399_775_8, 0.298_709_27])
    }
}

impl Logarithm for f64 {
    const SQRT_2: Self = std::f64::consts::SQRT_2;

    #[inline(always)]
    fn series<T: Real<Plain = Self>, M: MulAdd>(z: T) -> T {
        // Within 2^-59 of the logarithm.
        z.polynomial::<M, 7>([
            0.666_666_666_666_673_4,
            0.399_999_999_994_164_25,
            0.285_714_287_421_084_9,
            0.222_221_985_942_764_8,
            0.181_835_635_211_094,
            0.153_140_652_607_219_96,
            0.147_958_511_868_458_85,
        ])
    }
}

/// `log((1 + f) 2^e)`.
#[inline(always)]
fn of_parts<T: Logarithm, M: MulAdd>(f: T, e: T) -> T {
    let s = f / (T::TWO + f);
    let z = s * s;
    let half_square = T::HALF * f * f;
    let rest = z * T::series::<T, M>(z);
    let small = s.times_plus::<M>(half_square + rest, e * T::LN_2[1]);
    e.times_plus::<M>(T::LN_2[0], f - (half_square - small))
}

/// The natural logarithm.
#[inline(always)]
pub(super) fn log<T: Logarithm, M: MulAdd>(x: T) -> T {
    let (m, e) = x.split();
    special(x, of_parts::<T, M>(m - T::ONE, e))
}

/// The logarithm of an `f32` to the base whose natural logarithm is `1 / factor`, calculated in `f64`, so that the logarithm of a power
/// of the base is exact.
#[inline(always)]
pub(super) fn log_narrow<M: MulAdd>(x: f32, factor: f64) -> f32 {
    (log::<f64, M>(f64::from(x)) * factor) as f32
}

/// `log(1 + x)`: the part of `x` that is lost in the sum is added to the mantissa again.
#[inline(always)]
pub(super) fn log1p<T: Logarithm, M: MulAdd>(x: T) -> T {
    let sum = T::ONE + x;
    let (m, e) = sum.split_normal();
    // Exact: the larger of the two numbers is subtracted first.
    let lost = if x < T::ONE {
        x - (sum - T::ONE)
    } else {
        T::ONE - (sum - x)
    };
    // Half of twice the power: for the greatest exponents, where nothing is lost, the factor is then zero and not garbage.
    let f = (m - T::ONE) + lost * (T::HALF * T::power_of_two(T::ROUNDER + (T::ONE - e)));
    let result = special(sum, of_parts::<T, M>(f, e));
    if x == T::ZERO { x } else { result }
}

/// `log(1 + exp(x))` as `max(x, 0) + log(1 + exp(-|x|))`: nothing overflows, and no digits are lost where one of the terms is small.
#[inline(always)]
pub(super) fn softplus<T: Exponential + Logarithm, M: MulAdd>(x: T) -> T {
    let positive = if x > T::ZERO { x } else { T::ZERO };
    let e = exp::<T, M>(-x.abs());
    // As in `log1p`, but for a sum between 1 and 2, whose parts are known.
    let sum = T::ONE + e;
    let lost = e - (sum - T::ONE);
    let upper = sum > T::SQRT_2;
    let (scale, exponent) = if upper {
        (T::HALF, T::ONE)
    } else {
        (T::ONE, T::ZERO)
    };
    positive + of_parts::<T, M>((sum * scale - T::ONE) + lost * scale, exponent)
}

/// The result for `x`, or the logarithm's special value for zero, infinity, a negative number or NaN.
#[inline(always)]
fn special<T: Real>(x: T, result: T) -> T {
    let result = if x < T::INFINITY { result } else { x };
    let result = if x > T::ZERO { result } else { T::NAN };
    if x == T::ZERO { -T::INFINITY } else { result }
}
