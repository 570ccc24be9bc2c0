//! The number type over which formulas are recorded.

use std::cmp::Ordering;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub};

use super::recorder::{outcome, push, step, unknown};
use super::steps::{Comparison, LaneOp, LaneType};

/// A number type that a lane can have.
pub(crate) trait Plain: Copy + PartialOrd + Default {
    const TYPE: LaneType;
    /// The bit of the sign.
    const SIGN: u64;
    /// Whether `>>` keeps the sign.
    const SIGNED: bool;
    fn bits(self) -> u64;
    fn of_bits(bits: u64) -> Self;
}

macro_rules! plain {
    ($($type:ty, $lane:ident, $sign:expr, $signed:expr, $bits:expr, $of:expr;)*) => { $(
        impl Plain for $type {
            const TYPE: LaneType = LaneType::$lane;
            const SIGN: u64 = $sign;
            const SIGNED: bool = $signed;
            fn bits(self) -> u64 { $bits(self) }
            fn of_bits(bits: u64) -> Self { $of(bits) }
        }
    )* };
}
plain! {
    f32, F32, 1 << 31, true, |x: f32| x.to_bits().into(), |bits| f32::from_bits(bits as u32);
    f64, F64, 1 << 63, true, f64::to_bits, f64::from_bits;
    i32, I32, 1 << 31, true, |x| u64::from(x as u32), |bits| bits as i32;
    u32, I32, 1 << 31, false, u64::from, |bits| bits as u32;
    i64, I64, 1 << 63, true, |x| x as u64, |bits| bits as i64;
    u64, I64, 1 << 63, false, |bits| bits, |bits| bits;
}

/// A number that is known, or the value of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Symbol<F> {
    Number(F),
    Value(usize),
}

/// A value that formulas take and give: a symbol, or a truth value.
pub(crate) trait FormulaValue: Copy {
    /// The value of a step.
    fn of_step(n: usize) -> Self;
    /// The step that has this value.
    fn to_step(self) -> usize;
    /// Whether it is the same number in all lanes.
    fn is_number(&self) -> bool {
        false
    }
}

impl<F: Plain> FormulaValue for Symbol<F> {
    fn of_step(n: usize) -> Self {
        match step(n).number() {
            Some(bits) => Symbol::Number(F::of_bits(bits)),
            None => Symbol::Value(n),
        }
    }

    fn to_step(self) -> usize {
        match self {
            Symbol::Number(number) => push(LaneOp::Number(number.bits()), F::TYPE, &[]),
            Symbol::Value(n) => n,
        }
    }

    fn is_number(&self) -> bool {
        matches!(self, Symbol::Number(_))
    }
}

/// A formula that takes a truth value is run for both.
impl FormulaValue for bool {
    fn of_step(n: usize) -> Self {
        outcome(n)
    }

    fn to_step(self) -> usize {
        push(LaneOp::Number(self.into()), LaneType::Mask, &[])
    }
}

/// A value of a type that can't be recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unknown;

impl FormulaValue for Unknown {
    fn of_step(_: usize) -> Self {
        unknown();
        Unknown
    }

    fn to_step(self) -> usize {
        unknown();
        0
    }
}

impl<F: Plain> Symbol<F> {
    /// A step of this type.
    pub fn apply(op: LaneOp, operands: &[Self]) -> Self {
        let operands: Vec<usize> = operands.iter().map(|operand| operand.to_step()).collect();
        Symbol::Value(push(op, F::TYPE, &operands))
    }

    /// The same bits as a number of another type.
    pub fn cast<G: Plain>(self) -> Symbol<G> {
        match self {
            Symbol::Number(number) => Symbol::Number(G::of_bits(number.bits())),
            Symbol::Value(n) => Symbol::Value(n),
        }
    }

    /// A number with these bits.
    pub fn of_bits(bits: u64) -> Self {
        Symbol::Number(F::of_bits(bits))
    }

    /// What a function that can't be recorded gives.
    pub fn unknown() -> Self {
        unknown();
        Symbol::Number(F::default())
    }

    pub fn magnitude(self) -> Self {
        self & Symbol::of_bits(F::SIGN - 1)
    }

    /// The magnitude of this number with the sign of another one.
    pub fn with_sign_of(self, sign: Self) -> Self {
        self.magnitude() | (sign & Symbol::of_bits(F::SIGN))
    }

    /// Whether a comparison holds, in this run of the formula.
    fn holds(self, comparison: Comparison, other: Self) -> bool {
        match (self, other) {
            (Symbol::Number(a), Symbol::Number(b)) => match comparison {
                Comparison::Less => a < b,
                Comparison::LessEqual => a <= b,
                Comparison::Equal => a == b,
            },
            _ => {
                let operands = [self.to_step(), other.to_step()];
                outcome(push(LaneOp::Compare(comparison), F::TYPE, &operands))
            }
        }
    }
}

impl<F: Plain> PartialEq for Symbol<F> {
    fn eq(&self, other: &Self) -> bool {
        self.holds(Comparison::Equal, *other)
    }
}

impl<F: Plain> PartialOrd for Symbol<F> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self < other {
            Some(Ordering::Less)
        } else if self == other {
            Some(Ordering::Equal)
        } else {
            (self > other).then_some(Ordering::Greater)
        }
    }

    fn lt(&self, other: &Self) -> bool {
        self.holds(Comparison::Less, *other)
    }

    fn le(&self, other: &Self) -> bool {
        self.holds(Comparison::LessEqual, *other)
    }

    fn gt(&self, other: &Self) -> bool {
        other < self
    }

    fn ge(&self, other: &Self) -> bool {
        other <= self
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident;)*) => { $(
        impl<F: Plain> $trait for Symbol<F> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Symbol::apply(LaneOp::$op, &[self, other])
            }
        }
    )* };
}
operators! { Add add Add; Sub sub Sub; Mul mul Mul; Div div Div; BitAnd bitand And; BitOr bitor Or; BitXor bitxor Xor; }

/// Of a float; the sign changes.
impl<F: Plain> Neg for Symbol<F> {
    type Output = Self;
    fn neg(self) -> Self {
        self ^ Symbol::of_bits(F::SIGN)
    }
}

impl<F: Plain> Not for Symbol<F> {
    type Output = Self;
    fn not(self) -> Self {
        self ^ Symbol::of_bits(u64::MAX)
    }
}

impl<F: Plain> Shl<u32> for Symbol<F> {
    type Output = Self;
    fn shl(self, by: u32) -> Self {
        Symbol::apply(LaneOp::ShiftLeft(by as u8), &[self])
    }
}

impl<F: Plain> Shr<u32> for Symbol<F> {
    type Output = Self;
    fn shr(self, by: u32) -> Self {
        let op = match F::SIGNED {
            true => LaneOp::ShiftRightSigned(by as u8),
            false => LaneOp::ShiftRight(by as u8),
        };
        Symbol::apply(op, &[self])
    }
}

/// The bits of a float as an unsigned integer, which wraps.
pub(crate) trait Word:
    Copy
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
{
    fn of(bits: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
}

macro_rules! words {
    ($($type:ident)*) => { $(
        impl Word for $type {
            #[inline(always)]
            fn of(bits: u64) -> Self {
                bits as $type
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
        }

        impl Word for Symbol<$type> {
            fn of(bits: u64) -> Self {
                Symbol::of_bits(bits)
            }
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn minus(self, other: Self) -> Self {
                self - other
            }
        }
    )* };
}
words! { u32 u64 }
