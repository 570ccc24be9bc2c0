//! Errors of the functions in units in the last place, over numbers of all magnitudes.

use super::reference::Exact;
use crate::math::Math;
use crate::simd::{Fused, Unfused};

/// A generator that gives the same numbers in every run (xorshift).
struct Random(u64);

impl Random {
    /// A number between 0 and 1.
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Numbers in a range: spread evenly, of every magnitude, and near 0 and 1, where most formulas change.
    fn within(&mut self, [low, high]: [f64; 2]) -> f64 {
        loop {
            let kind = self.unit() * 4.0;
            let sign = if self.unit() < 0.5 { -1.0 } else { 1.0 };
            let u = self.unit();
            let x = match kind as u8 {
                0 => low / 2.0 + u * (high / 2.0 - low / 2.0) + low / 2.0,
                1 => sign * 2f64.powf(u * 1900.0 - 900.0),
                2 => sign * u * 6.0,
                _ => 1.0 + sign * u * u,
            };
            if (low..=high).contains(&x) {
                return x;
            }
        }
    }
}

/// The greatest distance of a function of `f64` from the reference, and the argument with that distance.
fn worst_f64(
    within: [f64; 2],
    f: impl Fn(f64) -> f64,
    exact: impl Fn(Exact) -> Exact,
) -> (f64, f64) {
    let mut random = Random(88_172_645_463_325_252);
    let mut worst = (0.0, 0.0);
    for _ in 0..3000 {
        let x = random.within(within);
        let distance = exact(x.into()).distance(f(x));
        if distance > worst.0 || distance.is_nan() {
            worst = (distance, x);
        }
    }
    worst
}

/// The distance of a value from the exact one in units in the last place of `f32`; infinite if it is a wrong special value.
fn distance_f32(value: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if !nearest.is_finite() || !value.is_finite() || nearest == 0.0 && value == 0.0 {
        let same = nearest.to_bits() == value.to_bits() || nearest.is_nan() && value.is_nan();
        return if same { 0.0 } else { f64::INFINITY };
    }
    // The exponent of the exact value, read from its bits, or that of the smallest normal number.
    let exponent = (exact.to_bits() >> 52 & 0x7ff).max(1023 - 126);
    (f64::from(value) - exact).abs() / f64::from_bits((exponent - 23) << 52)
}

/// The greatest distances of functions of `f32` from that of `f64`, over every `stride`-th number of a range.
fn worst_f32<const N: usize>(
    stride: usize,
    within: [f64; 2],
    functions: [fn(f32) -> f32; N],
    exact: impl Fn(f64) -> f64,
) -> [(f64, f32); N] {
    let mut worst = [(0.0, 0.0); N];
    for bits in (0..=u32::MAX).step_by(stride) {
        let x = f32::from_bits(bits);
        if f64::from(x) < within[0] || f64::from(x) > within[1] {
            continue;
        }
        let exact = exact(f64::from(x));
        for (worst, f) in worst.iter_mut().zip(functions) {
            let distance = distance_f32(f(x), exact);
            if distance > worst.0 || distance.is_nan() {
                *worst = (distance, x);
            }
        }
    }
    worst
}

/// Two tests of a function: a sample for every run, and all numbers of `f32` for a release build.
macro_rules! bounds {
    ($($name:ident, f32 $bound32:literal, f64 $bound64:literal, f32 in $in32:expr, f64 in $in64:expr, $exact:expr;)*) => { $(
        mod $name {
            use super::*;

            fn check_f32(stride: usize) {
                let exact = <f64 as Math>::$name::<Unfused>;
                let functions = [<f32 as Math>::$name::<Fused>, <f32 as Math>::$name::<Unfused>];
                let worst = worst_f32(stride, $in32, functions, exact);
                for ((worst, x), how) in worst.into_iter().zip(["fused", "unfused"]) {
                    println!("{} of f32, {how}: {worst:.3} at {x:e}", stringify!($name));
                    assert!(worst <= $bound32, "{how}, f32: {worst} at {x:e}");
                }
            }

            #[test]
            fn is_within_bounds() {
                check_f32(100_003);
                let (worst, x) = worst_f64($in64, <f64 as Math>::$name::<Fused>, $exact);
                assert!(worst <= $bound64, "fused, f64: {worst} at {x:e}");
                let (worst, x) = worst_f64($in64, <f64 as Math>::$name::<Unfused>, $exact);
                assert!(worst <= $bound64, "unfused, f64: {worst} at {x:e}");
            }

            #[test]
            #[ignore = "takes a minute in a release build"]
            fn is_within_bounds_everywhere() {
                check_f32(1);
            }
        }
    )* };
}

const ALL: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

bounds! {
    exp, f32 1.1, f64 1.1, f32 in ALL, f64 in [-750.0, 750.0], Exact::exp;
    exp2, f32 1.1, f64 1.1, f32 in ALL, f64 in [-1075.0, 1025.0], Exact::exp2;
    expm1, f32 2.0, f64 2.5, f32 in ALL, f64 in [-750.0, 709.7], Exact::expm1;
    sigmoid, f32 2.5, f64 2.5, f32 in ALL, f64 in [-750.0, 750.0], Exact::sigmoid;
    sinh, f32 2.0, f64 2.0, f32 in ALL, f64 in [-700.0, 700.0], Exact::sinh;
    cosh, f32 2.0, f64 2.0, f32 in ALL, f64 in [-700.0, 700.0], Exact::cosh;
    tanh, f32 2.5, f64 1.5, f32 in ALL, f64 in ALL, Exact::tanh;
    log, f32 1.0, f64 1.0, f32 in ALL, f64 in [5e-324, f64::MAX], Exact::log;
    log2, f32 1.0, f64 2.0, f32 in ALL, f64 in [5e-324, f64::MAX], Exact::log2;
    log10, f32 1.0, f64 2.0, f32 in ALL, f64 in [5e-324, f64::MAX], Exact::log10;
    log1p, f32 1.5, f64 1.5, f32 in ALL, f64 in [-0.999_999, f64::MAX], Exact::log1p;
    softplus, f32 2.0, f64 2.0, f32 in ALL, f64 in [-750.0, 750.0], Exact::softplus;
    sin, f32 1.0, f64 1.0, f32 in ALL, f64 in [-1_048_576.0, 1_048_576.0], Exact::sin;
    cos, f32 1.0, f64 1.0, f32 in ALL, f64 in [-1_048_576.0, 1_048_576.0], Exact::cos;
    tan, f32 1.0, f64 2.5, f32 in ALL, f64 in [-1_048_576.0, 1_048_576.0], |x| x.sin() / x.cos();
    asin, f32 2.5, f64 2.5, f32 in ALL, f64 in [-0.999_999, 0.999_999], Exact::asin;
    acos, f32 1.5, f64 1.5, f32 in ALL, f64 in [-0.999_999, 0.999_999], Exact::acos;
    atan, f32 1.5, f64 1.5, f32 in ALL, f64 in [-1e15, 1e15], Exact::atan;
    asinh, f32 2.5, f64 2.5, f32 in ALL, f64 in [-1e140, 1e140], Exact::asinh;
    acosh, f32 2.5, f64 2.5, f32 in ALL, f64 in [1.000_000_1, 1e140], Exact::acosh;
    atanh, f32 2.5, f64 2.5, f32 in ALL, f64 in [-0.999_999, 0.999_999], Exact::atanh;
    erf, f32 1.5, f64 1.5, f32 in ALL, f64 in ALL, Exact::erf;
}

/// Bases of all kinds, with exponents for which the powers are spread over the range of the type.
fn powers(count: usize, range: [f64; 2], bases: [f64; 2]) -> Vec<(f64, f64)> {
    let mut random = Random(88_172_645_463_325_252);
    let pair = |_| {
        let x = random.within(bases);
        let y = (range[0] + (range[1] - range[0]) * random.unit()) / x.ln();
        (x, if y.is_finite() { y } else { 2.0 })
    };
    (0..count).map(pair).collect()
}

#[test]
fn powers_are_within_bounds() {
    for (x, y) in powers(3000, [-745.0, 709.7], [1e-320, 1e308]) {
        let exact = Exact::from(x).pow(y.into());
        for result in [Math::pow::<Fused>(x, y), Math::pow::<Unfused>(x, y)] {
            let distance = exact.distance(result);
            assert!(
                distance <= 1.5,
                "f64: {distance} at {x:e} to the power {y:e}"
            );
        }
    }
    for (x, y) in powers(30_000, [-104.0, 89.0], [1e-44, 1e38]) {
        let (x, y) = (x as f32, y as f32);
        let exact = Math::pow::<Unfused>(f64::from(x), f64::from(y));
        for result in [Math::pow::<Fused>(x, y), Math::pow::<Unfused>(x, y)] {
            let distance = distance_f32(result, exact);
            assert!(
                distance <= 1.0,
                "f32: {distance} at {x:e} to the power {y:e}"
            );
        }
    }
}

#[test]
fn angles_of_points_are_within_bounds() {
    let mut random = Random(88_172_645_463_325_252);
    for _ in 0..3000 {
        let (y, x) = (random.within([-1e15, 1e15]), random.within([-1e15, 1e15]));
        let exact = Exact::from(y).atan2(x.into());
        for result in [Math::atan2::<Fused>(y, x), Math::atan2::<Unfused>(y, x)] {
            let distance = exact.distance(result);
            assert!(distance <= 2.5, "f64: {distance} for ({x:e}, {y:e})");
        }
        let (y, x) = (y as f32, x as f32);
        let exact = Math::atan2::<Unfused>(f64::from(y), f64::from(x));
        for result in [Math::atan2::<Fused>(y, x), Math::atan2::<Unfused>(y, x)] {
            let distance = distance_f32(result, exact);
            assert!(distance <= 2.5, "f32: {distance} for ({x:e}, {y:e})");
        }
    }
}
