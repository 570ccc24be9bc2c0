//! The hyperbolic tangent.

use super::MulAdd;
use super::exp::{Exponential, exp_plus_one};
use super::real::Real;

/// The numbers of one float type.
pub(super) trait Hyperbolic: Exponential {
    /// Below this magnitude the series is used.
    const SERIES: Self;
    /// `(tanh(x) - x) / x^3` for `z = x^2` (minimax, computed by Remez' exchange for this file).
    fn tanh_series<M: MulAdd>(z: Self) -> Self;
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
