//! Functions of floats: powers of a base and logarithms, trigonometry and hyperbolic functions, the error function,
//! activations of neural networks.

use graph_kernels::{self as kernels, DType};

use super::Attrs;
use super::rules::{FLOAT, Inferred, NUMBER, binary, unary, unary_to};
use super::table::op_table;
use crate::graph::TensorType;

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
