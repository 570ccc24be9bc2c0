//! The exponential and the functions made of it.
//!
//! Cody and Waite: `x = k ln 2 + r` with an integer `k` and `|r| <= ln 2 / 2`, where `k ln 2` is subtracted in two
//! parts, the first of which has so few bits that its product with `k` is exact. Then `exp(x) = 2^k exp(r)`, and
//! `exp(r) - 1 = r + r^2 q(r)` with a minimax polynomial `q` (computed by Remez' exchange for this file).

use super::{MulAdd, real::Real};

/// The constants and polynomials of one float type.
pub(crate) trait Exponential: Real {
    const LOG2_E: Self;
    /// Numbers outside have the exponential of the nearer limit: zero below, infinity above. At the lower limit already the power of two is
    /// zero. Were it only so small that the product with it is rounded to zero, a CPU may take a hundred cycles for it.
    const DOMAIN: [Self; 2];
    /// The same limits for powers of two.
    const DOMAIN_2: [Self; 2];
    /// The lower limit of [`exp_down`]: -63 less the exponent of the smallest power of two.
    const LOWEST_LIFTED: Self;
    /// Above this magnitude `exp(-x)` is negligible compared to 1.
    const NEGLIGIBLE: Self;
    /// Below this `exp(x) - 1` is `x`.
    const TINY: Self;
    /// `r + r^2 q(r)`.
    fn series<T: Real<Plain = Self::Plain>, M: MulAdd>(r: T) -> T;
}

impl Exponential for f32 {
    const LOG2_E: Self = std::f32::consts::LOG2_E;
    const DOMAIN: [Self; 2] = [-176.0, 88.8];
    const DOMAIN_2: [Self; 2] = [-254.0, 129.0];
    const LOWEST_LIFTED: Self = -131.6;
    const NEGLIGIBLE: Self = 20.0;
    const TINY: Self = 1e-10;

    #[inline(always)]
    fn series<T: Real<Plain = Self>, M: MulAdd>(r: T) -> T {
        // Within 2^-28 of exp(r).
        let q = r.polynomial::<M, 5>([
            4.999_999_4e-1,
            1.666_651_7e-1,
            4.166_810_6e-2,
            8.369_139e-3,
            1.383_671_1e-3,
        ]);
        (r * r).times_plus::<M>(q, r)
    }
}

impl Exponential for f64 {
    const LOG2_E: Self = std::f64::consts::LOG2_E;
    const DOMAIN: [Self; 2] = [-1418.0, 709.8];
    const DOMAIN_2: [Self; 2] = [-2046.0, 1025.0];
    const LOWEST_LIFTED: Self = -752.7;
    const NEGLIGIBLE: Self = 40.0;
    const TINY: Self = 1e-20;

    #[inline(always)]
    fn series<T: Real<Plain = Self>, M: MulAdd>(r: T) -> T {
        // Within 2^-57 of exp(r).
        let q = r.polynomial::<M, 10>([
            0.500_000_000_000_001_1,
            0.166_666_666_666_664_3,
            0.041_666_666_666_525_66,
            0.008_333_333_333_479_668,
            0.001_388_888_894_492_458,
            0.000_198_412_695_465_238_6,
            2.480_149_165_619_310_6e-5,
            2.755_754_401_426_475_6e-6,
            2.763_080_566_659_873_4e-7,
            2.501_577_052_709_439_5e-8,
        ]);
        (r * r).times_plus::<M>(q, r)
    }
}

/// `r`, and `k` in the low bits of a number; `x` is `k ln 2 + r`.
#[inline(always)]
fn remainder<T: Exponential, M: MulAdd>(x: T) -> (T, T) {
    let shifted = x.times_plus::<M>(T::LOG2_E, T::ROUNDER);
    let k = shifted - T::ROUNDER;
    (
        k.times_plus::<M>(-T::LN_2[1], k.times_plus::<M>(-T::LN_2[0], x)),
        shifted,
    )
}

/// `exp(r) - 1`, and `k` in the low bits of a number.
#[inline(always)]
fn reduced<T: Exponential, M: MulAdd>(x: T) -> (T, T) {
    let (r, shifted) = remainder::<T, M>(x);
    (T::series::<T, M>(r), shifted)
}

/// `x` limited to the range from `low` to `high`. NaN stays.
#[inline(always)]
pub(super) fn clamped<T: Real>(x: T, low: T, high: T) -> T {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `e` to the power `x`.
#[inline(always)]
pub(super) fn exp<T: Exponential, M: MulAdd>(x: T) -> T {
    let (less_one, shifted) = reduced::<T, M>(clamped(x, T::DOMAIN[0], T::DOMAIN[1]));
    (T::ONE + less_one).scaled(shifted)
}

/// `e` to the power `x` for `x <= 0`: the bits of [`exp`] in fewer steps.
#[inline(always)]
pub(super) fn exp_down<T: Exponential, M: MulAdd>(x: T) -> T {
    exp_down_lifted::<T, M>(x) * T::ROUNDER_DOWN.1
}

/// 2^63 times `e` to the power `x` for `x <= 0`: [`exp_down`] before its last step.
#[inline(always)]
pub(super) fn exp_down_lifted<T: Exponential, M: MulAdd>(x: T) -> T {
    let x = if x < T::LOWEST_LIFTED {
        T::LOWEST_LIFTED
    } else {
        x
    };
    let shifted = x.times_plus::<M>(T::LOG2_E, T::ROUNDER_DOWN.0);
    let k = shifted - T::ROUNDER_DOWN.0;
    let r = k.times_plus::<M>(-T::LN_2[1], k.times_plus::<M>(-T::LN_2[0], x));
    (T::ONE + T::series::<T, M>(r)).scaled_down(shifted)
}

/// Two to the power `x`. The whole part of `x` is the exponent.
#[inline(always)]
pub(super) fn exp2<T: Exponential, M: MulAdd>(x: T) -> T {
    let x = clamped(x, T::DOMAIN_2[0], T::DOMAIN_2[1]);
    let shifted = x + T::ROUNDER;
    let r = (x - (shifted - T::ROUNDER)) * (T::LN_2[0] + T::LN_2[1]);
    (T::ONE + T::series::<T, M>(r)).scaled(shifted)
}

/// Half of `exp(x)`, which overflows a little later than `exp(x)` itself.
#[inline(always)]
pub(super) fn half_exp<T: Exponential, M: MulAdd>(x: T) -> T {
    let (less_one, shifted) =
        reduced::<T, M>(clamped(x, T::DOMAIN[0] + T::ONE, T::DOMAIN[1] + T::ONE));
    (T::ONE + less_one).scaled(shifted - T::ONE)
}

/// `exp(x + low)` for an `x` in the domain and a `low` that is small compared to `x`.
#[inline(always)]
pub(super) fn exp_of_sum<T: Exponential, M: MulAdd>(x: T, low: T) -> T {
    let (r, shifted) = remainder::<T, M>(x);
    (T::ONE + T::series::<T, M>(r + low)).scaled(shifted)
}

/// `exp(x) + 1` for an `x` whose exponential is a normal number.
#[inline(always)]
pub(super) fn exp_plus_one<T: Exponential, M: MulAdd>(x: T) -> T {
    let (less_one, shifted) = reduced::<T, M>(x);
    let power = T::power_of_two(shifted);
    power.times_plus::<M>(less_one, power + T::ONE)
}

/// `exp(x) - 1`. Half the power of two is used, because the power itself overflows before the result does.
#[inline(always)]
pub(super) fn expm1<T: Exponential, M: MulAdd>(x: T) -> T {
    let (less_one, shifted) = reduced::<T, M>(clamped(x, -T::NEGLIGIBLE, T::DOMAIN[1]));
    let half = T::power_of_two(shifted - T::ONE);
    let result = T::TWO * half.times_plus::<M>(less_one, half - T::HALF);
    // Half of a subnormal number isn't always representable, and zero keeps its sign.
    if x.abs() < T::TINY { x } else { result }
}

/// `1 / (1 + exp(-x))`, made from `exp(-|x|)`, which can't overflow and keeps its digits where the result is small.
#[inline(always)]
pub(super) fn sigmoid<T: Exponential, M: MulAdd>(x: T) -> T {
    let e = exp_down::<T, M>(-x.abs());
    let numerator = if x < T::ZERO { e } else { T::ONE };
    numerator / (T::ONE + e)
}
