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
    DIV "div" []: binary(NUMBER), (element Div), tf "Div", onnx "Div", "The quotient, broadcasting; integers truncate, as in Rust.";
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

#[cfg(test)]
pub(super) mod tests {
    //! Cases of arithmetic; the integer ones are TensorFlow's.

    use graph_kernels::{Array, DType, bf16, f16};

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
        [binary(), division(), unary(), casts()]
            .into_iter()
            .flatten()
            .collect()
    }

    fn column() -> Array {
        Array::new(&[2, 1], vec![10, 20])
    }

    fn half(value: f32) -> f16 {
        f16::from_f32(value)
    }

    fn binary() -> Vec<Case> {
        let nan = f32::NAN;
        vec![
            case(
                &ADD,
                [vector([1, 2, 3]), vector([10, 20, 30])],
                Value(vector([11, 22, 33])),
            ),
            case(
                &ADD,
                [column(), vector([1, 2, 3])],
                Value(matrix([[11, 12, 13], [21, 22, 23]])),
            ),
            case(
                &ADD,
                [vector([1, 2, 3]), column()],
                Value(matrix([[11, 12, 13], [21, 22, 23]])),
            ),
            case(
                &ADD,
                [scalar(1.5f32), vector([1.0f32, 2.0])],
                Value(vector([2.5f32, 3.5])),
            ),
            case(&ADD, [scalar(i32::MAX), scalar(1)], Value(scalar(i32::MIN))),
            // NumPy's float16: 0.1 + 0.2 = 0.2998, 1000 * 70 overflows.
            case(
                &ADD,
                [scalar(half(0.1)), scalar(half(0.2))],
                Value(scalar(half(0.2998))),
            ),
            case(
                &MUL,
                [scalar(half(1000.0)), scalar(half(70.0))],
                Value(scalar(half(f32::INFINITY))),
            ),
            case(
                &ADD,
                [scalar(bf16::from_f32(256.0)), scalar(bf16::ONE)],
                Value(scalar(bf16::from_f32(256.0))),
            ),
            case(
                &ADD,
                [texts(["a", "b"]), scalar("!".to_owned())],
                Value(texts(["a!", "b!"])),
            ),
            case(
                &ADD,
                [Array::zeros(DType::F32, &[0, 1]), vector([1f32, 2.0])],
                Value(Array::zeros(DType::F32, &[0, 2])),
            ),
            case(
                &ADD,
                [
                    Array::zeros(DType::F32, &[2, 3]),
                    Array::zeros(DType::F32, &[4, 2]),
                ],
                TypeError(
                    "Dimensions must be equal, but are 2 and 4 for add with input shapes: [2,3], [4,2].",
                ),
            ),
            case(
                &ADD,
                [
                    Array::zeros(DType::F32, &[2, 3]),
                    Array::zeros(DType::F32, &[4, 2]),
                ],
                RunError("Incompatible shapes: [2,3] vs. [4,2]"),
            ),
            case(
                &ADD,
                [scalar(1f32), scalar(1)],
                TypeError("`add` takes operands of one dtype, not float32 and int32"),
            ),
            case(
                &ADD,
                [scalar(true), scalar(true)],
                TypeError("`add` is not defined for bool"),
            ),
            case(
                &SUB,
                [vector([1u8, 5]), scalar(2u8)],
                Value(vector([255u8, 3])),
            ),
            case(
                &SUB,
                [scalar(10i64), vector([1i64, 2])],
                Value(vector([9i64, 8])),
            ),
            case(
                &MUL,
                [vector([2.0, -3.0]), vector([4.0, 0.5])],
                Value(vector([8.0, -1.5])),
            ),
            case(
                &POW,
                [vector([2, -3, 7]), vector([10, 3, 0])],
                Value(vector([1024, -27, 1])),
            ),
            case(&POW, [scalar(2), scalar(31)], Value(scalar(i32::MIN))),
            case(&POW, [vector([3, -4]), scalar(2)], Value(vector([9, 16]))),
            case(
                &POW,
                [vector([0.0, 0.0, -8.0]), vector([0.0, -1.0, 1.0 / 3.0])],
                Value(vector([1.0, f64::INFINITY, f64::NAN])),
            ),
            case(
                &POW,
                [scalar(2), scalar(-1)],
                RunError("Integers to negative integer powers are not allowed"),
            ),
            case(
                &MAXIMUM,
                [vector([1f32, nan, 3.0]), vector([2f32, 1.0, nan])],
                Value(vector([2f32, nan, nan])),
            ),
            case(
                &MINIMUM,
                [vector([1f32, nan, 3.0]), vector([2f32, 1.0, nan])],
                Value(vector([1f32, nan, nan])),
            ),
            case(
                &BIT_AND,
                [vector([6, 12]), scalar(10)],
                Value(vector([2, 8])),
            ),
            case(
                &BIT_OR,
                [vector([true, false]), scalar(false)],
                Value(vector([true, false])),
            ),
            case(
                &BIT_XOR,
                [vector([6u8, 255]), scalar(10u8)],
                Value(vector([12u8, 245])),
            ),
            case(
                &BIT_AND,
                [scalar(1.0), scalar(1.0)],
                TypeError("`bit_and` is not defined for float64"),
            ),
        ]
    }

    fn division() -> Vec<Case> {
        let (a, b) = (|| vector([7, -7, 7, -7]), || vector([2, 2, -2, -2]));
        let (x, y) = (
            || vector([7.5, -7.5, 1.0, 0.0]),
            || vector([2.0, 2.0, 0.0, 0.0]),
        );
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        vec![
            case(&DIV, [a(), b()], Value(vector([3, -3, -3, 3]))),
            case(&REM, [a(), b()], Value(vector([1, -1, 1, -1]))),
            case(&FLOOR_DIV, [a(), b()], Value(vector([3, -4, -4, 3]))),
            case(&FLOOR_MOD, [a(), b()], Value(vector([1, 1, -1, -1]))),
            case(&TRUE_DIV, [a(), b()], Value(vector([3.5, -3.5, -3.5, 3.5]))),
            case(
                &TRUE_DIV,
                [vector([1, 0]), scalar(0)],
                Value(vector([inf, nan])),
            ),
            case(
                &TRUE_DIV,
                [scalar(1f32), scalar(4f32)],
                Value(scalar(0.25f32)),
            ),
            case(
                &TRUE_DIV,
                [vector([7u8, 0]), vector([2u8, 0])],
                Value(vector([3.5f32, f32::NAN])),
            ),
            case(&DIV, [x(), y()], Value(vector([3.75, -3.75, inf, nan]))),
            case(&REM, [x(), y()], Value(vector([1.5, -1.5, nan, nan]))),
            case(&FLOOR_DIV, [x(), y()], Value(vector([3.0, -4.0, inf, nan]))),
            case(&FLOOR_MOD, [x(), y()], Value(vector([1.5, 0.5, nan, nan]))),
            case(
                &DIV,
                [scalar(i32::MIN), scalar(-1)],
                Value(scalar(i32::MIN)),
            ),
            case(&REM, [scalar(i32::MIN), scalar(-1)], Value(scalar(0))),
            case(
                &FLOOR_DIV,
                [scalar(i64::MIN), scalar(-1i64)],
                Value(scalar(i64::MIN)),
            ),
            case(
                &DIV,
                [a(), vector([1, 1, 0, 1])],
                RunError("Integer division by zero"),
            ),
            case(&REM, [a(), scalar(0)], RunError("Integer division by zero")),
            case(
                &FLOOR_DIV,
                [a(), scalar(0)],
                RunError("Integer division by zero"),
            ),
            case(
                &FLOOR_MOD,
                [a(), scalar(0)],
                RunError("Integer division by zero"),
            ),
        ]
    }

    fn unary() -> Vec<Case> {
        let nan = f64::NAN;
        vec![
            case(
                &NEG,
                [vector([1, -2, i32::MIN])],
                Value(vector([-1, 2, i32::MIN])),
            ),
            case(
                &NEG,
                [scalar(true)],
                TypeError("`neg` is not defined for bool"),
            ),
            case(&ABS, [vector([1.5, -2.5])], Value(vector([1.5, 2.5]))),
            case(
                &SIGN,
                [vector([-3.0, 0.0, nan, 9.0])],
                Value(vector([-1.0, 0.0, nan, 1.0])),
            ),
            case(&SIGN, [vector([-3, 0, 9])], Value(vector([-1, 0, 1]))),
            case(&SQUARE, [vector([3, -4])], Value(vector([9, 16]))),
            case(
                &RELU,
                [vector([-1.0, 2.0, nan])],
                Value(vector([0.0, 2.0, nan])),
            ),
            case(&BIT_NOT, [vector([0, -1, 5])], Value(vector([-1, 0, -6]))),
            case(
                &EXP,
                [vector([0.0, 1.0])],
                Value(vector([1.0, std::f64::consts::E])),
            ),
            case(
                &LOG,
                [vector([1.0, std::f64::consts::E, 0.0])],
                Value(vector([0.0, 1.0, f64::NEG_INFINITY])),
            ),
            case(
                &SQRT,
                [vector([4f32, 2.25, -1.0])],
                Value(vector([2f32, 1.5, f32::NAN])),
            ),
            case(&RSQRT, [vector([4f32, 0.25])], Value(vector([0.5f32, 2.0]))),
            case(
                &SIN,
                [vector([0.0, std::f64::consts::FRAC_PI_2])],
                Value(vector([0.0, 1.0])),
            ),
            case(
                &COS,
                [vector([0.0, std::f64::consts::PI])],
                Value(vector([1.0, -1.0])),
            ),
            case(
                &TANH,
                [vector([0.0, 40.0, -40.0])],
                Value(vector([0.0, 1.0, -1.0])),
            ),
            case(
                &SIGMOID,
                [vector([0.0, 3f64.ln(), -1000.0, 1000.0])],
                Value(vector([0.5, 0.75, 0.0, 1.0])),
            ),
            case(
                &FLOOR,
                [vector([1.5, -1.5, -0.0])],
                Value(vector([1.0, -2.0, -0.0])),
            ),
            case(
                &CEIL,
                [vector([1.5, -1.5, -0.5])],
                Value(vector([2.0, -1.0, -0.0])),
            ),
            case(
                &ROUND,
                [vector([0.5, 1.5, 2.5, -1.5])],
                Value(vector([0.0, 2.0, 2.0, -2.0])),
            ),
            case(&IS_NAN, [vector([1.0, nan])], Value(vector([false, true]))),
            case(
                &EXP,
                [scalar(1)],
                TypeError("`exp` is not defined for int32"),
            ),
        ]
    }

    fn casts() -> Vec<Case> {
        let cast =
            |dtype, x: Array, expected| case_with(&CAST, [Attr::DType(dtype)], [x], expected);
        let (inf, nan) = (f32::INFINITY, f32::NAN);
        vec![
            // Between 2048 and 2050, float16 goes to the even one; bfloat16 has 8 bits.
            case_with(
                &CAST,
                [Attr::DType(DType::F16)],
                [vector([2049f32, 2051.0, 65520.0, 0.1])],
                Value(vector([
                    half(2048.0),
                    half(2052.0),
                    half(f32::INFINITY),
                    f16::from_bits(0x2e66),
                ])),
            ),
            case_with(
                &CAST,
                [Attr::DType(DType::BF16)],
                [vector([257, -3, 0])],
                Value(vector([256.0, -3.0, 0.0].map(bf16::from_f32))),
            ),
            case_with(
                &CAST,
                [Attr::DType(DType::I32)],
                [vector([half(-2.75), half(f32::NAN), half(65504.0)])],
                Value(vector([-2, 0, 65504])),
            ),
            cast(
                DType::I32,
                vector([1.9f32, -1.9, 3e9, -3e9, nan, inf]),
                Value(vector([1, -1, i32::MAX, i32::MIN, 0, i32::MAX])),
            ),
            cast(
                DType::I64,
                vector([1e19, -2.5, f64::NAN]),
                Value(vector([i64::MAX, -2, 0])),
            ),
            cast(
                DType::U8,
                vector([300.0, -1.0, 7.9]),
                Value(vector([255u8, 0, 7])),
            ),
            cast(
                DType::F32,
                vector([true, false]),
                Value(vector([1f32, 0.0])),
            ),
            cast(
                DType::Bool,
                vector([0, 2, -1]),
                Value(vector([false, true, true])),
            ),
            cast(DType::F64, vector([1, -2]), Value(vector([1.0, -2.0]))),
            cast(DType::I32, vector([1i64 << 32, -1]), Value(vector([0, -1]))),
            cast(
                DType::Str,
                vector([1.5, 2.0, f64::NAN]),
                Value(texts(["1.5", "2.0", "nan"])),
            ),
            cast(
                DType::Str,
                vector([true, false]),
                Value(texts(["true", "false"])),
            ),
            cast(DType::Str, scalar(-7), Value(scalar("-7".to_owned()))),
            cast(
                DType::F32,
                texts(["1.5", " 2 "]),
                Value(vector([1.5f32, 2.0])),
            ),
            cast(
                DType::I32,
                texts(["4x"]),
                RunError("StringToNumberOp could not correctly convert string: 4x"),
            ),
            cast(
                DType::Bool,
                texts(["true"]),
                TypeError("`cast to bool` is not defined for string"),
            ),
            cast(DType::F32, scalar(1f32), Value(scalar(1f32))),
        ]
    }
}
