//! The operations on `f32` and `f64` that the formulas need: arithmetic, rounding and the parts of a number, all without branches.

use crate::simd::MulAdd;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A float as the formulas use it. Integers are kept in the low bits of a float ([`Real::ROUNDER`]), because there is no vector
/// instruction before AVX-512 that converts between floats and 64-bit integers.
pub(super) trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const HALF: Self;
    const ONE: Self;
    const TWO: Self;
    const INFINITY: Self;
    const NAN: Self;
    /// 1.5 times the first number from which on neighbours are 1 apart. `x + ROUNDER` has the integer nearest to `x` in its low bits, and
    /// `(x + ROUNDER) - ROUNDER` is that integer.
    const ROUNDER: Self;
    /// The rounder for integers that aren't positive, see [`scaled_down`](Real::scaled_down), and 2^-63.
    const ROUNDER_DOWN: (Self, Self);
    const MIN_POSITIVE: Self;
    /// A power of two that makes subnormal numbers normal, and its exponent.
    const LIFT: (Self, Self);
    /// From here on all numbers are integers.
    const INTEGERS_FROM: Self;
    /// `ln 2` as a sum of two numbers; the product of the first and the exponent of a number is exact.
    const LN_2: [Self; 2];

    /// `self * b + c`.
    fn times_plus<M: MulAdd>(self, b: Self, c: Self) -> Self;
    fn is_nan(self) -> bool;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// The magnitude of `self` with the sign of `sign`.
    fn with_sign(self, sign: Self) -> Self;
    /// Two to the integer in the low bits of `shifted`, which must be the exponent of a normal number.
    fn power_of_two(shifted: Self) -> Self;
    /// `self`, which is near 1, times two to the integer in the low bits of `shifted`. It overflows to infinity, and a subnormal result
    /// is rounded once. The integer may be up to twice the exponents of the normal numbers.
    fn scaled(self, shifted: Self) -> Self;
    /// `self`, which is near 1, times 2^63 and times two to the integer that `ROUNDER_DOWN` put into the low bits of `shifted`, which
    /// isn't positive: no result is subnormal, so nothing is rounded.
    fn scaled_down(self, shifted: Self) -> Self;
    /// `m` and `e` of a positive normal number `m * 2^e`, where `m` is between `sqrt(1/2)` and `sqrt(2)`.
    fn split_normal(self) -> (Self, Self);

    /// [`split_normal`](Real::split_normal) of any positive finite number: a subnormal one is made normal first.
    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let subnormal = self < Self::MIN_POSITIVE;
        let (power, exponent) = if subnormal {
            Self::LIFT
        } else {
            (Self::ONE, Self::ZERO)
        };
        let (m, e) = (self * power).split_normal();
        (m, e - exponent)
    }

    /// The polynomial with these coefficients, the constant first. Even and odd powers are summed separately: two short chains of
    /// dependent products instead of a long one.
    #[inline(always)]
    fn polynomial<M: MulAdd, const N: usize>(self, coefficients: [Self; N]) -> Self {
        const { assert!(N >= 3, "two coefficients are one product and one sum") };
        let square = self * self;
        let (mut ahead, mut sum) = (coefficients[N - 1], coefficients[N - 2]);
        for i in (0..N - 2).rev() {
            (ahead, sum) = (sum, ahead.times_plus::<M>(square, coefficients[i]));
        }
        ahead.times_plus::<M>(self, sum)
    }
}

macro_rules! real {
    ($float:ident, $bits:ident, $mul_add:ident, $rounder:expr, $ln_2:expr, $sqrt_half:expr) => {
        impl Real for $float {
            const ZERO: Self = 0.0;
            const HALF: Self = 0.5;
            const ONE: Self = 1.0;
            const TWO: Self = 2.0;
            const INFINITY: Self = $float::INFINITY;
            const NAN: Self = $float::NAN;
            const ROUNDER: Self = $rounder;
            // The sum is even, so that ties are rounded as with `ROUNDER`.
            const ROUNDER_DOWN: (Self, Self) = (
                $rounder + (63 + $float::MAX_EXP - 1) as $float,
                1.0 / (1u64 << 63) as $float,
            );
            const MIN_POSITIVE: Self = $float::MIN_POSITIVE;
            const LIFT: (Self, Self) = (
                ((1 as $bits) << $float::MANTISSA_DIGITS) as $float,
                $float::MANTISSA_DIGITS as $float,
            );
            const INTEGERS_FROM: Self = ((1 as $bits) << ($float::MANTISSA_DIGITS - 1)) as $float;
            const LN_2: [Self; 2] = $ln_2;

            #[inline(always)]
            fn times_plus<M: MulAdd>(self, b: Self, c: Self) -> Self {
                M::$mul_add(self, b, c)
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                $float::is_nan(self)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                $float::sqrt(self)
            }

            #[inline(always)]
            fn abs(self) -> Self {
                $float::abs(self)
            }

            #[inline(always)]
            fn with_sign(self, sign: Self) -> Self {
                self.copysign(sign)
            }

            #[inline(always)]
            fn power_of_two(shifted: Self) -> Self {
                const BIAS: $bits = $float::MAX_EXP as $bits - 1;
                let exponent = shifted.to_bits().wrapping_sub($rounder.to_bits() - BIAS);
                $float::from_bits(exponent << ($float::MANTISSA_DIGITS - 1))
            }

            #[inline(always)]
            fn scaled(self, shifted: Self) -> Self {
                // In two steps: the power alone may overflow or be subnormal where the product is normal, and the other way round. The
                // exponent carries two biases, so that both halves are positive.
                const BIASES: $bits = 2 * ($float::MAX_EXP as $bits - 1);
                const SHIFT: u32 = $float::MANTISSA_DIGITS - 1;
                let exponent = shifted.to_bits().wrapping_sub($rounder.to_bits() - BIASES);
                let half = exponent >> 1;
                let first = $float::from_bits(half << SHIFT);
                let second = $float::from_bits(exponent.wrapping_sub(half) << SHIFT);
                self * first * second
            }

            #[inline(always)]
            fn scaled_down(self, shifted: Self) -> Self {
                let power = $float::from_bits(shifted.to_bits() << ($float::MANTISSA_DIGITS - 1));
                self * power
            }

            #[inline(always)]
            fn split_normal(self) -> (Self, Self) {
                const SHIFT: u32 = $float::MANTISSA_DIGITS - 1;
                const BIAS: $float = ($float::MAX_EXP - 1) as $float;
                // An integer in the low bits of this number is added to it.
                const ADDER: $float = ((1 as $bits) << SHIFT) as $float;
                // Measured from sqrt(1/2), the exponent changes where `m` wraps around.
                let below = (1.0 as $float).to_bits() - $sqrt_half.to_bits();
                let moved = self.to_bits().wrapping_add(below);
                let exponent = $float::from_bits((moved >> SHIFT) | ADDER.to_bits());
                let mantissa = (moved & ((1 << SHIFT) - 1)).wrapping_add($sqrt_half.to_bits());
                ($float::from_bits(mantissa), exponent - (ADDER + BIAS))
            }
        }
    };
}

real!(
    f32,
    u32,
    mul_add_f32,
    12_582_912.0_f32,
    [0.693_145_75, 1.428_606_8e-6],
    std::f32::consts::FRAC_1_SQRT_2
);
real!(
    f64,
    u64,
    mul_add_f64,
    6_755_399_441_055_744.0_f64,
    [0.693_147_180_559_663, 2.823_529_056_303_157_7e-13],
    std::f64::consts::FRAC_1_SQRT_2
);
