//! Conversions between all types. Their second operand holds the modifiers.

use super::float::Float;
use super::integer::Integer;
use super::operation::Modifiers;
use super::round::{Mode, assembled, rounded};

pub(crate) fn integer_to_integer<S: Integer, D: Integer>(
    a: u64,
    modifiers: u64,
    _: u64,
    _: u64,
) -> u64 {
    let x = S::of(a);
    if Modifiers::of(modifiers).saturate {
        D::clamped(x.wide()).register()
    } else {
        D::of(x.register()).register()
    }
}

pub(crate) fn integer_to_float<S: Integer, D: Float>(
    a: u64,
    modifiers: u64,
    _: u64,
    _: u64,
) -> u64 {
    let (x, m) = (S::of(a).wide(), Modifiers::of(modifiers));
    let value = assembled::<D>(x < 0, x.unsigned_abs() as u64, 0, m.mode);
    m.output(D::of(value)).register()
}

/// Saturates; NaN becomes 0.
pub(crate) fn float_to_integer<S: Float, D: Integer>(
    a: u64,
    modifiers: u64,
    _: u64,
    _: u64,
) -> u64 {
    let m = Modifiers::of(modifiers);
    D::saturating(integral(m.input(S::of(a)).wide(), m.mode)).register()
}

pub(crate) fn float_to_float<S: Float, D: Float>(a: u64, modifiers: u64, _: u64, _: u64) -> u64 {
    let m = Modifiers::of(modifiers);
    let value = D::of(rounded::<D>(m.input(S::of(a)).wide(), m.mode));
    m.output(value).register()
}

/// Rounds to an integer of the same type.
pub(crate) fn float_to_integral<F: Float>(a: u64, modifiers: u64, _: u64, _: u64) -> u64 {
    let m = Modifiers::of(modifiers);
    m.output(F::narrow(integral(m.input(F::of(a)).wide(), m.mode)))
        .register()
}

fn integral(x: f64, mode: Mode) -> f64 {
    match mode {
        Mode::Nearest => x.round_ties_even(),
        Mode::Zero => x.trunc(),
        Mode::Down => x.floor(),
        Mode::Up => x.ceil(),
    }
}
