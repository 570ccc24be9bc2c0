//! Mathematical functions of floats.

use std::f64::consts::{LN_2, LN_10, PI};

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use crate::ops::{self, Attr};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::EXP2, exp2),
    (&ops::EXPM1, expm1),
    (&ops::LOG1P, log1p),
    (&ops::LOG2, log2),
    (&ops::LOG10, log10),
    (&ops::CBRT, cbrt),
    (&ops::RECIPROCAL, reciprocal),
    (&ops::CHECK_NUMERICS, check_numerics),
    (&ops::TAN, tan),
    (&ops::ASIN, asin),
    (&ops::ACOS, acos),
    (&ops::ATAN, atan),
    (&ops::ATAN2, atan2),
    (&ops::SINH, sinh),
    (&ops::COSH, cosh),
    (&ops::ASINH, asinh),
    (&ops::ACOSH, acosh),
    (&ops::ATANH, atanh),
    (&ops::ERF, erf),
    (&ops::ERFC, erfc),
    (&ops::DIVIDE_NO_NAN, divide_no_nan),
    (&ops::XLOGY, xlogy),
    (&ops::XLOG1PY, xlog1py),
    (&ops::XDIVY, xdivy),
    (&ops::SQUARED_DIFFERENCE, squared_difference),
    (&ops::SOFTPLUS, softplus),
    (&ops::SOFTSIGN, softsign),
    (&ops::ELU, elu),
    (&ops::SELU, selu),
    (&ops::LEAKY_RELU, leaky_relu),
    (&ops::RELU6, relu6),
];

fn exp2(b: &mut Backward<'_>) {
    b.give(0, b.g() * (b.y() * LN_2));
}

fn expm1(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::EXP));
}

fn log1p(b: &mut Backward<'_>) {
    b.give(0, b.g() / (b.x(0) + 1.0));
}

fn log2(b: &mut Backward<'_>) {
    b.give(0, b.g() / (b.x(0) * LN_2));
}

fn log10(b: &mut Backward<'_>) {
    b.give(0, b.g() / (b.x(0) * LN_10));
}

fn cbrt(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g() / (&y * &y * 3.0));
}

fn reciprocal(b: &mut Backward<'_>) {
    let x = b.x(0);
    b.give(0, b.g().with(&ops::GRAD_DIV, &-(&x * &x)));
}

/// The gradient is checked as well, with a message that says so.
fn check_numerics(b: &mut Backward<'_>) {
    let message = b.attrs().text("message").unwrap_or_default();
    let message =
        format!("Not a number (NaN) or infinity (Inf) values detected in gradient. {message}");
    let checked = b
        .g()
        .map_with(&ops::CHECK_NUMERICS, [("message", Attr::Text(message))]);
    b.give(0, checked);
}

fn tan(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g() * (&y * &y + 1.0));
}

/// `sqrt(1 - x²)` or `sqrt(x² ± 1)`: the square root in the derivative of an inverse function.
fn root(squared: Term) -> Term {
    squared.map(&ops::SQRT)
}

fn square_of(x: &Term) -> Term {
    x.map(&ops::SQUARE)
}

fn asin(b: &mut Backward<'_>) {
    b.give(0, b.g() / root(1.0 - square_of(&b.x(0))));
}

fn acos(b: &mut Backward<'_>) {
    b.give(0, -b.g() / root(1.0 - square_of(&b.x(0))));
}

fn atan(b: &mut Backward<'_>) {
    b.give(0, b.g() / (square_of(&b.x(0)) + 1.0));
}

fn atan2(b: &mut Backward<'_>) {
    let over = |b: &Backward<'_>| b.g() / (square_of(&b.x(0)) + square_of(&b.x(1)));
    b.give_broadcast(0, |b| over(b) * b.x(1));
    b.give_broadcast(1, |b| -over(b) * b.x(0));
}

fn sinh(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::COSH));
}

fn cosh(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::SINH));
}

fn asinh(b: &mut Backward<'_>) {
    b.give(0, b.g() / b.y().map(&ops::COSH));
}

fn acosh(b: &mut Backward<'_>) {
    b.give(0, b.g() / b.y().map(&ops::SINH));
}

fn atanh(b: &mut Backward<'_>) {
    b.give(0, b.g() / (1.0 - square_of(&b.x(0))));
}

/// `2 / sqrt(π) exp(-x²)`.
fn gauss(b: &Backward<'_>) -> Term {
    (-square_of(&b.x(0))).map(&ops::EXP) * (2.0 / PI.sqrt())
}

fn erf(b: &mut Backward<'_>) {
    b.give(0, b.g() * gauss(b));
}

fn erfc(b: &mut Backward<'_>) {
    b.give(0, -b.g() * gauss(b));
}

/// 0 where the divisor is 0.
fn divide_no_nan(b: &mut Backward<'_>) {
    let over = |x: Term, y: Term| x.with(&ops::DIVIDE_NO_NAN, &y);
    b.give_broadcast(0, |b| over(b.g(), b.x(1)));
    b.give_broadcast(1, |b| b.g() * over(over(-b.x(0), b.x(1)), b.x(1)));
}

/// 1 where the term isn't 0, and 0 where it is.
fn not_zero(x: &Term) -> Term {
    x.with(&ops::NOT_EQUAL, &x.number(0.0)).cast(x.dtype())
}

fn xlogy(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g() * not_zero(&b.x(0)).with(&ops::XLOGY, &b.x(1)));
    b.give_broadcast(1, |b| b.g() * b.x(0).with(&ops::XDIVY, &b.x(1)));
}

fn xlog1py(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| {
        b.g() * not_zero(&b.x(0)).with(&ops::XLOG1PY, &b.x(1))
    });
    b.give_broadcast(1, |b| b.g() * b.x(0).with(&ops::XDIVY, &(b.x(1) + 1.0)));
}

fn xdivy(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g() * not_zero(&b.x(0)).with(&ops::XDIVY, &b.x(1)));
    b.give_broadcast(1, |b| {
        b.g() * (-b.x(0)).with(&ops::XDIVY, &square_of(&b.x(1)))
    });
}

fn squared_difference(b: &mut Backward<'_>) {
    let half = |b: &Backward<'_>| b.g() * 2.0 * (b.x(0) - b.x(1));
    b.give_broadcast(0, half);
    b.give_broadcast(1, |b| -half(b));
}

fn softplus(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::SIGMOID));
}

fn softsign(b: &mut Backward<'_>) {
    b.give(0, b.g() / square_of(&(b.x(0).map(&ops::ABS) + 1.0)));
}

/// Whether the result of the op is negative.
fn is_negative(y: &Term) -> Term {
    y.with(&ops::LESS, &y.number(0.0))
}

fn elu(b: &mut Backward<'_>) {
    let (y, g) = (b.y(), b.g());
    b.give(0, is_negative(&y).select(&(&g * (&y + 1.0)), &g));
}

/// The constants of `selu` (Klambauer et al., 2017): the scale, and the scale times alpha.
const SELU: [f64; 2] = [1.050_700_987_355_480_5, 1.758_099_340_847_376_6];

fn selu(b: &mut Backward<'_>) {
    let (y, g) = (b.y(), b.g());
    let [scale, limit] = SELU;
    let slope = is_negative(&y).select(&(&y + limit), &y.number(scale));
    b.give(0, g * slope);
}

/// The second operand is the slope where the first one isn't positive.
fn leaky_relu(b: &mut Backward<'_>) {
    let positive = |x: &Term| x.with(&ops::GREATER, &x.number(0.0));
    b.give_broadcast(0, |b| positive(&b.x(0)).select(&b.g(), &(b.g() * b.x(1))));
    b.give_broadcast(1, |b| {
        let x = b.x(0);
        positive(&x).select(&x.number(0.0), &(b.g() * &x))
    });
}

fn relu6(b: &mut Backward<'_>) {
    let y = b.y();
    let above = y.with(&ops::GREATER, &y.number(0.0));
    let below = y.with(&ops::LESS, &y.number(6.0));
    b.give(0, b.g().where_(&above.with(&ops::LOGICAL_AND, &below)));
}
