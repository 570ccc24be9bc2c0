//! The operations on `f32` and `f64` that the formulas need: arithmetic, rounding and the parts of a number, all without branches.

use crate::formula::Word;
use crate::simd::MulAdd;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A float as the formulas use it: `f32`, `f64`, or a symbol for one of these, which is the [`Plain`](Real::Plain) type. Integers are kept in the low bits of a float ([`Real::ROUNDER`]), because there is no vector
/// instruction before AVX-512 that converts between floats and 64-bit integers.
pub(crate) trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The type of its numbers.
    type Plain: Copy;
    /// Its bits as an integer.
    type Bits: Word;
    /// The number of bits of the mantissa, and what is added to exponents.
    const MANTISSA: u32;
    const BIAS: u64;
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
    const SQRT_HALF: Self;
    /// An integer in the low bits of this number is added to it, and the number together with [`BIAS`](Real::BIAS).
    const ADDER: Self;
    const BIASED_ADDER: Self;

    fn of(number: Self::Plain) -> Self;
    fn to_bits(self) -> Self::Bits;
    fn from_bits(bits: Self::Bits) -> Self;
    /// `self * b + c`.
    fn times_plus<M: MulAdd>(self, b: Self, c: Self) -> Self;
    fn is_nan(self) -> bool;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    /// The magnitude of `self` with the sign of `sign`.
    fn with_sign(self, sign: Self) -> Self;
    /// Two to the integer in the low bits of `shifted`, which must be the exponent of a normal number.
    #[inline(always)]
    fn power_of_two(shifted: Self) -> Self {
        let bias = Self::ROUNDER.to_bits().minus(Self::Bits::of(Self::BIAS));
        let exponent = shifted.to_bits().minus(bias);
        Self::from_bits(exponent << Self::MANTISSA)
    }
    /// `self`, which is near 1, times two to the integer in the low bits of `shifted`. It overflows to infinity, and a subnormal result
    /// is rounded once. The integer may be up to twice the exponents of the normal numbers.
    #[inline(always)]
    fn scaled(self, shifted: Self) -> Self {
        // In two steps: the power alone may overflow or be subnormal where the product is normal, and the other way round. The
        // exponent carries two biases, so that both halves are positive.
        let biases = Self::Bits::of(2 * Self::BIAS);
        let exponent = shifted
            .to_bits()
            .minus(Self::ROUNDER.to_bits().minus(biases));
        let half = exponent >> 1;
        let first = Self::from_bits(half << Self::MANTISSA);
        let second = Self::from_bits(exponent.minus(half) << Self::MANTISSA);
        self * first * second
    }
    /// `self`, which is near 1, times 2^63 and times two to the integer that `ROUNDER_DOWN` put into the low bits of `shifted`, which
    /// isn't positive: no result is subnormal, so nothing is rounded.
    #[inline(always)]
    fn scaled_down(self, shifted: Self) -> Self {
        self * Self::from_bits(shifted.to_bits() << Self::MANTISSA)
    }
    /// `m` and `e` of a positive normal number `m * 2^e`, where `m` is between `sqrt(1/2)` and `sqrt(2)`.
    #[inline(always)]
    fn split_normal(self) -> (Self, Self) {
        // Measured from sqrt(1/2), the exponent changes where `m` wraps around.
        let root = Self::SQRT_HALF.to_bits();
        let moved = self.to_bits().plus(Self::ONE.to_bits().minus(root));
        let exponent = Self::from_bits((moved >> Self::MANTISSA) | Self::ADDER.to_bits());
        let mantissa = (moved & Self::Bits::of((1 << Self::MANTISSA) - 1)).plus(root);
        (Self::from_bits(mantissa), exponent - Self::BIASED_ADDER)
    }

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
    fn polynomial<M: MulAdd, const N: usize>(self, coefficients: [Self::Plain; N]) -> Self {
        const { assert!(N >= 3, "two coefficients are one product and one sum") };
        let square = self * self;
        let (mut ahead, mut sum) = (Self::of(coefficients[N - 1]), Self::of(coefficients[N - 2]));
        for i in (0..N - 2).rev() {
            let next = ahead.times_plus::<M>(square, Self::of(coefficients[i]));
            (ahead, sum) = (sum, next);
        }
        ahead.times_plus::<M>(self, sum)
    }
}

macro_rules! real {
    ($float:ident, $bits:ident, $mul_add:ident, $rounder:expr, $ln_2:expr, $sqrt_half:expr) => {
        impl Real for $float {
            type Plain = $float;
            type Bits = $bits;
            const MANTISSA: u32 = $float::MANTISSA_DIGITS - 1;
            const BIAS: u64 = $float::MAX_EXP as u64 - 1;
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
            const SQRT_HALF: Self = $sqrt_half;
            const ADDER: Self = Self::INTEGERS_FROM;
            const BIASED_ADDER: Self = Self::ADDER + ($float::MAX_EXP - 1) as $float;

            #[inline(always)]
            fn of(number: Self) -> Self {
                number
            }

            #[inline(always)]
            fn to_bits(self) -> $bits {
                $float::to_bits(self)
            }

            #[inline(always)]
            fn from_bits(bits: $bits) -> Self {
                $float::from_bits(bits)
            }

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
