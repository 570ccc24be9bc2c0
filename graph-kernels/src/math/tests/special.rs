//! The values that C99's Annex F names, the ends of the ranges, and numbers too small for the reference.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use crate::math::Math;
use crate::simd::{Fused, MulAdd, Unfused};

/// `f(x)` equals the number, for both types, fused and unfused; NaN equals NaN, and the signs of zeros count.
macro_rules! values {
    ($($test:ident: $name:ident { $($x:expr => $expected:expr),* $(,)? })*) => { $(
        #[test]
        fn $test() {
            for (x, expected) in [$(($x as f64, $expected as f64)),*] {
                let (narrow, nearest) = (x as f32, expected as f32);
                check(x, expected, [Math::$name::<Fused>(x), Math::$name::<Unfused>(x)]);
                let results = [Math::$name::<Fused>(narrow), Math::$name::<Unfused>(narrow)];
                check(f64::from(narrow), f64::from(nearest), results.map(f64::from));
            }
        }
    )* };
}

#[track_caller]
fn check(x: f64, expected: f64, results: [f64; 2]) {
    for result in results {
        let same = result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan();
        assert!(same, "{result:e} at {x:e}, {expected:e} expected");
    }
}

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

values! {
    exp_special: exp { 0 => 1, -0.0 => 1, INF => INF, -INF => 0, NAN => NAN, 800 => INF, -800 => 0, 1e30 => INF }
    exp2_special: exp2 { 0 => 1, 3 => 8, -1 => 0.5, -100 => 7.888_609_052_210_118e-31, 1025 => INF, -1200 => 0, INF => INF,
        -INF => 0, NAN => NAN }
    sinh_special: sinh { 0 => 0, -0.0 => -0.0, INF => INF, -INF => -INF, NAN => NAN, -720 => -INF }
    cosh_special: cosh { 0 => 1, -0.0 => 1, INF => INF, -INF => INF, NAN => NAN, -720 => INF }
    expm1_special: expm1 { 0 => 0, -0.0 => -0.0, INF => INF, -INF => -1, NAN => NAN, 800 => INF, -800 => -1 }
    sigmoid_special: sigmoid { 0 => 0.5, -0.0 => 0.5, INF => 1, -INF => 0, NAN => NAN, 50 => 1, -800 => 0 }
    tanh_special: tanh { 0 => 0, -0.0 => -0.0, INF => 1, -INF => -1, NAN => NAN, 30 => 1, -1e30 => -1 }
    log_special: log { 1 => 0, 0 => -INF, -0.0 => -INF, INF => INF, -INF => NAN, -1 => NAN, NAN => NAN }
    log2_special: log2 { 1 => 0, 8 => 3, 0.25 => -2, 0 => -INF, -0.0 => -INF, INF => INF, -1 => NAN, NAN => NAN }
    log10_special: log10 { 1 => 0, 1000 => 3, 1e10 => 10, 0 => -INF, -0.0 => -INF, INF => INF, -1 => NAN, NAN => NAN }
    log1p_special: log1p { 0 => 0, -0.0 => -0.0, -1 => -INF, INF => INF, -2 => NAN, -INF => NAN, NAN => NAN }
    softplus_special: softplus { INF => INF, -INF => 0, NAN => NAN, 1000 => 1000, -1000 => 0 }
    sin_special: sin { 0 => 0, -0.0 => -0.0, INF => NAN, -INF => NAN, NAN => NAN }
    cos_special: cos { 0 => 1, -0.0 => 1, INF => NAN, -INF => NAN, NAN => NAN }
    tan_special: tan { 0 => 0, -0.0 => -0.0, INF => NAN, -INF => NAN, NAN => NAN }
    asin_special: asin { 0 => 0, -0.0 => -0.0, 1 => FRAC_PI_2, -1 => -FRAC_PI_2, 2 => NAN, -INF => NAN, NAN => NAN }
    acos_special: acos { 0 => FRAC_PI_2, 1 => 0, -1 => PI, 2 => NAN, -2 => NAN, INF => NAN, NAN => NAN }
    atan_special: atan { 0 => 0, -0.0 => -0.0, 1 => FRAC_PI_4, INF => FRAC_PI_2, -INF => -FRAC_PI_2, NAN => NAN }
    asinh_special: asinh { 0 => 0, -0.0 => -0.0, INF => INF, -INF => -INF, NAN => NAN }
    acosh_special: acosh { 1 => 0, 0.5 => NAN, 0 => NAN, -2 => NAN, INF => INF, -INF => NAN, NAN => NAN }
    atanh_special: atanh { 0 => 0, -0.0 => -0.0, 1 => INF, -1 => -INF, 2 => NAN, -2 => NAN, INF => NAN, NAN => NAN }
    erf_special: erf { 0 => 0, -0.0 => -0.0, INF => 1, -INF => -1, NAN => NAN, 7 => 1, -7 => -1 }
}

/// Below the square root of the smallest number, a function with slope 1 at 0 is the identity, also for subnormals.
#[test]
fn small_numbers_stay() {
    fn check<M: MulAdd>() {
        for x in [5e-324, 1e-310, -3e-308, 1e-200] {
            for f in [
                Math::expm1::<M>,
                Math::tanh::<M>,
                Math::log1p::<M>,
                Math::sin::<M>,
                Math::tan::<M>,
            ] {
                assert_eq!(f(x), x);
            }
        }
        for x in [1e-45_f32, 1e-40, -3e-38, 1e-30] {
            for f in [
                Math::expm1::<M>,
                Math::tanh::<M>,
                Math::log1p::<M>,
                Math::sin::<M>,
                Math::tan::<M>,
            ] {
                assert_eq!(f(x), x);
            }
        }
    }
    check::<Fused>();
    check::<Unfused>();
}

/// The hyperbolic tangent is odd and never exceeds 1, also where the result is rounded to 1 or nearly 1.
#[test]
fn hyperbolic_tangents_are_odd_and_within_one() {
    fn check<M: MulAdd>() {
        for bits in (0..=f32::INFINITY.to_bits()).step_by(1009) {
            let x = f32::from_bits(bits);
            let result = Math::tanh::<M>(x);
            assert!((0.0..=1.0).contains(&result), "{result:e} at {x:e}");
            assert_eq!(Math::tanh::<M>(-x).to_bits(), (-result).to_bits());
            let x = f64::from(x);
            let result = Math::tanh::<M>(x);
            assert!((0.0..=1.0).contains(&result), "{result:e} at {x:e}");
            assert_eq!(Math::tanh::<M>(-x).to_bits(), (-result).to_bits());
        }
    }
    check::<Fused>();
    check::<Unfused>();
}

/// The powers of all pairs of these numbers, as C99 defines them where they aren't an ordinary power.
#[test]
fn pow_special() {
    fn check<M: MulAdd>() {
        for (x, y, expected) in POWERS {
            for result in [
                Math::pow::<M>(x, y),
                f64::from(Math::pow::<M>(x as f32, y as f32)),
            ] {
                let same =
                    result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan();
                assert!(
                    same,
                    "{x:e} to the power {y:e} is {result:e}, {expected:e} expected"
                );
            }
        }
        for x in [0.0, -0.0, 1.0, -1.0, 0.3, -7.0, INF, -INF, NAN] {
            assert_eq!(Math::pow::<M>(x, 0.0), 1.0);
            assert_eq!(Math::pow::<M>(x, -0.0), 1.0);
            assert_eq!(Math::pow::<M>(1.0, x), 1.0);
            assert!(x == 1.0 || Math::pow::<M>(x, NAN).is_nan());
            assert!(Math::pow::<M>(NAN, x).is_nan() || x == 0.0);
        }
    }
    check::<Fused>();
    check::<Unfused>();
}

const POWERS: [(f64, f64, f64); 38] = [
    (0.0, 2.0, 0.0),
    (0.0, 3.0, 0.0),
    (-0.0, 2.0, 0.0),
    (-0.0, 3.0, -0.0),
    (-0.0, 0.5, 0.0),
    (0.0, -1.0, INF),
    (-0.0, -1.0, -INF),
    (-0.0, -2.0, INF),
    (0.0, 1e-30, 0.0),
    (0.0, INF, 0.0),
    (-0.0, -INF, INF),
    (-1.0, INF, 1.0),
    (-1.0, -INF, 1.0),
    (0.5, INF, 0.0),
    (-0.5, -INF, INF),
    (2.0, INF, INF),
    (-2.0, INF, INF),
    (2.0, -INF, 0.0),
    (INF, 2.0, INF),
    (INF, -0.5, 0.0),
    (-INF, 2.0, INF),
    (-INF, 3.0, -INF),
    (-INF, 0.5, INF),
    (-INF, -1.0, -0.0),
    (-INF, -2.0, 0.0),
    (-8.0, 1.0 / 3.0, NAN),
    (-2.0, 2.5, NAN),
    (-2.0, 3.0, -8.0),
    (-2.0, 4.0, 16.0),
    (-2.0, -3.0, -0.125),
    (-1.0, 8_388_609.0, -1.0),
    (-1.0, 16_777_215.0, -1.0),
    (-1.0, 16_777_216.0, 1.0),
    (-1.0, 1e30, 1.0),
    (3.0, 4.0, 81.0),
    (10.0, 10.0, 1e10),
    (2.0, 1e30, INF),
    (-2.0, -1e30, 0.0),
];

/// The greatest argument with a finite exponential, and the smallest one with a positive exponential: (argument, result) from mpmath, the
/// results rounded to the type.
#[test]
fn exp_reaches_its_limits() {
    fn check<M: MulAdd>() {
        assert!(
            (Math::exp::<M>(709.782_712_893_384_f64) / 1.797_693_134_862_273_2e308 - 1.0).abs()
                < 1e-15
        );
        assert_eq!(Math::exp::<M>(709.782_712_893_384_1_f64), f64::INFINITY);
        assert_eq!(Math::exp::<M>(-745.133_219_101_941_1_f64), 5e-324);
        assert_eq!(Math::exp::<M>(-745.133_219_101_941_2_f64), 0.0);
        assert_eq!(Math::exp::<M>(88.722_83_f32), 3.402_798_5e38);
        assert_eq!(Math::exp::<M>(88.722_84_f32), f32::INFINITY);
        assert_eq!(Math::exp::<M>(-103.972_08_f32), 1e-45);
        assert_eq!(Math::exp::<M>(-103.972_084_f32), 0.0);
    }
    check::<Fused>();
    check::<Unfused>();
}

/// The hyperbolic sine and cosine are finite for some arguments whose exponential overflows: values from mpmath.
#[test]
fn hyperbolic_functions_overflow_late() {
    fn check<M: MulAdd>() {
        for f in [Math::sinh::<M>, Math::cosh::<M>] {
            assert!((f(710.4_f64) / 1.666_364_283_280_649_6e308 - 1.0).abs() < 5e-16);
            assert_eq!(f(711.0), INF);
        }
        for f in [Math::sinh::<M>, Math::cosh::<M>] {
            assert!((f(89.4_f32) / 3.348_862_8e38 - 1.0).abs() < 3e-7);
            assert_eq!(f(89.5_f32), f32::INFINITY);
        }
    }
    check::<Fused>();
    check::<Unfused>();
}

/// The angles of points on the axes, with both zeros, and at infinity, as C99 defines them.
#[test]
fn atan2_special() {
    fn check<M: MulAdd>() {
        for (y, x, expected) in [
            (0.0, 0.0, 0.0),
            (0.0, -0.0, PI),
            (0.0, 2.0, 0.0),
            (0.0, -2.0, PI),
            (1.0, 0.0, FRAC_PI_2),
            (1.0, -0.0, FRAC_PI_2),
            (1.0, INF, 0.0),
            (1.0, -INF, PI),
            (INF, 1.0, FRAC_PI_2),
            (INF, INF, FRAC_PI_4),
            (INF, -INF, 3.0 * FRAC_PI_4),
        ] {
            for (y, expected) in [(y, expected), (-y, -expected)] {
                assert_eq!(
                    Math::atan2::<M>(y, x).to_bits(),
                    expected.to_bits(),
                    "({x}, {y})"
                );
                let (y, x, expected) = (y as f32, x as f32, expected as f32);
                assert_eq!(
                    Math::atan2::<M>(y, x).to_bits(),
                    expected.to_bits(),
                    "({x}, {y})"
                );
            }
        }
        assert!(Math::atan2::<M>(NAN, 1.0).is_nan() && Math::atan2::<M>(1.0, NAN).is_nan());
    }
    check::<Fused>();
    check::<Unfused>();
}

/// The inverses of numbers whose squares overflow: values from mpmath.
#[test]
fn large_numbers_have_inverses() {
    fn check<M: MulAdd>() {
        for f in [Math::asinh::<M>, Math::acosh::<M>] {
            assert!((f(1e300_f64) / 691.468_675_078_773_7 - 1.0).abs() < 3e-16);
        }
        for f in [Math::asinh::<M>, Math::acosh::<M>] {
            assert!((f(1e38_f32) / 88.191_38 - 1.0).abs() < 2e-7);
        }
    }
    check::<Fused>();
    check::<Unfused>();
}

/// Angles beyond the reduction of the vector code, and the double nearest to a multiple of pi / 2: values from mpmath.
#[test]
fn large_angles() {
    for (x, sin, cos) in LARGE_ANGLES {
        for (result, expected) in [
            (Math::sin::<Fused>(x), sin),
            (Math::sin::<Unfused>(x), sin),
            (Math::cos::<Fused>(x), cos),
            (Math::cos::<Unfused>(x), cos),
        ] {
            assert!(
                (result / expected - 1.0).abs() <= 2.3e-16,
                "{result:e} at {x:e}, {expected:e} expected"
            );
        }
    }
}

const LARGE_ANGLES: [(f64, f64, f64); 10] = [
    (45.553_093_477_052, 1.0, -6.189_806_365_883_577e-19),
    (182.212_373_908_208, 2.475_922_546_353_431e-18, 1.0),
    (1e22, -0.852_200_849_767_188_8, 0.523_214_785_395_139),
    (
        f64::MAX,
        0.004_961_954_789_184_062,
        -0.999_987_689_426_559_9,
    ),
    (5.319_372_648_326_541e255, 1.0, -4.687_165_924_254_628e-19),
    (
        1_048_577.25,
        0.999_871_527_098_127_4,
        -0.016_029_014_269_712_36,
    ),
    (-3e9, -0.987_004_886_474_355_4, -0.160_690_242_627_687_05),
    (
        1_048_575.75,
        0.086_716_975_228_377_24,
        0.996_232_987_913_590_9,
    ),
    (355.0, -3.014_435_335_948_845e-5, -0.999_999_999_545_659),
    (
        833_719.0,
        2.312_919_416_452_701_5e-6,
        -0.999_999_999_997_325_3,
    ),
];

#[test]
fn the_exponential_of_what_is_not_positive_has_the_bits_of_exp() {
    // Numbers from the whole range, and those around which the power of two changes.
    let halves = (0..152).map(|n| -(f64::from(n) + 0.5) * std::f64::consts::LN_2);
    let near = |value: u64| (value - 2)..=(value + 2);
    let all = (0x8000_0000..=0xff80_0000)
        .step_by(9973)
        .chain([0, 0xff80_0000, 0x7fc0_0000]);
    let near_halves = halves
        .clone()
        .flat_map(|v| near((v as f32).to_bits().into()));
    for x in all
        .chain(near_halves)
        .map(|bits| f32::from_bits(bits as u32))
    {
        let bits = |y: f32| if y.is_nan() { u32::MAX } else { y.to_bits() };
        assert_eq!(
            bits(x.exp_down_lifted::<Fused>() / f32::LIFT),
            bits(Math::exp::<Fused>(x)),
            "{x:e}"
        );
        assert_eq!(
            bits(x.exp_down_lifted::<Unfused>() / f32::LIFT),
            bits(Math::exp::<Unfused>(x)),
            "{x:e}"
        );
    }
    // Zero as it stands, so that the division isn't one whose result is too small for a number.
    assert_eq!((-132f32).exp_down_lifted::<Fused>(), 0.0);
    assert_eq!((-1e9f32).exp_down_lifted::<Unfused>(), 0.0);
    assert_eq!((-753f64).exp_down_lifted::<Fused>(), 0.0);
    assert_eq!(f64::NEG_INFINITY.exp_down_lifted::<Unfused>(), 0.0);
    let all = (1 << 63..=0xfff0_0000_0000_0000).step_by(0x0000_1000_0007_7777);
    let near_halves = halves.flat_map(|v| near(v.to_bits()));
    for x in all.chain(near_halves).map(f64::from_bits) {
        assert_eq!(
            (x.exp_down_lifted::<Fused>() / f64::LIFT).to_bits(),
            Math::exp::<Fused>(x).to_bits(),
            "{x:e}"
        );
        assert_eq!(
            (x.exp_down_lifted::<Unfused>() / f64::LIFT).to_bits(),
            Math::exp::<Unfused>(x).to_bits(),
            "{x:e}"
        );
    }
}
