//! Elementwise functions of real numbers.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common::{choose, compare, with_number};
use super::{Use, Write, Written, direct};
use crate::onnx::export::writer::{Tensor, Writer};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::EXP2, exp2),
    (&ops::EXPM1, |u| Ok(expm1(u.w, &u.x[0]))),
    (&ops::LOG1P, |u| Ok(log1p(u.w, &u.x[0]))),
    (&ops::LOG2, |u| logarithm(u, std::f64::consts::LN_2)),
    (&ops::LOG10, |u| logarithm(u, std::f64::consts::LN_10)),
    (&ops::CBRT, cbrt),
    (&ops::RECIPROCAL, direct),
    (&ops::TRUNC, trunc),
    (&ops::IS_INF, is_inf),
    (&ops::IS_FINITE, is_finite),
    (&ops::TAN, direct),
    (&ops::ASIN, direct),
    (&ops::ACOS, direct),
    (&ops::ATAN, direct),
    (&ops::ATAN2, atan2),
    (&ops::SINH, direct),
    (&ops::COSH, direct),
    (&ops::ASINH, direct),
    (&ops::ACOSH, direct),
    (&ops::ATANH, direct),
    (&ops::ERF, direct),
    (&ops::DIVIDE_NO_NAN, divide_no_nan),
    (&ops::XLOGY, xlogy),
    (&ops::XLOG1PY, xlog1py),
    (&ops::XDIVY, xdivy),
    (&ops::GRAD_DIV, xdivy),
    (&ops::SQUARED_DIFFERENCE, squared_difference),
    (&ops::SOFTPLUS, softplus),
    (&ops::SOFTSIGN, softsign),
    (&ops::ELU, elu),
    (&ops::SELU, selu),
    (&ops::LEAKY_RELU, leaky_relu),
    (&ops::RELU6, relu6),
];

fn exp2(u: &mut Use<'_>) -> Written {
    let two = u.w.number(2.0, u.dtype());
    Ok(u.result("Pow", &[&two, &u.x[0]]))
}

/// tanh(x / 2) (exp(x) + 1), which is accurate near 0.
fn expm1(w: &mut Writer, x: &Tensor) -> Tensor {
    let half = with_number(w, "Mul", x, 0.5);
    let tanh = w.op("Tanh", &[&half]).like(x);
    let exp = w.op("Exp", &[x]).like(x);
    let sum = with_number(w, "Add", &exp, 1.0);
    w.op("Mul", &[&tanh, &sum]).like(x)
}

/// log(u) x / (u - 1) for u = 1 + x, whose rounding cancels; x itself where u is 1.
fn log1p(w: &mut Writer, x: &Tensor) -> Tensor {
    let sum = with_number(w, "Add", x, 1.0);
    let log = w.op("Log", &[&sum]).like(x);
    let off = with_number(w, "Sub", &sum, 1.0);
    let quotient = w.op("Div", &[x, &off]).like(x);
    let exact = w.op("Mul", &[&log, &quotient]).like(x);
    let large = compare(w, "Greater", x, 1e8);
    let exact = choose(w, &large, &log, &exact);
    let small = compare(w, "Equal", &off, 0.0);
    choose(w, &small, x, &exact)
}

fn logarithm(u: &mut Use<'_>, of_base: f64) -> Written {
    let log = u.w.op("Log", &[&u.x[0]]).of(u.x[0].dtype());
    Ok(with_number(u.w, "Div", &log, of_base))
}

fn cbrt(u: &mut Use<'_>) -> Written {
    let x = &u.x[0];
    let (sign, size) = (u.w.op("Sign", &[x]).like(x), u.w.op("Abs", &[x]).like(x));
    let root = with_number(u.w, "Pow", &size, 1.0 / 3.0);
    Ok(u.result("Mul", &[&sign, &root]))
}

fn trunc(u: &mut Use<'_>) -> Written {
    let x = &u.x[0];
    let (below, above) = (u.w.op("Floor", &[x]).like(x), u.w.op("Ceil", &[x]).like(x));
    let negative = compare(u.w, "Less", x, 0.0);
    Ok(choose(u.w, &negative, &above, &below))
}

/// Halves became operands of `IsInf` in opset 20.
fn infinite(w: &mut Writer, x: &Tensor) -> Tensor {
    let x = match x.dtype() {
        DType::F16 => w.cast(x, DType::F32),
        _ => x.clone(),
    };
    w.op("IsInf", &[&x]).of(DType::Bool)
}

fn is_inf(u: &mut Use<'_>) -> Written {
    Ok(infinite(u.w, &u.x[0]))
}

fn is_finite(u: &mut Use<'_>) -> Written {
    let infinite = infinite(u.w, &u.x[0]);
    let nan = u.w.op("IsNaN", &[&u.x[0]]).of(DType::Bool);
    let either = u.w.op("Or", &[&infinite, &nan]).of(DType::Bool);
    Ok(u.result("Not", &[&either]))
}

/// Where the sign is negative, that of zero included.
fn is_negative(w: &mut Writer, x: &Tensor) -> Tensor {
    let inverse = w.op("Reciprocal", &[x]).like(x);
    let (below, inverse) = (
        compare(w, "Less", x, 0.0),
        compare(w, "Less", &inverse, 0.0),
    );
    w.op("Or", &[&below, &inverse]).of(DType::Bool)
}

/// The angle in the first quadrant, by the smaller of |y| and |x| over the larger; then mirrored by the signs.
fn atan2(u: &mut Use<'_>) -> Written {
    use std::f64::consts::{FRAC_PI_2, PI};
    let (y, x) = (&u.x[0], &u.x[1]);
    let dtype = x.dtype();
    let w = &mut *u.w;
    let (high, wide) = (w.op("Abs", &[y]).of(dtype), w.op("Abs", &[x]).of(dtype));
    let steep = w.op("Greater", &[&high, &wide]).of(DType::Bool);
    let smaller = w.op("Min", &[&high, &wide]).of(dtype);
    let larger = w.op("Max", &[&high, &wide]).of(dtype);
    let quotient = w.op("Div", &[&smaller, &larger]).of(dtype);
    // 0 / 0 and the quotient of infinities.
    let same = w.op("Equal", &[&smaller, &larger]).of(DType::Bool);
    let one = w.op("Sign", &[&larger]).of(dtype);
    let quotient = choose(w, &same, &one, &quotient);
    let angle = w.op("Atan", &[&quotient]).of(dtype);
    let quarter = w.number(FRAC_PI_2, dtype);
    let turned = w.op("Sub", &[&quarter, &angle]).of(dtype);
    let angle = choose(w, &steep, &turned, &angle);
    let half = w.number(PI, dtype);
    let turned = w.op("Sub", &[&half, &angle]).of(dtype);
    let left = is_negative(w, x);
    let angle = choose(w, &left, &turned, &angle);
    let below = is_negative(w, y);
    let turned = w.op("Neg", &[&angle]).of(dtype);
    Ok(choose(w, &below, &turned, &angle))
}

/// 0 where a value is 0, else another value.
fn unless_zero(w: &mut Writer, of: &Tensor, value: &Tensor) -> Tensor {
    let zero = w.number(0.0, of.dtype());
    let is_zero = w.op("Equal", &[of, &zero]).of(DType::Bool);
    choose(w, &is_zero, &zero, value)
}

fn divide_no_nan(u: &mut Use<'_>) -> Written {
    let quotient = u.w.op("Div", &[&u.x[0], &u.x[1]]).of(u.x[0].dtype());
    Ok(unless_zero(u.w, &u.x[1], &quotient))
}

fn xdivy(u: &mut Use<'_>) -> Written {
    let quotient = u.w.op("Div", &[&u.x[0], &u.x[1]]).of(u.x[0].dtype());
    Ok(unless_zero(u.w, &u.x[0], &quotient))
}

fn xlogy(u: &mut Use<'_>) -> Written {
    let log = u.w.op("Log", &[&u.x[1]]).of(u.x[0].dtype());
    let product = u.w.op("Mul", &[&u.x[0], &log]).of(u.x[0].dtype());
    Ok(unless_zero(u.w, &u.x[0], &product))
}

fn xlog1py(u: &mut Use<'_>) -> Written {
    let log = log1p(u.w, &u.x[1]);
    let product = u.w.op("Mul", &[&u.x[0], &log]).of(u.x[0].dtype());
    Ok(unless_zero(u.w, &u.x[0], &product))
}

fn squared_difference(u: &mut Use<'_>) -> Written {
    let difference = u.w.op("Sub", &[&u.x[0], &u.x[1]]).of(u.x[0].dtype());
    Ok(u.result("Mul", &[&difference, &difference]))
}

/// The runtime has no kernel for `float64`: then max(x, 0) + log1p(exp(-|x|)).
fn softplus(u: &mut Use<'_>) -> Written {
    let x = &u.x[0];
    if u.dtype() != DType::F64 {
        return direct(u);
    }
    let size = u.w.op("Abs", &[x]).like(x);
    let negative = u.w.op("Neg", &[&size]).like(x);
    let exp = u.w.op("Exp", &[&negative]).like(x);
    let log = log1p(u.w, &exp);
    let positive = u.w.op("Relu", &[x]).like(x);
    Ok(u.result("Add", &[&positive, &log]))
}

fn softsign(u: &mut Use<'_>) -> Written {
    let size = u.w.op("Abs", &[&u.x[0]]).of(u.x[0].dtype());
    let divisor = with_number(u.w, "Add", &size, 1.0);
    Ok(u.result("Div", &[&u.x[0], &divisor]))
}

fn elu(u: &mut Use<'_>) -> Written {
    let x = &u.x[0];
    if u.dtype() != DType::F64 {
        return direct(u);
    }
    let (below, positive) = (expm1(u.w, x), compare(u.w, "Greater", x, 0.0));
    Ok(choose(u.w, &positive, x, &below))
}

/// The runtime has no kernel for `float64`, and ONNX keeps the constants (Klambauer et al., 2017) as `float32`.
fn selu(u: &mut Use<'_>) -> Written {
    let x = &u.x[0];
    if u.dtype() != DType::F64 {
        return direct(u);
    }
    let (below, positive) = (expm1(u.w, x), compare(u.w, "Greater", x, 0.0));
    let below = with_number(u.w, "Mul", &below, 1.758_099_340_847_376_8);
    let above = with_number(u.w, "Mul", x, 1.050_700_987_355_480_5);
    Ok(choose(u.w, &positive, &above, &below))
}

fn leaky_relu(u: &mut Use<'_>) -> Written {
    let positive = compare(u.w, "Greater", &u.x[0], 0.0);
    let product = u.w.op("Mul", &[&u.x[0], &u.x[1]]).of(u.x[0].dtype());
    Ok(choose(u.w, &positive, &u.x[0], &product))
}

fn relu6(u: &mut Use<'_>) -> Written {
    let positive = with_number(u.w, "Max", &u.x[0], 0.0);
    Ok(with_number(u.w, "Min", &positive, 6.0))
}
