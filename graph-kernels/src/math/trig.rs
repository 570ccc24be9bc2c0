//! Sine, cosine and tangent.
//!
//! `x = n pi/2 + r` with an integer `n` and `|r| <= pi/4`, by subtracting `n pi/2` in parts whose products with `n` are exact (Cody and
//! Waite). This is exact up to the limit `NEAR`; beyond it the quotient has more digits than a float, and the library's function, which
//! branches, is used. So a loop first checks that a whole block of numbers is near, and then calls the functions `near_*`, which
//! vectorize.

use super::real::Real;
use crate::simd::MulAdd;

/// The constants and the argument reduction of one float type.
pub(super) trait Angle: Real {
    /// The greatest magnitude that the functions `near_*` can calculate.
    const NEAR: Self;
    /// The sine and the cosine of the distance to the nearest multiple of a right angle, and the number of that multiple in the low bits
    /// of an `f64`'s bit pattern.
    fn turned<M: MulAdd>(self) -> (f64, f64, u64);
    fn rounded(value: f64) -> Self;
}

impl Angle for f32 {
    const NEAR: Self = 268_435_456.0;

    /// Calculated in `f64`, which has enough digits for what the subtraction cancels.
    #[inline(always)]
    fn turned<M: MulAdd>(self) -> (f64, f64, u64) {
        let x = f64::from(self);
        let (n, quarters) = nearest_right_angle::<M>(x);
        let r = n.times_plus::<M>(-1.589_325_477_352_819_6e-8, x - n * 1.570_796_310_901_641_8);
        let z = r * r;
        // The sine within 2^-37 and the cosine within 2^-33.
        let s = z.polynomial::<M, 4>([
            -0.166_666_666_405_886_18,
            0.008_333_329_280_567_656,
            -1.983_930_441_943_245_2e-4,
            2.718_046_390_450_819_3e-6,
        ]);
        let c = z.polynomial::<M, 3>([
            0.041_666_645_559_605_45,
            -0.001_388_731_011_951_435_8,
            2.443_244_015_533_698_5e-5,
        ]);
        let sin = r * z.times_plus::<M>(s, 1.0);
        let cos = (z * z).times_plus::<M>(c, z.times_plus::<M>(-0.5, 1.0));
        (sin, cos, quarters)
    }

    #[inline(always)]
    fn rounded(value: f64) -> Self {
        value as f32
    }
}

impl Angle for f64 {
    const NEAR: Self = 1_048_576.0;

    #[inline(always)]
    fn turned<M: MulAdd>(self) -> (f64, f64, u64) {
        let (n, quarters) = nearest_right_angle::<M>(self);
        // The three products of 20 and 33 bits are exact, and so are the first difference and the errors of the others.
        let first = self - n * 1.570_796_326_734_125_6;
        let (second, lost) = difference(first, n * 6.077_100_506_303_966e-11);
        let (third, lost_too) = difference(second, n * 2.022_266_248_711_166_5e-21);
        let rest = (lost + lost_too) - n * 8.478_427_660_368_9e-32;
        let r = third + rest;
        let low = (third - r) + rest;
        (sin_kernel::<M>(r, low), cos_kernel::<M>(r, low), quarters)
    }

    #[inline(always)]
    fn rounded(value: f64) -> Self {
        value
    }
}

/// `x` divided by a right angle, rounded to the nearest integer: as a float, and in the low bits.
#[inline(always)]
fn nearest_right_angle<M: MulAdd>(x: f64) -> (f64, u64) {
    let shifted = x.times_plus::<M>(std::f64::consts::FRAC_2_PI, f64::ROUNDER);
    (shifted - f64::ROUNDER, shifted.to_bits())
}

/// `value`, negated in the third and fourth quarter.
#[inline(always)]
fn signed(value: f64, quarters: u64) -> f64 {
    f64::from_bits(value.to_bits() ^ ((quarters & 2) << 62))
}

/// `a - b`, and the rounding error of the difference (Knuth).
#[inline(always)]
fn difference(a: f64, b: f64) -> (f64, f64) {
    let difference = a - b;
    let of_b = difference - a;
    (difference, (a - (difference - of_b)) - (b + of_b))
}

/// `sin(r + low)` for `|r| <= pi/4` (FreeBSD's msun), within 2^-57.
#[inline(always)]
fn sin_kernel<M: MulAdd>(r: f64, low: f64) -> f64 {
    const CUBIC: f64 = -0.166_666_666_666_666_3;
    let z = r * r;
    let cube = z * r;
    let rest = z.polynomial::<M, 5>([
        0.008_333_333_333_321_84,
        -1.984_126_982_935_852_5e-4,
        2.755_731_353_850_792_3e-6,
        -2.505_073_438_705_433e-8,
        1.589_543_308_553_008_6e-10,
    ]);
    r - ((z * (0.5 * low - cube * rest) - low) - cube * CUBIC)
}

/// `cos(r + low)` for `|r| <= pi/4` (FreeBSD's msun), within 2^-63.
#[inline(always)]
fn cos_kernel<M: MulAdd>(r: f64, low: f64) -> f64 {
    let z = r * r;
    let rest = z.polynomial::<M, 6>([
        0.041_666_666_666_666_595,
        -0.001_388_888_888_887_330_7,
        2.480_158_728_896_529_5e-5,
        -2.755_731_420_312_147_4e-7,
        2.087_570_314_848_066_3e-9,
        -1.135_861_762_365_296e-11,
    ]);
    let half = 0.5 * z;
    let most = 1.0 - half;
    most + (((1.0 - most) - half) + (z * z * rest - r * low))
}

/// True if the magnitude is at most `NEAR`.
#[inline(always)]
pub(super) fn is_near<T: Angle>(x: T) -> bool {
    x.abs() <= T::NEAR
}

/// The sine.
#[inline(always)]
pub(super) fn near_sin<T: Angle, M: MulAdd>(x: T) -> T {
    let (sin, cos, quarters) = x.turned::<M>();
    let result = T::rounded(signed(if quarters & 1 == 0 { sin } else { cos }, quarters));
    // A zero keeps its sign.
    if x == T::ZERO { x } else { result }
}

/// The cosine.
#[inline(always)]
pub(super) fn near_cos<T: Angle, M: MulAdd>(x: T) -> T {
    let (sin, cos, quarters) = x.turned::<M>();
    let value = if quarters & 1 == 0 { cos } else { sin };
    T::rounded(signed(value, quarters.wrapping_add(1)))
}

/// The tangent.
#[inline(always)]
pub(super) fn near_tan<T: Angle, M: MulAdd>(x: T) -> T {
    let (sin, cos, quarters) = x.turned::<M>();
    let even = quarters & 1 == 0;
    let (numerator, denominator) = if even { (sin, cos) } else { (-cos, sin) };
    let result = T::rounded(numerator / denominator);
    if x == T::ZERO { x } else { result }
}
