//! Arithmetic element by element. The gradients of operands that were broadcast are summed to the operands' shapes.

use super::super::backward::Backward;
use super::super::term::Term;
use crate::ops;

pub(crate) fn add(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g());
    b.give_broadcast(1, |b| b.g());
}

pub(crate) fn sub(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g());
    b.give_broadcast(1, |b| -b.g());
}

pub(crate) fn mul(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g() * b.x(1));
    b.give_broadcast(1, |b| b.g() * b.x(0));
}

/// Also of integers, whose gradient nobody wants.
pub(crate) fn div(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g() / b.x(1));
    b.give_broadcast(1, |b| b.g() * (-b.x(0) / b.x(1) / b.x(1)));
}

pub(crate) fn rem(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g());
    b.give_broadcast(1, |b| -b.g() * (b.x(0) / b.x(1)).map(&ops::TRUNC));
}

pub(crate) fn floor_mod(b: &mut Backward<'_>) {
    b.give_broadcast(0, |b| b.g());
    b.give_broadcast(1, |b| -b.g() * b.x(0).with(&ops::FLOOR_DIV, &b.x(1)));
}

/// `y xʸ⁻¹` and `xʸ log x`; the second is 0 where x isn't positive, where the logarithm has no value.
pub(crate) fn pow(b: &mut Backward<'_>) {
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

/// Where both operands are equal, the first one counts.
pub(crate) fn maximum(b: &mut Backward<'_>) {
    chosen(b, &ops::GREATER_EQUAL);
}

/// Where both operands are equal, the first one counts.
pub(crate) fn minimum(b: &mut Backward<'_>) {
    chosen(b, &ops::LESS_EQUAL);
}

fn chosen(b: &mut Backward<'_>, first: &'static ops::OpDef) {
    b.give_broadcast(0, |b| b.g().where_(&b.x(0).with(first, &b.x(1))));
    b.give_broadcast(1, |b| {
        let other = b.x(0).with(first, &b.x(1)).map(&ops::LOGICAL_NOT);
        b.g().where_(&other)
    });
}

pub(crate) fn neg(b: &mut Backward<'_>) {
    b.give(0, -b.g());
}

/// 0 at 0.
pub(crate) fn abs(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::SIGN));
}

pub(crate) fn zero(b: &mut Backward<'_>) {
    b.give(0, b.x(0).zeros_like());
}

pub(crate) fn square(b: &mut Backward<'_>) {
    b.give(0, b.g() * (b.x(0) * 2.0));
}

/// 0 at 0.
pub(crate) fn relu(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g().where_(&y.with(&ops::GREATER, &y.number(0.0))));
}

pub(crate) fn exp(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.y());
}

pub(crate) fn log(b: &mut Backward<'_>) {
    b.give(0, b.g() / b.x(0));
}

/// No gradient is none, also where the slope has no value: TensorFlow's `SqrtGrad`, `RsqrtGrad` and `ReciprocalGrad` do so.
pub(crate) fn sqrt(b: &mut Backward<'_>) {
    b.give(0, b.g().with(&ops::GRAD_DIV, &(b.y() * 2.0)));
}

pub(crate) fn rsqrt(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g().with(&ops::GRAD_DIV, &(-2.0 / (&y * &y * &y))));
}

pub(crate) fn grad_div(b: &mut Backward<'_>) {
    let over = |x: Term, y: Term| x.with(&ops::GRAD_DIV, &y);
    b.give_broadcast(0, |b| over(b.g(), b.x(1)));
    b.give_broadcast(1, |b| over(-b.g() * b.y(), b.x(1)));
}

pub(crate) fn sin(b: &mut Backward<'_>) {
    b.give(0, b.g() * b.x(0).map(&ops::COS));
}

pub(crate) fn cos(b: &mut Backward<'_>) {
    b.give(0, -b.g() * b.x(0).map(&ops::SIN));
}

pub(crate) fn tanh(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g() * (1.0 - &y * &y));
}

pub(crate) fn sigmoid(b: &mut Backward<'_>) {
    let y = b.y();
    b.give(0, b.g() * (&y * (1.0 - &y)));
}

/// Between floats; through integers and truth values no gradient goes.
pub(crate) fn cast(b: &mut Backward<'_>) {
    b.give(0, b.g().cast(b.ty(0).dtype));
}

/// The operand that wasn't chosen gets 0, also where the gradient is NaN.
pub(crate) fn select(b: &mut Backward<'_>) {
    b.give_broadcast(1, |b| b.g().where_(&b.x(0)));
    b.give_broadcast(2, |b| {
        let g = b.g();
        b.x(0).select(&g.number(0.0), &g)
    });
}
