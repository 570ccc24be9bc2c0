//! Powers.
//!
//! `x^y = exp(y log x)`. The exponential turns an absolute error of its argument, which is up to 745, into a relative error of the
//! result; so the logarithm needs a dozen more bits than the result. Powers of `f32` are calculated in `f64`, those of `f64` with sums of
//! two numbers (Dekker).

use super::exp::{Exponential, clamped, exp_of_sum};
use super::real::Real;
use crate::simd::MulAdd;

/// The part of a power without signs and special values.
pub(super) trait Power: Real {
    /// The power of a positive finite number. NaN if the base is 1 and the exponent infinite.
    fn of_positive<M: MulAdd>(self, exponent: Self) -> Self;
}

impl Power for f32 {
    #[inline(always)]
    fn of_positive<M: MulAdd>(self, exponent: Self) -> Self {
        let (m, e) = f64::from(self).split_normal();
        let s = (m - 1.0) / (m + 1.0);
        // log2(m) / s, within 2^-37.
        let ratio = (s * s).polynomial::<M, 5>([
            2.885_390_081_790_009,
            0.961_796_673_333_289_8,
            0.577_083_586_692_272_7,
            0.411_672_608_860_271_5,
            0.340_732_259_670_580_24,
        ]);
        // Far beyond the range of an `f32`, but within that of an `f64`.
        let log2 = clamped(
            f64::from(exponent) * s.times_plus::<M>(ratio, e),
            -200.0,
            200.0,
        );
        let shifted = log2 + f64::ROUNDER;
        let r = log2 - (shifted - f64::ROUNDER);
        // (2^r - 1) / r, within 2^-28 of 2^r.
        let slope = r.polynomial::<M, 6>([
            0.693_147_215_175_317_5,
            0.240_226_527_960_263_72,
            0.055_503_101_295_973_18,
            0.009_617_691_146_044_4,
            0.001_340_679_640_598_119_3,
            1.559_506_335_413_026_4e-4,
        ]);
        (r.times_plus::<M>(slope, 1.0) * f64::power_of_two(shifted)) as f32
    }
}

impl Power for f64 {
    #[inline(always)]
    fn of_positive<M: MulAdd>(self, exponent: Self) -> Self {
        let (high, low) = log_in_two_parts::<M>(self);
        let product = exponent * high;
        let limited = clamped(product, Self::DOMAIN[0], Self::DOMAIN[1]);
        let low = M::lost_f64(exponent, high, product) + exponent * low;
        // If the product overflowed, its lost part is NaN.
        exp_of_sum::<Self, M>(limited, if limited == product { low } else { 0.0 })
    }
}

/// The logarithm of a positive number as a sum, within 2^-64: for `x = m 2^e` and `s = (m - 1) / (m + 1)`,
/// `e ln 2 + 2 s + s^3 (2/3 + s^2 p(s^2))`, where only `p` has the precision of one number (minimax, computed by Remez'
/// exchange for this file).
#[inline(always)]
fn log_in_two_parts<M: MulAdd>(x: f64) -> (f64, f64) {
    let (m, e) = x.split();
    let (numerator, divisor) = (m - 1.0, m + 1.0);
    let divisor_low = m - (divisor - 1.0);
    // One division gives the quotient and its correction.
    let inverse = 1.0 / divisor;
    let s = numerator * inverse;
    let product = s * divisor;
    let lost = M::lost_f64(s, divisor, product) + s * divisor_low;
    let s_low = ((numerator - product) - lost) * inverse;

    let z = s * s;
    let z_low = M::lost_f64(s, s, z) + 2.0 * s * s_low;
    let tail = z * z.polynomial::<M, 7>([
        0.400_000_000_000_022_56,
        0.285_714_285_700_993_8,
        0.222_222_225_199_86,
        0.181_817_843_597_659_32,
        0.153_867_577_376_583_57,
        0.132_568_069_632_110_2,
        0.131_964_393_621_308_6,
    ]);
    const TWO_THIRDS: [f64; 2] = [0.666_666_666_666_666_6, 3.700_743_415_417_188e-17];
    let (factor, factor_low) = sum(TWO_THIRDS[0], tail);
    let factor = (factor, factor_low + TWO_THIRDS[1]);
    let cubic = product_of_sums::<M>((s, s_low), product_of_sums::<M>((z, z_low), factor));

    let (high, low) = sum(2.0 * s, cubic.0);
    let low = low + (2.0 * s_low + cubic.1);
    let (high, lost) = sum(e * f64::LN_2[0], high);
    (high, lost + (low + e * f64::LN_2[1]))
}

/// `a + b`, and the rounding error of the sum, where `a` is the larger one or zero (Dekker).
#[inline(always)]
fn sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, (a - sum) + b)
}

/// The product of two numbers, each given as a sum of a number and a small correction.
#[inline(always)]
fn product_of_sums<M: MulAdd>(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let product = a.0 * b.0;
    (
        product,
        M::lost_f64(a.0, b.0, product) + (a.0 * b.1 + a.1 * b.0),
    )
}

#[inline(always)]
fn is_integer<T: Real>(x: T) -> bool {
    let magnitude = x.abs();
    (magnitude >= T::INTEGERS_FROM)
        | ((magnitude + T::INTEGERS_FROM) - T::INTEGERS_FROM == magnitude)
}

/// `x` to the power `y`, with the special values of C99.
#[inline(always)]
pub(super) fn pow<T: Power, M: MulAdd>(x: T, y: T) -> T {
    let base = x.abs();
    let result = base.of_positive::<M>(y);
    let result = if base == T::ONE { T::ONE } else { result };
    let at_end = if (base == T::ZERO) == (y > T::ZERO) {
        T::ZERO
    } else {
        T::INFINITY
    };
    let result = if (base == T::ZERO) | (base == T::INFINITY) {
        at_end
    } else {
        result
    };

    let integer = is_integer(y);
    let odd = integer & !is_integer(y * T::HALF);
    let result = if odd { result.with_sign(x) } else { result };
    let undefined = (x < T::ZERO) & (base < T::INFINITY) & !integer;
    let result = if undefined { T::NAN } else { result };
    let result = if x.is_nan() | y.is_nan() {
        T::NAN
    } else {
        result
    };
    if (x == T::ONE) | (y == T::ZERO) {
        T::ONE
    } else {
        result
    }
}
