//! Hyperbolic functions. Near 0 they are series, elsewhere made of exponentials (Cephes). The polynomials are minimax
//! (computed by Remez' exchange for this file).

use super::MulAdd;
use super::exp::{Exponential, exp_plus_one, half_exp};
use super::real::Real;

/// The numbers of one float type.
pub(super) trait Hyperbolic: Exponential {
    /// Below this magnitude the series of the tangent is used; that of the sine below 1.
    const SERIES: Self;
    /// `(tanh(x) - x) / x^3` for `z = x^2`.
    fn tanh_series<M: MulAdd>(z: Self) -> Self;
    /// `(sinh(x) - x) / x^3` for `z = x^2`.
    fn sinh_series<M: MulAdd>(z: Self) -> Self;
}

impl Hyperbolic for f32 {
    const SERIES: Self = 0.625;

    #[inline(always)]
    fn tanh_series<M: MulAdd>(z: Self) -> Self {
        // Within 2^-28 of tanh(x).
        z.polynomial::<M, 6>([
            -3.333_333e-1,
            1.333_320_6e-1,
            -5.394_676_3e-2,
            2.170_070_3e-2,
            -8.177_396e-3,
            2.142_959_7e-3,
        ])
    }

    #[inline(always)]
    fn sinh_series<M: MulAdd>(z: Self) -> Self {
        // Within 2^-27 of sinh(x).
        z.polynomial::<M, 4>([1.666_666_7e-1, 8.333_35e-3, 1.983_616e-4, 2.816_951e-6])
    }
}

impl Hyperbolic for f64 {
    const SERIES: Self = 0.625;

    #[inline(always)]
    fn tanh_series<M: MulAdd>(z: Self) -> Self {
        // Within 2^-56 of tanh(x).
        z.polynomial::<M, 12>([
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
        ])
    }

    #[inline(always)]
    fn sinh_series<M: MulAdd>(z: Self) -> Self {
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

/// A series for small numbers, else `1 - 2 / (exp(2|x|) + 1)` (Cephes).
#[inline(always)]
pub(super) fn tanh<T: Hyperbolic, M: MulAdd>(x: T) -> T {
    let magnitude = x.abs();
    let z = x * x;
    let small = (magnitude * z).times_plus::<M>(T::tanh_series::<M>(z), magnitude);
    let limited = if magnitude > T::NEGLIGIBLE {
        T::NEGLIGIBLE
    } else {
        magnitude
    };
    let large = T::ONE - T::TWO / exp_plus_one::<T, M>(limited + limited);
    let result = if magnitude < T::SERIES { small } else { large };
    result.with_sign(x)
}

/// A series below 1, else `(exp(|x|) - exp(-|x|)) / 2`.
#[inline(always)]
pub(super) fn sinh<T: Hyperbolic, M: MulAdd>(x: T) -> T {
    let magnitude = x.abs();
    let z = x * x;
    let small = (magnitude * z).times_plus::<M>(T::sinh_series::<M>(z), magnitude);
    let half = half_exp::<T, M>(magnitude);
    let large = half - T::HALF * T::HALF / half;
    let result = if magnitude < T::ONE { small } else { large };
    result.with_sign(x)
}

/// `(exp(|x|) + exp(-|x|)) / 2`.
#[inline(always)]
pub(super) fn cosh<T: Hyperbolic, M: MulAdd>(x: T) -> T {
    let half = half_exp::<T, M>(x.abs());
    half + T::HALF * T::HALF / half
}
