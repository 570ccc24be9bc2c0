//! Inverses of the trigonometric and the hyperbolic functions. The reductions are those of Cephes, the polynomials
//! minimax (computed by Remez' exchange for this file).

use super::log::{Logarithm, log1p};
use super::real::Real;
use crate::simd::MulAdd;

/// The constants and polynomials of one float type.
pub(crate) trait Inverse: Logarithm {
    /// `pi / 4` as a sum.
    const QUARTER_PI: [Self; 2];
    /// `(atan(t) - t) / t^3` for `z = t^2` up to 1/4.
    fn atan_series<T: Real<Plain = Self::Plain>, M: MulAdd>(z: T) -> T;
    /// `(asin(s) - s) / s^3` for `z = s^2` up to 1/4.
    fn asin_series<T: Real<Plain = Self::Plain>, M: MulAdd>(z: T) -> T;
}

impl Inverse for f32 {
    const QUARTER_PI: [Self; 2] = [std::f32::consts::FRAC_PI_4, -2.185_569_4e-8];

    #[inline(always)]
    fn atan_series<T: Real<Plain = Self>, M: MulAdd>(z: T) -> T {
        // Within 2^-27 of atan(t).
        z.polynomial::<M, 6>([
            -3.333_332_8e-01,
            1.999_948_9e-01,
            -1.427_206e-01,
            1.094_081_8e-01,
            -7.983_401_4e-02,
            3.871_345e-02,
        ])
    }

    #[inline(always)]
    fn asin_series<T: Real<Plain = Self>, M: MulAdd>(z: T) -> T {
        // Within 2^-27 of asin(s).
        z.polynomial::<M, 5>([
            1.666_675_2e-01,
            7.495_288_6e-02,
            4.547_159e-02,
            2.417_303e-02,
            4.217_809_4e-02,
        ])
    }
}

impl Inverse for f64 {
    const QUARTER_PI: [Self; 2] = [std::f64::consts::FRAC_PI_4, 3.061_616_997_868_383e-17];

    #[inline(always)]
    fn atan_series<T: Real<Plain = Self>, M: MulAdd>(z: T) -> T {
        // Within 2^-57 of atan(t).
        z.polynomial::<M, 14>([
            -0.333_333_333_333_333_3,
            0.199_999_999_999_995_38,
            -0.142_857_142_856_547_33,
            0.111_111_111_072_325_16,
            -0.090_909_089_408_125_74,
            0.076_923_039_219_273_24,
            -0.066_666_018_036_295_34,
            0.058_815_629_275_575_48,
            -0.052_562_118_675_735_33,
            0.047_174_293_284_326_915,
            -0.041_405_406_660_622_04,
            0.033_033_052_181_729_6,
            -0.020_435_219_676_281_514,
            0.006_929_648_508_247_152,
        ])
    }

    #[inline(always)]
    fn asin_series<T: Real<Plain = Self>, M: MulAdd>(z: T) -> T {
        // Within 2^-57 of asin(s).
        z.polynomial::<M, 13>([
            0.166_666_666_666_667_6,
            0.074_999_999_999_706_32,
            0.044_642_857_174_779_92,
            0.030_381_942_699_351_936,
            0.022_372_215_235_045_078,
            0.017_351_607_401_968_745,
            0.013_980_877_752_219_11,
            0.011_398_429_032_953_978,
            0.010_783_043_387_937_691,
            0.003_695_564_830_305_550_6,
            0.021_734_552_407_861_953,
            -0.021_038_420_794_412_125,
            0.032_653_851_283_976_01,
        ])
    }
}

/// The arc tangent of a number that isn't negative: by `atan(a) = pi/4 + atan((a - 1) / (a + 1))` between 1/2 and 2, and `atan(a) = pi/2
/// - atan(1 / a)` above.
#[inline(always)]
fn atan_of_positive<T: Inverse, M: MulAdd>(a: T) -> T {
    let (from_half, from_two) = (a > T::HALF, a > T::TWO);
    let numerator = if from_half { a - T::ONE } else { a };
    let denominator = if from_half { a + T::ONE } else { T::ONE };
    let numerator = if from_two { -T::ONE } else { numerator };
    let denominator = if from_two { a } else { denominator };
    let quarters = if from_half { T::ONE } else { T::ZERO };
    let quarters = if from_two { T::TWO } else { quarters };

    let t = numerator / denominator;
    let z = t * t;
    let rest = (t * z).times_plus::<M>(T::atan_series::<T, M>(z), quarters * T::QUARTER_PI[1]);
    quarters * T::QUARTER_PI[0] + (t + rest)
}

/// The arc tangent.
#[inline(always)]
pub(super) fn atan<T: Inverse, M: MulAdd>(x: T) -> T {
    atan_of_positive::<T, M>(x.abs()).with_sign(x)
}

/// The angle of the point (`x`, `y`).
#[inline(always)]
pub(super) fn atan2<T: Inverse, M: MulAdd>(y: T, x: T) -> T {
    let ratio = y.abs() / x.abs();
    let ratio = if (x == T::ZERO) & (y == T::ZERO) {
        T::ZERO
    } else {
        ratio
    };
    let infinite = (x.abs() == T::INFINITY) & (y.abs() == T::INFINITY);
    let ratio = if infinite { T::ONE } else { ratio };
    let angle = atan_of_positive::<T, M>(ratio);
    // A negative zero of `x` matters only where the angle would be zero.
    let left = (T::ONE.with_sign(x) < T::ZERO) & ((x < T::ZERO) | (y == T::ZERO));
    let result = if left {
        multiple_less::<T>(T::TWO + T::TWO, angle)
    } else {
        angle
    };
    result.with_sign(y)
}

/// `quarters * pi / 4 - angle`.
#[inline(always)]
fn multiple_less<T: Inverse>(quarters: T, angle: T) -> T {
    quarters * T::QUARTER_PI[0] - (angle - quarters * T::QUARTER_PI[1])
}

/// For a magnitude up to 1/2: its arc sine, and true. Above: the arc sine of `sqrt((1 - magnitude) / 2)`, which is half the arc cosine of
/// the magnitude, and false.
#[inline(always)]
fn half_arc<T: Inverse, M: MulAdd>(magnitude: T) -> (T, bool) {
    let low = magnitude <= T::HALF;
    let z = if low {
        magnitude * magnitude
    } else {
        (T::ONE - magnitude) * T::HALF
    };
    let s = if low { magnitude } else { z.sqrt() };
    ((s * z).times_plus::<M>(T::asin_series::<T, M>(z), s), low)
}

/// The arc sine.
#[inline(always)]
pub(super) fn asin<T: Inverse, M: MulAdd>(x: T) -> T {
    let (arc, low) = half_arc::<T, M>(x.abs());
    let result = if low {
        arc
    } else {
        multiple_less(T::TWO, arc + arc)
    };
    result.with_sign(x)
}

/// The arc cosine.
#[inline(always)]
pub(super) fn acos<T: Inverse, M: MulAdd>(x: T) -> T {
    let (arc, low) = half_arc::<T, M>(x.abs());
    let negative = x < T::ZERO;
    let from_end = if negative {
        multiple_less(T::TWO + T::TWO, arc + arc)
    } else {
        arc + arc
    };
    if low {
        multiple_less(T::TWO, arc.with_sign(x))
    } else {
        from_end
    }
}

/// The inverse of the hyperbolic sine, `log(x + sqrt(x^2 + 1))`.
#[inline(always)]
pub(super) fn asinh<T: Inverse, M: MulAdd>(x: T) -> T {
    let a = x.abs();
    let square = a * a;
    let less_one = a + square / (T::ONE + (square + T::ONE).sqrt());
    log_of_double::<T, M>(a, less_one).with_sign(x)
}

/// The inverse of the hyperbolic cosine, `log(x + sqrt(x^2 - 1))`.
#[inline(always)]
pub(super) fn acosh<T: Inverse, M: MulAdd>(x: T) -> T {
    let above = x - T::ONE;
    let less_one = above + (above + above + above * above).sqrt();
    let result = log_of_double::<T, M>(x, less_one);
    if x < T::ONE { T::NAN } else { result }
}

/// `log1p(less_one)`, or `log(2 a)` for a large `a`, for which `less_one` may have overflowed.
#[inline(always)]
fn log_of_double<T: Inverse, M: MulAdd>(a: T, less_one: T) -> T {
    let large = a > T::INTEGERS_FROM;
    let result = log1p::<T, M>(if large { a } else { less_one });
    if large {
        result + (T::LN_2[0] + T::LN_2[1])
    } else {
        result
    }
}

/// The inverse of the hyperbolic tangent, `log((1 + x) / (1 - x)) / 2`.
#[inline(always)]
pub(super) fn atanh<T: Inverse, M: MulAdd>(x: T) -> T {
    let a = x.abs();
    (T::HALF * log1p::<T, M>((a + a) / (T::ONE - a))).with_sign(x)
}
