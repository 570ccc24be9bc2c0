//! Ops on each value alone.

use graph_ir::ops::Attr;
use graph_kernels::{Array, DType};

use super::{Case, attrs, bools, floats, plain, scalar, small, text, texts, vector};

pub(super) fn elementwise() -> Vec<Case> {
    let mut cases = Vec::new();
    for op in [
        "add",
        "sub",
        "mul",
        "maximum",
        "minimum",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
        "equal",
        "not_equal",
        "squared_difference",
    ] {
        cases.push(plain(op, vec![floats(&[2, 3]), floats(&[3])]));
        cases.push(plain(op, vec![vector(&[5, -7, 3]), vector(&[3, 3, 3])]));
    }
    for op in ["div", "floor_div", "floor_mod", "rem", "true_div"] {
        cases.push(plain(op, vec![floats(&[2, 3]), small(&[3])]));
        cases.push(plain(
            op,
            vec![vector(&[7, -7, 7, -7]), vector(&[2, 2, -2, -2])],
        ));
    }
    for op in [
        "pow",
        "atan2",
        "divide_no_nan",
        "xlogy",
        "xlog1py",
        "xdivy",
        "grad_div",
        "leaky_relu",
    ] {
        cases.push(plain(op, vec![small(&[2, 3]), small(&[3])]));
    }
    for op in ["bit_and", "bit_or", "bit_xor"] {
        cases.push(plain(op, vec![vector(&[6, 12]), scalar(10)]));
        cases.push(plain(op, vec![bools(&[true, false]), bools(&[true, true])]));
    }
    for op in ["left_shift", "right_shift"] {
        cases.push(plain(op, vec![vector(&[6, -12]), scalar(2)]));
    }
    for op in ["neg", "abs", "sign", "square", "relu", "relu6"] {
        cases.push(plain(op, vec![floats(&[4])]));
        cases.push(plain(op, vec![vector(&[3, -4])]));
    }
    for op in [
        "exp",
        "sin",
        "cos",
        "tanh",
        "sigmoid",
        "floor",
        "ceil",
        "round",
        "trunc",
        "is_nan",
        "is_inf",
        "is_finite",
        "exp2",
        "expm1",
        "cbrt",
        "tan",
        "atan",
        "sinh",
        "cosh",
        "asinh",
        "erf",
        "erfc",
        "softplus",
        "softsign",
        "elu",
        "selu",
        "stop_gradient",
    ] {
        cases.push(plain(op, vec![floats(&[2, 3])]));
    }
    for op in [
        "log",
        "sqrt",
        "rsqrt",
        "log1p",
        "log2",
        "log10",
        "reciprocal",
        "asin",
        "acos",
        "atanh",
    ] {
        cases.push(plain(op, vec![small(&[2, 3])]));
    }
    let above = Array::new(&[2], vec![1.5f32, 3.0]);
    cases.push(plain("acosh", vec![above]));
    for op in ["logical_and", "logical_or", "logical_xor"] {
        cases.push(plain(
            op,
            vec![bools(&[true, true, false]), bools(&[true, false, false])],
        ));
    }
    cases.push(plain("logical_not", vec![bools(&[true, false])]));
    cases.push(plain("bit_not", vec![vector(&[0, -1, 5])]));
    cases.push(plain(
        "select",
        vec![bools(&[true, false, true]), floats(&[2, 3]), floats(&[3])],
    ));
    cases.push(plain("after", vec![floats(&[2]), floats(&[3])]));
    cases.push((
        "check_numerics",
        attrs([("message", text("wrong"))]),
        vec![floats(&[2])],
    ));
    cases.push((
        "one_value",
        attrs([("of", text("condition"))]),
        vec![floats(&[1, 1])],
    ));
    for (dtype, x) in [
        (DType::I32, floats(&[4])),
        (DType::F64, floats(&[4])),
        (DType::Bool, vector(&[0, 2])),
        (DType::F32, bools(&[true, false])),
        (DType::F16, floats(&[2])),
        (DType::F32, texts(&["1.5", "-2"])),
        (DType::Str, vector(&[1, -2])),
    ] {
        cases.push(("cast", attrs([("dtype", Attr::DType(dtype))]), vec![x]));
    }
    cases
}
