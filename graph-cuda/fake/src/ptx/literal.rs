//! Literals: integers, floats and the hexadecimal forms of floats.

use super::{Kind, Type};

/// A literal's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Literal {
    Integer(u64),
    Single(u32),
    Double(u64),
}

impl Literal {
    /// Reads a literal as it is written, without its sign.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let lower = text.to_ascii_lowercase();
        if let Some(hex) = lower.strip_prefix("0f") {
            return (hex.len() == 8)
                .then(|| u32::from_str_radix(hex, 16).ok().map(Self::Single))
                .flatten();
        }
        if let Some(hex) = lower.strip_prefix("0d") {
            return (hex.len() == 16)
                .then(|| u64::from_str_radix(hex, 16).ok().map(Self::Double))
                .flatten();
        }
        if lower.contains('.') {
            return lower.parse::<f64>().ok().map(|v| Self::Double(v.to_bits()));
        }
        let digits = lower.strip_suffix('u').unwrap_or(&lower);
        let number = match digits.get(..2) {
            Some("0x") => u64::from_str_radix(&digits[2..], 16),
            Some("0b") => u64::from_str_radix(&digits[2..], 2),
            _ if digits.len() > 1 && digits.starts_with('0') => {
                u64::from_str_radix(&digits[1..], 8)
            }
            _ => digits.parse(),
        };
        number.ok().map(Self::Integer)
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Integer(v) => Self::Integer(v.wrapping_neg()),
            Self::Single(v) => Self::Single(v ^ 1 << 31),
            Self::Double(v) => Self::Double(v ^ 1 << 63),
        }
    }

    /// The bits of the literal as an operand of type `of`, if it may be one.
    pub(crate) fn bits(self, of: Type) -> Option<u64> {
        match (self, of.kind, of.bits) {
            (Self::Integer(v), Kind::Predicate, _) => (v <= 1).then_some(v),
            (Self::Integer(v), Kind::Bits | Kind::Signed | Kind::Unsigned, bits) => {
                fits(v, bits).then_some(v)
            }
            (Self::Single(v), Kind::Float | Kind::Bits, 32) => Some(u64::from(v)),
            (Self::Single(v), Kind::Float, 64) => Some(f64::from(f32::from_bits(v)).to_bits()),
            (Self::Double(v), Kind::Float, 32) => {
                Some(u64::from((f64::from_bits(v) as f32).to_bits()))
            }
            (Self::Double(v), Kind::Float | Kind::Bits, 64) => Some(v),
            _ => None,
        }
    }
}

/// Whether a value, of either sign, has no more than `bits` bits.
fn fits(v: u64, bits: u32) -> bool {
    bits == 64 || v >> bits == 0 || (v as i64) >> (bits - 1) == -1
}
