//! Functions of floats: powers of a base and logarithms, trigonometry and hyperbolic functions, the error function,
//! activations of neural networks.

use graph_kernels::{self as kernels, DType};

use super::Attrs;
use super::rules::{FLOAT, Inferred, NUMBER, binary, unary, unary_to};
use super::table::op_table;
use crate::types::TensorType;

op_table! {
    EXP2 "exp2" []: unary(FLOAT), (element Exp2), "2 to the power of the value.";
    EXPM1 "expm1" []: unary(FLOAT), (element Expm1), tf "Expm1", "exp(x) - 1, accurate near 0.";
    LOG1P "log1p" []: unary(FLOAT), (element Log1p), tf "Log1p", "log(1 + x), accurate near 0.";
    LOG2 "log2" []: unary(FLOAT), (element Log2), "The logarithm to base 2.";
    LOG10 "log10" []: unary(FLOAT), (element Log10), "The logarithm to base 10.";
    CBRT "cbrt" []: unary(FLOAT), (element Cbrt), "The cube root.";
    RECIPROCAL "reciprocal" []: unary(FLOAT), (element Reciprocal), tf "Reciprocal", onnx "Reciprocal", "One over the value.";
    TRUNC "trunc" []: unary(FLOAT), (element Trunc), "The integer part.";
    IS_INF "is_inf" []: unary_to(FLOAT, DType::Bool), (element IsInf), tf "IsInf", onnx "IsInf", "True where the value is an infinity.";
    IS_FINITE "is_finite" []: unary_to(FLOAT, DType::Bool), (element IsFinite), tf "IsFinite", "True where the value is neither NaN nor an infinity.";
    CHECK_NUMERICS "check_numerics" ["message"]: check_numerics(),
        (|x, a, out| { kernels::check_numerics(x[0], a.text("message")?)?; out.assign(x[0])?; Ok(()) }),
        in_place (|x, _, a| kernels::check_numerics(x, a.text("message")?)), linear in floats, tf "CheckNumerics",
        "The values, if none is NaN or an infinity; else it fails with the message.";

    TAN "tan" []: unary(FLOAT), (element Tan), tf "Tan", onnx "Tan", "The tangent.";
    ASIN "asin" []: unary(FLOAT), (element Asin), tf "Asin", onnx "Asin", "The arcsine.";
    ACOS "acos" []: unary(FLOAT), (element Acos), tf "Acos", onnx "Acos", "The arccosine.";
    ATAN "atan" []: unary(FLOAT), (element Atan), tf "Atan", onnx "Atan", "The arctangent.";
    ATAN2 "atan2" []: binary(FLOAT), (element Atan2), tf "Atan2", "The angle of the point (x, y) of y, x, broadcasting.";
    SINH "sinh" []: unary(FLOAT), (element Sinh), tf "Sinh", onnx "Sinh", "The hyperbolic sine.";
    COSH "cosh" []: unary(FLOAT), (element Cosh), tf "Cosh", onnx "Cosh", "The hyperbolic cosine.";
    ASINH "asinh" []: unary(FLOAT), (element Asinh), tf "Asinh", onnx "Asinh", "The inverse of the hyperbolic sine.";
    ACOSH "acosh" []: unary(FLOAT), (element Acosh), tf "Acosh", onnx "Acosh", "The inverse of the hyperbolic cosine.";
    ATANH "atanh" []: unary(FLOAT), (element Atanh), tf "Atanh", onnx "Atanh", "The inverse of the hyperbolic tangent.";
    ERF "erf" []: unary(FLOAT), (element Erf), tf "Erf", onnx "Erf", "The error function.";
    ERFC "erfc" []: unary(FLOAT), (element Erfc), tf "Erfc", "1 - erf(x), accurate where that is small.";

    DIVIDE_NO_NAN "divide_no_nan" []: binary(FLOAT), (element DivNoNan), tf "DivNoNan", "The quotient, broadcasting; 0 where the divisor is 0.";
    XLOGY "xlogy" []: binary(FLOAT), (element Xlogy), tf "Xlogy", "x * log(y), broadcasting; 0 where x is 0.";
    XLOG1PY "xlog1py" []: binary(FLOAT), (element Xlog1py), tf "Xlog1py", "x * log(1 + y), broadcasting; 0 where x is 0.";
    XDIVY "xdivy" []: binary(FLOAT), (element Xdivy), tf "Xdivy", "x / y, broadcasting; 0 where x is 0.";
    SQUARED_DIFFERENCE "squared_difference" []: binary(NUMBER), (element SquaredDifference), tf "SquaredDifference", "(a - b) * (a - b), broadcasting.";

    SOFTPLUS "softplus" []: unary(FLOAT), (element Softplus), tf "Softplus", onnx "Softplus", "log(1 + exp(x)).";
    SOFTSIGN "softsign" []: unary(FLOAT), (element Softsign), tf "Softsign", onnx "Softsign", "x / (1 + |x|).";
    ELU "elu" []: unary(FLOAT), (element Elu), tf "Elu", onnx "Elu", "The value where it is positive, else exp(x) - 1.";
    SELU "selu" []: unary(FLOAT), (element Selu), tf "Selu", onnx "Selu", "elu, scaled so that layers keep mean and variance.";
    LEAKY_RELU "leaky_relu" []: binary(FLOAT), (element LeakyRelu), onnx "PRelu", "The first operand where it is positive, else the product of both, broadcasting.";
    RELU6 "relu6" []: unary(NUMBER), (element Relu6), tf "Relu6", "The value limited to 0..=6.";
}

fn check_numerics(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    attrs.text("message")?;
    unary(op, types, attrs, FLOAT)
}

#[cfg(test)]
pub(super) mod tests {
    //! Functions of floats, against values of C's math library.

    use std::f64::consts::{FRAC_PI_3, FRAC_PI_6, LN_2, LOG2_10, LOG10_2, PI, SQRT_2};

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
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
}
