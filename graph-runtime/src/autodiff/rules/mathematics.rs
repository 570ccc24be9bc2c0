//! Functions of floats.

use std::f64::consts::{LN_2, LN_10, PI};

use super::super::backward::Backward;
use super::super::term::Term;
use crate::ops::{self, Attr};

pub(crate) fn exp2(b: &mut Backward<'_>) {
    b.give(0, b.g() * (b.y() * LN_2));
}

pub(crate) fn expm1(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::EXP));
}

pub(crate) fn log1p(b: &mut Backward<'_>) {
    b.give(0, b.g() / (b.x(0) + 1.0));
}

pub(crate) fn log2(b: &mut Backward<'_>) {
    b.give(0, b.g() / (b.x(0) * LN_2));
}

pub(crate) fn log10(b: &mut Backward<'_>) {
    b.give(0, b.g() / (b.x(0) * LN_10));
}

pub(crate) fn cbrt(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g() / (&y * &y * 3.0));
}

pub(crate) fn reciprocal(b: &mut Backward<'_>) {
    let x = b.x(0);
    b.give(0, b.g().with(&ops::GRAD_DIV, &-(&x * &x)));
}

/// The gradient is checked as well, and the message says that it is one.
pub(crate) fn check_numerics(b: &mut Backward<'_>) {
    let message = b.attrs().text("message").unwrap_or_default();
    let message =
        format!("Not a number (NaN) or infinity (Inf) values detected in gradient. {message}");
    let checked = b
        .g()
        .map_with(&ops::CHECK_NUMERICS, [("message", Attr::Text(message))]);
    b.give(0, checked);
}

pub(crate) fn tan(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g() * (&y * &y + 1.0));
}

/// `sqrt(1 - x²)`, or `sqrt(x² ± 1)`: the root under which inverse functions are differentiated.
fn root(squared: Term) -> Term {
    squared.map(&ops::SQRT)
}

fn square_of(x: &Term) -> Term {
    x.map(&ops::SQUARE)
}

pub(crate) fn asin(b: &mut Backward<'_>) {
    b.give(0, b.g() / root(1.0 - square_of(&b.x(0))));
}

pub(crate) fn acos(b: &mut Backward<'_>) {
    b.give(0, -b.g() / root(1.0 - square_of(&b.x(0))));
}

pub(crate) fn atan(b: &mut Backward<'_>) {
    b.give(0, b.g() / (square_of(&b.x(0)) + 1.0));
}

pub(crate) fn atan2(b: &mut Backward<'_>) {
    let over = |b: &Backward<'_>| b.g() / (square_of(&b.x(0)) + square_of(&b.x(1)));
    b.give_broadcast(0, |b| over(b) * b.x(1));
    b.give_broadcast(1, |b| -over(b) * b.x(0));
}

pub(crate) fn sinh(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::COSH));
}

pub(crate) fn cosh(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::SINH));
}

pub(crate) fn asinh(b: &mut Backward<'_>) {
    b.give(0, b.g() / b.y().map(&ops::COSH));
}

pub(crate) fn acosh(b: &mut Backward<'_>) {
    b.give(0, b.g() / b.y().map(&ops::SINH));
}

pub(crate) fn atanh(b: &mut Backward<'_>) {
    b.give(0, b.g() / (1.0 - square_of(&b.x(0))));
}

/// `2 / sqrt(π) exp(-x²)`.
fn gauss(b: &Backward<'_>) -> Term {
    (-square_of(&b.x(0))).map(&ops::EXP) * (2.0 / PI.sqrt())
}

pub(crate) fn erf(b: &mut Backward<'_>) {
    b.give(0, b.g() * gauss(b));
}

pub(crate) fn erfc(b: &mut Backward<'_>) {
    b.give(0, -b.g() * gauss(b));
}

/// 0 where the divisor is 0.
pub(crate) fn divide_no_nan(b: &mut Backward<'_>) {
    let over = |x: Term, y: Term| x.with(&ops::DIVIDE_NO_NAN, &y);
    b.give_broadcast(0, |b| over(b.g(), b.x(1)));
    b.give_broadcast(1, |b| b.g() * over(over(-b.x(0), b.x(1)), b.x(1)));
}

/// 1 where the term isn't 0, and 0 where it is.
fn not_zero(x: &Term) -> Term {
    x.with(&ops::NOT_EQUAL, &x.number(0.0)).cast(x.dtype())
}

pub(crate) fn xlogy(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g() * not_zero(&b.x(0)).with(&ops::XLOGY, &b.x(1)));
    b.give_broadcast(1, |b| b.g() * b.x(0).with(&ops::XDIVY, &b.x(1)));
}

pub(crate) fn xlog1py(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| {
        b.g() * not_zero(&b.x(0)).with(&ops::XLOG1PY, &b.x(1))
    });
    b.give_broadcast(1, |b| b.g() * b.x(0).with(&ops::XDIVY, &(b.x(1) + 1.0)));
}

pub(crate) fn xdivy(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g() * not_zero(&b.x(0)).with(&ops::XDIVY, &b.x(1)));
    b.give_broadcast(1, |b| {
        b.g() * (-b.x(0)).with(&ops::XDIVY, &square_of(&b.x(1)))
    });
}

pub(crate) fn squared_difference(b: &mut Backward<'_>) {
    let half = |b: &Backward<'_>| b.g() * 2.0 * (b.x(0) - b.x(1));
    b.give_broadcast(0, half);
    b.give_broadcast(1, |b| -half(b));
}

pub(crate) fn softplus(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::SIGMOID));
}

pub(crate) fn softsign(b: &mut Backward<'_>) {
    b.give(0, b.g() / square_of(&(b.x(0).map(&ops::ABS) + 1.0)));
}

/// Whether the result is negative.
fn is_negative(y: &Term) -> Term {
    y.with(&ops::LESS, &y.number(0.0))
}

pub(crate) fn elu(b: &mut Backward<'_>) {
    let (y, g) = (b.y(), b.g());
    b.give(0, is_negative(&y).select(&(&g * (&y + 1.0)), &g));
}

/// The constants of `selu` (Klambauer et al., 2017): the scale, and the scale times alpha.
const SELU: [f64; 2] = [1.050_700_987_355_480_5, 1.758_099_340_847_376_6];

pub(crate) fn selu(b: &mut Backward<'_>) {
    let (y, g) = (b.y(), b.g());
    let [scale, limit] = SELU;
    let slope = is_negative(&y).select(&(&y + limit), &y.number(scale));
    b.give(0, g * slope);
}

/// The second operand is the slope where the first isn't positive.
pub(crate) fn leaky_relu(b: &mut Backward<'_>) {
    let positive = |x: &Term| x.with(&ops::GREATER, &x.number(0.0));
    b.give_broadcast(0, |b| positive(&b.x(0)).select(&b.g(), &(b.g() * b.x(1))));
    b.give_broadcast(1, |b| {
        let x = b.x(0);
        positive(&x).select(&x.number(0.0), &(b.g() * &x))
    });
}

pub(crate) fn relu6(b: &mut Backward<'_>) {
    let y = b.y();
    let above = y.with(&ops::GREATER, &y.number(0.0));
    let below = y.with(&ops::LESS, &y.number(6.0));
    b.give(0, b.g().where_(&above.with(&ops::LOGICAL_AND, &below)));
}
