//! The error function.
//!
//! Near 0 it is `x + x s(x^2)`; else `1 - erfc(|x|)`, where `erfc` needs few digits because it is small compared to 1. The polynomials
//! are minimax for the error of the result (computed by Remez' exchange for this file).

use super::exp::{Exponential, exp};
use super::real::Real;
use crate::simd::MulAdd;

/// The constants and polynomials of one float type.
pub(crate) trait ErrorFunction: Exponential {
    /// Below this magnitude the series is used.
    const SERIES: Self;
    /// From this magnitude on the result is 1.
    const ONE_FROM: Self;
    /// `erf(x) / x - 1` for `z = x^2`.
    fn erf_series<T: Real<Plain = Self::Plain>, M: MulAdd>(z: T) -> T;
    /// `1 - erf(x)` for `x` between `SERIES` and `ONE_FROM`.
    fn complement<T: Exponential<Plain = Self::Plain>, M: MulAdd>(x: T) -> T;
}

impl ErrorFunction for f32 {
    const SERIES: Self = 0.85;
    const ONE_FROM: Self = 4.0;

    #[inline(always)]
    fn erf_series<T: Real<Plain = Self>, M: MulAdd>(z: T) -> T {
        // Within 2^-26 of erf(x).
        z.polynomial::<M, 6>([
            1.283_791_7e-1,
            -3.761_257_2e-1,
            1.128_271_74e-1,
            -2.680_254_7e-2,
            5.051_094_6e-3,
            -6.315_129e-4,
        ])
    }

    /// The exponential of a polynomial (after N. Juffa).
    #[inline(always)]
    fn complement<T: Exponential<Plain = Self>, M: MulAdd>(x: T) -> T {
        exp::<T, M>(x.polynomial::<M, 8>([
            1.541_936_4e-4,
            -1.129_414_1,
            -6.335_552_3e-1,
            -1.080_461_5e-1,
            2.496_532_7e-2,
            -4.111_56e-3,
            4.219_999_2e-4,
            -2.000_337e-5,
        ]))
    }
}

impl ErrorFunction for f64 {
    const SERIES: Self = 1.0;
    const ONE_FROM: Self = 6.0;

    #[inline(always)]
    fn erf_series<T: Real<Plain = Self>, M: MulAdd>(z: T) -> T {
        // Within 2^-56 of erf(x).
        z.polynomial::<M, 12>([
            0.128_379_167_095_512_56,
            -0.376_126_389_031_834_1,
            0.112_837_916_709_421_21,
            -0.026_866_170_643_086_67,
            0.005_223_977_607_701_71,
            -8.548_326_064_102_055e-4,
            1.205_529_879_735_960_4e-4,
            -1.492_482_780_484_142_7e-5,
            1.644_867_938_020_949_3e-6,
            -1.621_876_185_354_032e-7,
            1.376_635_552_375_576_5e-8,
            -7.884_334_259_187_75e-10,
        ])
    }

    /// `exp(-x^2)` times a polynomial in `(x - 3) / (x + 3)`, in which `exp(x^2) erfc(x)` is smooth (Shepherd and
    /// Laframboise, Math. Comp. 36, 1981).
    #[inline(always)]
    fn complement<T: Exponential<Plain = Self>, M: MulAdd>(x: T) -> T {
        let t = (x - T::of(3.0)) / (x + T::of(3.0));
        let scaled = t.polynomial::<M, 14>([
            0.179_001_151_181_390_3,
            -0.326_233_560_043_043_94,
            0.245_603_801_712_018_7,
            -0.150_115_936_500_797_46,
            0.071_665_837_235_410_98,
            -0.024_392_499_180_949_368,
            0.004_269_135_126_185_76,
            7.077_388_651_004_571e-4,
            -5.970_572_544_311_032e-4,
            4.537_779_305_618_211_5e-5,
            6.429_365_892_712_75e-5,
            -1.324_563_581_304_971_4e-5,
            -1.001_765_433_165_067_2e-5,
            -6.877_688_900_873_888e-7,
        ]);
        exp::<T, M>(-x * x) * scaled
    }
}

/// The error function.
#[inline(always)]
pub(super) fn erf<T: ErrorFunction, M: MulAdd>(x: T) -> T {
    let magnitude = x.abs();
    let small = magnitude.times_plus::<M>(T::erf_series::<T, M>(x * x), magnitude);
    let limited = if magnitude > T::ONE_FROM {
        T::ONE_FROM
    } else {
        magnitude
    };
    let large = T::ONE - T::complement::<T, M>(limited);
    let result = if magnitude < T::SERIES { small } else { large };
    result.with_sign(x)
}
