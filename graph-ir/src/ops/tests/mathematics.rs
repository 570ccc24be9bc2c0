//! Cases of functions of floats, with the results of C's math library.

use std::f64::consts::{FRAC_PI_3, FRAC_PI_6, LN_2, LOG2_10, LOG10_2, PI, SQRT_2};

use super::*;
use crate::ops::*;

pub(super) fn cases() -> Vec<Case> {
    [powers(), angles(), activations(), two_operands()]
        .into_iter()
        .flatten()
        .collect()
}

fn of<const N: usize>(op: &'static OpDef, x: [f64; N], expected: [f64; N]) -> Case {
    case(op, [vector(x)], Value(vector(expected)))
}

fn check(x: [f64; 2], expected: Expected) -> Case {
    let message = Attr::Text("sizes".to_owned());
    case_with(&CHECK_NUMERICS, [message], [vector(x)], expected)
}

fn powers() -> Vec<Case> {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    vec![
        of(&EXP2, [0.5, -3.0, -inf], [SQRT_2, 0.125, 0.0]),
        of(
            &EXPM1,
            [1e-9, 2.0],
            [1.000_000_000_5e-9, 6.389_056_098_930_65],
        ),
        of(&LOG1P, [1e-9, 1.0, -1.0], [9.999_999_995e-10, LN_2, -inf]),
        of(&LOG2, [8.0, 10.0, -1.0], [3.0, LOG2_10, nan]),
        of(&LOG10, [1000.0, 2.0, 0.0], [3.0, LOG10_2, -inf]),
        of(
            &CBRT,
            [-27.0, 2.0, -0.0],
            [-3.0, 1.259_921_049_894_873_2, -0.0],
        ),
        of(&RECIPROCAL, [4.0, -0.0], [0.25, -inf]),
        of(&TRUNC, [1.7, -1.7, -0.5], [1.0, -1.0, -0.0]),
        case(
            &IS_INF,
            [vector([1.0, -inf, nan])],
            Value(vector([false, true, false])),
        ),
        case(
            &IS_FINITE,
            [vector([1.0, -inf, nan])],
            Value(vector([true, false, false])),
        ),
        of(
            &ERF,
            [0.5, -2.0, inf],
            [0.520_499_877_813_046_5, -0.995_322_265_018_952_7, 1.0],
        ),
        of(
            &ERFC,
            [0.5, 5.0],
            [0.479_500_122_186_953_5, 1.537_459_794_428_035e-12],
        ),
        case(
            &ERF,
            [scalar(1)],
            TypeError("`erf` is not defined for int32"),
        ),
    ]
}

fn angles() -> Vec<Case> {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    vec![
        of(
            &TAN,
            [0.5, -1.25],
            [0.546_302_489_843_790_5, -3.009_569_673_862_831],
        ),
        of(&ASIN, [0.5, 1.5], [FRAC_PI_6, nan]),
        of(&ACOS, [0.5, -1.0], [FRAC_PI_3, PI]),
        of(
            &ATAN,
            [0.5, -10.0, inf],
            [0.463_647_609_000_806_1, -1.471_127_674_303_734_7, PI / 2.0],
        ),
        of(
            &SINH,
            [0.5, -3.0],
            [0.521_095_305_493_747_4, -10.017_874_927_409_903],
        ),
        of(
            &COSH,
            [0.5, -3.0],
            [1.127_625_965_206_380_7, 10.067_661_995_777_765],
        ),
        of(
            &ASINH,
            [0.5, -3.0],
            [0.481_211_825_059_603_47, -1.818_446_459_232_066_8],
        ),
        of(&ACOSH, [1.5, 0.5], [0.962_423_650_119_206_9, nan]),
        of(&ATANH, [0.5, 1.0], [0.549_306_144_334_054_8, inf]),
        case(
            &ATAN2,
            [vector([1.0, -0.0]), scalar(-2.0)],
            Value(vector([2.677_945_044_588_987, -PI])),
        ),
    ]
}

fn activations() -> Vec<Case> {
    let nan = f64::NAN;
    vec![
        of(
            &SOFTPLUS,
            [1.0, -2.0, 1000.0],
            [1.313_261_687_518_222_8, 0.126_928_011_042_972_5, 1000.0],
        ),
        of(&SOFTSIGN, [1.0, -3.0], [0.5, -0.75]),
        of(&ELU, [2.0, -1.0, nan], [2.0, -0.632_120_558_828_557_7, nan]),
        of(
            &SELU,
            [1.0, -1.0],
            [1.050_700_987_355_480_5, -1.111_330_737_812_562_8],
        ),
        of(&RELU6, [-1.0, 3.0, 9.0, nan], [0.0, 3.0, 6.0, nan]),
        case(&RELU6, [vector([-1, 3, 9])], Value(vector([0, 3, 6]))),
        case(
            &LEAKY_RELU,
            [vector([2.0, -2.0]), scalar(0.25)],
            Value(vector([2.0, -0.5])),
        ),
    ]
}

fn two_operands() -> Vec<Case> {
    let nan = f64::NAN;
    vec![
        case(
            &DIVIDE_NO_NAN,
            [vector([1.0, 0.0, 3.0]), vector([0.0, 0.0, 2.0])],
            Value(vector([0.0, 0.0, 1.5])),
        ),
        case(
            &XLOGY,
            [vector([0.0, 2.0]), vector([nan, 3.0])],
            Value(vector([0.0, 2.197_224_577_336_219_6])),
        ),
        case(
            &XLOG1PY,
            [vector([0.0, 2.0]), vector([-1.0, 3.0])],
            Value(vector([0.0, 2.772_588_722_239_781])),
        ),
        case(
            &XDIVY,
            [vector([0.0, 3.0]), vector([0.0, 2.0])],
            Value(vector([0.0, 1.5])),
        ),
        check([0.0, f64::MAX], Value(vector([0.0, f64::MAX]))),
        check([f64::NAN, 1.0], RunError("sizes : Tensor had NaN values")),
        check(
            [1.0, f64::NEG_INFINITY],
            RunError("sizes : Tensor had Inf values"),
        ),
        check(
            [f64::INFINITY, f64::NAN],
            RunError("sizes : Tensor had Inf and NaN values"),
        ),
        case_with(
            &CHECK_NUMERICS,
            [Attr::Text("n".to_owned())],
            [scalar(1)],
            TypeError("`check_numerics` is not defined for int32"),
        ),
        case(
            &SQUARED_DIFFERENCE,
            [vector([1, 5]), scalar(3)],
            Value(vector([4, 4])),
        ),
        case(
            &LEFT_SHIFT,
            [vector([1, -1, 1, 1]), vector([4, 31, 40, -1])],
            Value(vector([16, i32::MIN, i32::MIN, 1])),
        ),
        case(
            &RIGHT_SHIFT,
            [vector([-16, 255, 7]), vector([2, 40, -1])],
            Value(vector([-4, 0, 7])),
        ),
        case(
            &RIGHT_SHIFT,
            [scalar(200u8), scalar(3u8)],
            Value(scalar(25u8)),
        ),
        case(
            &LOGICAL_XOR,
            [vector([true, false]), scalar(true)],
            Value(vector([false, true])),
        ),
    ]
}
