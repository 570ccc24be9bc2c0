//! Comparisons: one function for each type, whose result is one of four bits.

use super::float::Float;
use super::integer::Integer;
use std::cmp::Ordering;

pub(crate) const LESS: u8 = 1;
pub(crate) const EQUAL: u8 = 2;
pub(crate) const GREATER: u8 = 4;
/// At least one operand is NaN.
pub(crate) const UNORDERED: u8 = 8;

fn bit(order: Option<Ordering>) -> u8 {
    match order {
        Some(Ordering::Less) => LESS,
        Some(Ordering::Equal) => EQUAL,
        Some(Ordering::Greater) => GREATER,
        None => UNORDERED,
    }
}

pub(crate) fn integers<T: Integer>(a: u64, b: u64) -> u8 {
    bit(Some(T::of(a).cmp(&T::of(b))))
}

pub(crate) fn floats<F: Float>(a: u64, b: u64) -> u8 {
    bit(F::of(a).partial_cmp(&F::of(b)))
}

/// With subnormal operands as zeros.
pub(crate) fn flushed<F: Float>(a: u64, b: u64) -> u8 {
    bit(F::of(a).flushed().partial_cmp(&F::of(b).flushed()))
}

/// The orders for which a comparison of this name holds. Names with `u` at the end hold for NaN, too.
pub(crate) fn mask(name: &str, float: bool, signed: bool) -> Option<u8> {
    let simple = |name: &str| {
        Some(match name {
            "eq" => EQUAL,
            "ne" => LESS | GREATER,
            "lt" => LESS,
            "le" => LESS | EQUAL,
            "gt" => GREATER,
            "ge" => GREATER | EQUAL,
            _ => return None,
        })
    };
    match name {
        "num" if float => Some(LESS | EQUAL | GREATER),
        "nan" if float => Some(UNORDERED),
        "lo" | "ls" | "hi" | "hs" if !float && !signed => match name {
            "lo" => Some(LESS),
            "ls" => Some(LESS | EQUAL),
            "hi" => Some(GREATER),
            _ => Some(GREATER | EQUAL),
        },
        _ => match name.strip_suffix('u') {
            Some(ordered) if float => simple(ordered).map(|m| m | UNORDERED),
            _ => simple(name),
        },
    }
}

/// `testp`: 1 if a float is of a class.
pub(crate) fn class<F: Float>(name: &str) -> Option<super::super::code::Alu> {
    fn test<F: Float>(a: u64, holds: impl Fn(F) -> bool) -> u64 {
        u64::from(holds(F::of(a)))
    }
    Some(match name {
        "finite" => |a, _, _, _| test::<F>(a, F::is_finite),
        "infinite" => |a, _, _, _| test::<F>(a, |x| !x.is_finite() && !x.is_nan()),
        "number" => |a, _, _, _| test::<F>(a, |x| !x.is_nan()),
        "notanumber" => |a, _, _, _| test::<F>(a, F::is_nan),
        "normal" => {
            |a, _, _, _| test::<F>(a, |x| x.is_finite() && !x.is_subnormal() && x != F::of(0))
        }
        "subnormal" => |a, _, _, _| test::<F>(a, F::is_subnormal),
        _ => return None,
    })
}
