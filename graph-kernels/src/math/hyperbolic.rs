//! Hyperbolic functions, made of exponentials; near 0 the sine is a series, and so is the tangent of `f64` (Cephes). The
//! polynomials are minimax (computed for this file, by Remez' exchange or by least squares whose weights follow the error).

use super::exp::{Exponential, exp_plus_one, half_exp};
use super::real::Real;
use crate::simd::MulAdd;

/// What depends on the float type.
pub(crate) trait Hyperbolic: Exponential {
    /// `tanh(x)` for an `x` between 0 and [`NEGLIGIBLE`](Exponential::NEGLIGIBLE).
    fn tanh_of_positive<T: Exponential<Plain = Self::Plain>, M: MulAdd>(x: T) -> T;
    /// `(sinh(x) - x) / x^3` for `z = x^2`.
    fn sinh_series<T: Real<Plain = Self::Plain>, M: MulAdd>(z: T) -> T;
}

impl Hyperbolic for f32 {
    /// Let `x = k ln 2 / 2 + r` with an integer `k` and `|r| <= ln 2 / 4`, and `c = r / tanh(r)`. Then `exp(2r)` is
    /// `(c + r) / (c - r)`, and with `d = c - r` and `p = 2^-k`
    ///
    /// `tanh(x) = (1 - exp(-2x)) / (1 + exp(-2x)) = (c + r - p d) / (c + r + p d)`,
    ///
    /// which the code divides by two above and below; `c + r` is `d + 2r` here. One division serves both quotients, and `c` is an even
    /// function and so a short polynomial. Near 1 the quotient is the difference from 1, so the gradient, `1 - tanh(x)^2`, keeps only the
    /// last bits of that.
    #[inline(always)]
    fn tanh_of_positive<T: Exponential<Plain = Self>, M: MulAdd>(x: T) -> T {
        use std::f32::consts::{LN_2, LOG2_E};
        // Adding this to a number puts the exponent of `p`, with its bias, into the low bits.
        const BIASED: f32 = <f32 as Real>::ROUNDER + 127.0;
        let (biased, half) = (T::of(BIASED), T::HALF);
        let shifted = x.times_plus::<M>(T::of(-2.0 * LOG2_E), biased);
        let p = T::from_bits(shifted.to_bits() << T::MANTISSA);
        // One product is enough: where `k` is large, an error of `r` doesn't reach the result.
        let r = (shifted - biased).times_plus::<M>(T::of(LN_2 / 2.0), x);
        // `(c - 1) / z`, which gives `c` within 2^-28.
        let z = r * r;
        let q = z.times_plus::<M>(T::of(-0.022_133_917), T::of(0.333_332_5));
        let d = z.times_plus::<M>(q, T::ONE - r);
        let above = p.times_plus::<M>(-half, half).times_plus::<M>(d, r);
        let difference = p * d;
        // A sum in both cases: if the code chose between two results, the compiler would make two divisions.
        let (whole, part) = if x > T::ONE {
            (T::ONE, -difference)
        } else {
            (T::ZERO, above)
        };
        whole + part / (above + difference)
    }

    #[inline(always)]
    fn sinh_series<T: Real<Plain = Self>, M: MulAdd>(z: T) -> T {
        // Within 2^-27 of sinh(x).
        z.polynomial::<M, 4>([1.666_666_7e-1, 8.333_35e-3, 1.983_616e-4, 2.816_951e-6])
    }
}

impl Hyperbolic for f64 {
    /// A series for small numbers, else `1 - 2 / (exp(2x) + 1)` (Cephes).
    #[inline(always)]
    fn tanh_of_positive<T: Exponential<Plain = Self>, M: MulAdd>(x: T) -> T {
        let z = x * x;
        // Within 2^-56 of tanh(x).
        let series = z.polynomial::<M, 12>([
            -0.333_333_333_333_333_15,
            0.133_333_333_333_297_42,
            -0.053_968_253_966_058_914,
            0.021_869_488_468_715_385,
            -0.008_863_234_312_575_985,
            0.003_592_113_999_842_890_4,
            -0.001_455_725_947_865_224_8,
            5.894_517_982_664_026e-4,
            -2.370_117_288_766_769_8e-4,
            9.155_841_062_131_727e-5,
            -3.018_722_036_276_735e-5,
            6.042_468_659_787_153e-6,
        ]);
        let small = (x * z).times_plus::<M>(series, x);
        let large = T::ONE - T::TWO / exp_plus_one::<T, M>(x + x);
        if x < T::of(0.625) { small } else { large }
    }

    #[inline(always)]
    fn sinh_series<T: Real<Plain = Self>, M: MulAdd>(z: T) -> T {
        // Within 2^-56 of sinh(x).
        z.polynomial::<M, 7>([
            0.166_666_666_666_666_7,
            0.008_333_333_333_333_148,
            1.984_126_984_143_187_3e-4,
            2.755_731_915_707_178e-6,
            2.505_212_313_673_461e-8,
            1.605_725_976_814_648_3e-10,
            7.758_748_809_592_588e-13,
        ])
    }
}

/// The hyperbolic tangent, which is odd and 1 for large numbers.
#[inline(always)]
pub(super) fn tanh<T: Hyperbolic, M: MulAdd>(x: T) -> T {
    let magnitude = x.abs();
    let limited = if magnitude > T::NEGLIGIBLE {
        T::NEGLIGIBLE
    } else {
        magnitude
    };
    T::tanh_of_positive::<T, M>(limited).with_sign(x)
}

/// The hyperbolic sine: a series below 1, else `(exp(|x|) - exp(-|x|)) / 2`.
#[inline(always)]
pub(super) fn sinh<T: Hyperbolic, M: MulAdd>(x: T) -> T {
    let magnitude = x.abs();
    let z = x * x;
    let small = (magnitude * z).times_plus::<M>(T::sinh_series::<T, M>(z), magnitude);
    let half = half_exp::<T, M>(magnitude);
    let large = half - T::HALF * T::HALF / half;
    let result = if magnitude < T::ONE { small } else { large };
    result.with_sign(x)
}

/// The hyperbolic cosine: `(exp(|x|) + exp(-|x|)) / 2`.
#[inline(always)]
pub(super) fn cosh<T: Hyperbolic, M: MulAdd>(x: T) -> T {
    let half = half_exp::<T, M>(x.abs());
    half + T::HALF * T::HALF / half
}
