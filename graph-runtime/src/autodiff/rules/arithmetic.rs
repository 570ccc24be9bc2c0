//! Elementwise arithmetic. The gradients of broadcast operands are summed to the operands' shapes.

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use crate::ops;

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::ADD, add),
    (&ops::SUB, sub),
    (&ops::MUL, mul),
    (&ops::DIV, div),
    (&ops::REM, rem),
    (&ops::TRUE_DIV, div),
    (&ops::FLOOR_MOD, floor_mod),
    (&ops::POW, pow),
    (&ops::MAXIMUM, maximum),
    (&ops::MINIMUM, minimum),
    (&ops::NEG, neg),
    (&ops::ABS, abs),
    (&ops::SIGN, zero),
    (&ops::SQUARE, square),
    (&ops::RELU, relu),
    (&ops::EXP, exp),
    (&ops::LOG, log),
    (&ops::SQRT, sqrt),
    (&ops::RSQRT, rsqrt),
    (&ops::SIN, sin),
    (&ops::COS, cos),
    (&ops::TANH, tanh),
    (&ops::SIGMOID, sigmoid),
    (&ops::CAST, cast),
    (&ops::SELECT, select),
    (&ops::GRAD_DIV, grad_div),
];

fn add(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g());
    b.give_broadcast(1, |b| b.g());
}

fn sub(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g());
    b.give_broadcast(1, |b| -b.g());
}

fn mul(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g() * b.x(1));
    b.give_broadcast(1, |b| b.g() * b.x(0));
}

/// The rule is also called for integers, whose gradient isn't used.
fn div(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g() / b.x(1));
    b.give_broadcast(1, |b| b.g() * (-b.x(0) / b.x(1) / b.x(1)));
}

fn rem(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g());
    b.give_broadcast(1, |b| -b.g() * (b.x(0) / b.x(1)).map(&ops::TRUNC));
}

fn floor_mod(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g());
    b.give_broadcast(1, |b| -b.g() * b.x(0).with(&ops::FLOOR_DIV, &b.x(1)));
}

/// `y xʸ⁻¹` and `xʸ log x`; the second is 0 where x isn't positive, because the logarithm is undefined there.
fn pow(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| {
        let (x, y) = (b.x(0), b.x(1));
        b.g() * &y * x.with(&ops::POW, &(&y - 1.0))
    });
    b.give_broadcast(1, |b| {
        let x = b.x(0);
        let positive = x.with(&ops::GREATER, &x.number(0.0));
        let safe = positive.select(&x, &x.number(1.0));
        b.g() * b.y() * safe.map(&ops::LOG)
    });
}

/// Where the operands are equal, the gradient goes to the first one.
fn maximum(b: &mut Backward<'_>) {
    chosen(b, &ops::GREATER_EQUAL);
}

/// Where the operands are equal, the gradient goes to the first one.
fn minimum(b: &mut Backward<'_>) {
    chosen(b, &ops::LESS_EQUAL);
}

fn chosen(b: &mut Backward<'_>, first: &'static ops::OpDef) {
    b.give_broadcast(0, |b| b.g().where_(&b.x(0).with(first, &b.x(1))));
    b.give_broadcast(1, |b| {
        let other = b.x(0).with(first, &b.x(1)).map(&ops::LOGICAL_NOT);
        b.g().where_(&other)
    });
}

fn neg(b: &mut Backward<'_>) {
    b.give(0, -b.g());
}

/// The gradient is 0 at 0.
fn abs(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::SIGN));
}

fn zero(b: &mut Backward<'_>) {
    b.give(0, b.x(0).zeros_like());
}

fn square(b: &mut Backward<'_>) {
    b.give(0, b.g() * (b.x(0) * 2.0));
}

/// The gradient is 0 at 0.
fn relu(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g().where_(&y.with(&ops::GREATER, &y.number(0.0))));
}

fn exp(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.y());
}

fn log(b: &mut Backward<'_>) {
    b.give(0, b.g() / b.x(0));
}

/// A zero upstream gradient gives zero, even where the slope is infinite, as in TensorFlow's `SqrtGrad`, `RsqrtGrad` and `ReciprocalGrad`.
fn sqrt(b: &mut Backward<'_>) {
    b.give(0, b.g().with(&ops::GRAD_DIV, &(b.y() * 2.0)));
}

fn rsqrt(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g().with(&ops::GRAD_DIV, &(-2.0 / (&y * &y * &y))));
}

fn grad_div(b: &mut Backward<'_>) {
    let over = |x: Term, y: Term| x.with(&ops::GRAD_DIV, &y);
    b.give_broadcast(0, |b| over(b.g(), b.x(1)));
    b.give_broadcast(1, |b| over(-b.g() * b.y(), b.x(1)));
}

fn sin(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::COS));
}

fn cos(b: &mut Backward<'_>) {
    b.give(0, -b.g() * b.x(0).map(&ops::SIN));
}

fn tanh(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g() * (1.0 - &y * &y));
}

fn sigmoid(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g() * (&y * (1.0 - &y)));
}

/// Gradients flow through casts between floats only, not through integers and booleans.
fn cast(b: &mut Backward<'_>) {
    b.give(0, b.g().cast(b.ty(0).dtype));
}

/// The operand that wasn't chosen gets 0, even where the gradient is NaN.
fn select(b: &mut Backward<'_>) {
    b.give_broadcast(1, |b| b.g().where_(&b.x(0)));
    b.give_broadcast(2, |b| {
        let g = b.g();
        b.x(0).select(&g.number(0.0), &g)
    });
}
