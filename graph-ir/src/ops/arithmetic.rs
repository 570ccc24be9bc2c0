//! Elementwise arithmetic, and conversion of dtypes.

use graph_kernels::DType;

use super::Attrs;
use super::rules::{
    Class, FLOAT, Inferred, NUMBER, PLAIN, binary, check_class, operands, unary, unary_to,
};
use super::table::op_table;
use crate::types::TensorType;

const INTEGER: Class = DType::is_integer;
const NUMBER_OR_STRING: Class = |dtype| dtype.is_number() || dtype == DType::Str;
const INTEGER_OR_BOOL: Class = |dtype| dtype.is_integer() || dtype == DType::Bool;

op_table! {
    ADD "add" []: binary(NUMBER_OR_STRING), (element Add), tf "AddV2", onnx "Add", "The sum, broadcasting; of strings, the concatenation.";
    SUB "sub" []: binary(NUMBER), (element Sub), tf "Sub", onnx "Sub", "The difference, broadcasting.";
    MUL "mul" []: binary(NUMBER), (element Mul), tf "Mul", onnx "Mul", "The product, broadcasting.";
    DIV "div" []: binary(NUMBER), (element Div), onnx "Div", "The quotient, broadcasting; integers truncate, as in Rust.";
    REM "rem" []: binary(NUMBER), (element Rem), tf "TruncateMod", "The remainder with the dividend's sign, broadcasting, as in Rust.";
    TRUE_DIV "true_div" []: true_quotient(), (element TrueDiv), tf "RealDiv", "The quotient, broadcasting; of integers as `float64`, of those of 8 and 16 bits as `float32`.";
    FLOOR_DIV "floor_div" []: binary(NUMBER), (element FloorDiv), tf "FloorDiv", "The quotient rounded down, broadcasting.";
    FLOOR_MOD "floor_mod" []: binary(NUMBER), (element FloorMod), tf "FloorMod", onnx "Mod", "The remainder with the divisor's sign, broadcasting.";
    POW "pow" []: binary(NUMBER), (element Pow), tf "Pow", onnx "Pow", "The first operand to the power of the second, broadcasting.";
    MAXIMUM "maximum" []: binary(NUMBER), (element Maximum), tf "Maximum", onnx "Max", "The larger value, broadcasting; NaN wins.";
    MINIMUM "minimum" []: binary(NUMBER), (element Minimum), tf "Minimum", onnx "Min", "The smaller value, broadcasting; NaN wins.";
    BIT_AND "bit_and" []: binary(INTEGER_OR_BOOL), (element BitAnd), tf "BitwiseAnd", onnx "BitwiseAnd", "Bitwise and, broadcasting.";
    BIT_OR "bit_or" []: binary(INTEGER_OR_BOOL), (element BitOr), tf "BitwiseOr", onnx "BitwiseOr", "Bitwise or, broadcasting.";
    BIT_XOR "bit_xor" []: binary(INTEGER_OR_BOOL), (element BitXor), tf "BitwiseXor", onnx "BitwiseXor", "Bitwise exclusive or, broadcasting.";
    LEFT_SHIFT "left_shift" []: binary(INTEGER), (element LeftShift), tf "LeftShift", "The bits moved up, broadcasting; shifts go to the nearest of 0 and all bits but one.";
    RIGHT_SHIFT "right_shift" []: binary(INTEGER), (element RightShift), tf "RightShift", "The bits moved down, broadcasting; the sign stays; shifts go to the nearest of 0 and all bits but one.";

    NEG "neg" []: unary(NUMBER), (element Neg), tf "Neg", onnx "Neg", "The negative; integers wrap.";
    ABS "abs" []: unary(NUMBER), (element Abs), tf "Abs", onnx "Abs", "The absolute value; integers wrap.";
    SIGN "sign" []: unary(NUMBER), (element Sign), tf "Sign", onnx "Sign", "-1, 0 or 1; NaN stays.";
    SQUARE "square" []: unary(NUMBER), (element Square), tf "Square", "The product with itself.";
    RELU "relu" []: unary(NUMBER), (element Relu), tf "Relu", onnx "Relu", "The larger of the value and 0.";
    BIT_NOT "bit_not" []: unary(INTEGER), (element BitNot), tf "Invert", onnx "BitwiseNot", "Every bit inverted.";
    EXP "exp" []: unary(FLOAT), (element Exp), tf "Exp", onnx "Exp", "e to the power of the value.";
    LOG "log" []: unary(FLOAT), (element Log), tf "Log", onnx "Log", "The natural logarithm.";
    SQRT "sqrt" []: unary(FLOAT), (element Sqrt), tf "Sqrt", onnx "Sqrt", "The square root.";
    RSQRT "rsqrt" []: unary(FLOAT), (element Rsqrt), tf "Rsqrt", "One over the square root.";
    SIN "sin" []: unary(FLOAT), (element Sin), tf "Sin", onnx "Sin", "The sine.";
    COS "cos" []: unary(FLOAT), (element Cos), tf "Cos", onnx "Cos", "The cosine.";
    TANH "tanh" []: unary(FLOAT), (element Tanh), tf "Tanh", onnx "Tanh", "The hyperbolic tangent.";
    SIGMOID "sigmoid" []: unary(FLOAT), (element Sigmoid), tf "Sigmoid", onnx "Sigmoid", "1 / (1 + exp(-x)).";
    FLOOR "floor" []: unary(FLOAT), (element Floor), tf "Floor", onnx "Floor", "The next integer below.";
    CEIL "ceil" []: unary(FLOAT), (element Ceil), tf "Ceil", onnx "Ceil", "The next integer above.";
    ROUND "round" []: unary(FLOAT), (element Round), tf "Round", onnx "Round", "The nearest integer, halves to the even one.";
    IS_NAN "is_nan" []: unary_to(FLOAT, DType::Bool), (element IsNan), tf "IsNan", onnx "IsNaN", "True where the value is not a number.";

    CAST "cast" ["dtype"]: cast(), (conversion "dtype"), tf "Cast", onnx "Cast",
        "The values as another dtype: floats truncate to integers, nonzero is true, strings are parsed.";
}

fn true_quotient(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let ty = binary(op, types, attrs, NUMBER)?;
    let dtype = match ty.dtype {
        DType::I32 | DType::I64 | DType::U32 | DType::U64 => DType::F64,
        DType::U8 | DType::I8 | DType::I16 | DType::U16 => DType::F32,
        float => float,
    };
    Ok(TensorType::new(dtype, ty.shape))
}

fn cast(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let dtype = attrs.dtype("dtype")?;
    if dtype == DType::Bool {
        check_class("cast to bool", PLAIN, x.dtype)?;
    }
    Ok(TensorType::new(dtype, x.shape.clone()))
}
