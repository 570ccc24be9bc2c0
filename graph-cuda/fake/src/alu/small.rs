//! The 16-bit floats. They compute in `f64`, rounded to odd where that isn't exact, so that the rounding to 16 bits is the only one.

use super::float::Float;
use super::round::{Mode, rounded};

/// IEEE's 16-bit float.
#[derive(Clone, Copy)]
pub(crate) struct Half(u16);

/// The 16-bit float with the exponent of `f32`.
#[derive(Clone, Copy)]
pub(crate) struct Brain(u16);

/// A sum to odd: if it isn't exact, the last bit is set, which keeps later roundings right.
fn add_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        return sum;
    }
    let back = sum - a;
    let error = (a - (sum - back)) + (b - back);
    if error == 0.0 || sum.to_bits() & 1 != 0 {
        return sum;
    }
    // The exact sum lies between `sum`, which is even, and the odd neighbour on the side of the error.
    if (error > 0.0) == (sum > 0.0) {
        f64::from_bits(sum.to_bits() + 1)
    } else {
        f64::from_bits(sum.to_bits() - 1)
    }
}

macro_rules! small {
    ($t:ident, $fraction:expr, $exponent:expr) => {
        impl PartialEq for $t {
            fn eq(&self, other: &Self) -> bool {
                self.wide() == other.wide()
            }
        }
        impl PartialOrd for $t {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                self.wide().partial_cmp(&other.wide())
            }
        }
        impl Float for $t {
            const FRACTION: u32 = $fraction;
            const EXPONENT: u32 = $exponent;
            fn of(register: u64) -> Self {
                Self(register as u16)
            }
            fn register(self) -> u64 {
                u64::from(self.0)
            }
            fn wide(self) -> f64 {
                let magnitude = self.register() & (Self::SIGN - 1);
                let fraction = magnitude & ((1 << $fraction) - 1);
                let exponent = (magnitude >> $fraction) as i32;
                let bias = (1 << ($exponent - 1)) - 1;
                let value = match exponent {
                    0 => fraction as f64 * f64::powi(2.0, 1 - bias - $fraction),
                    e if e == 2 * bias + 1 => {
                        if fraction == 0 {
                            f64::INFINITY
                        } else {
                            f64::NAN
                        }
                    }
                    e => (fraction | 1 << $fraction) as f64 * f64::powi(2.0, e - bias - $fraction),
                };
                if self.is_negative() { -value } else { value }
            }
            fn narrow(x: f64) -> Self {
                Self(rounded::<Self>(x, Mode::Nearest) as u16)
            }
            fn add(self, other: Self) -> Self {
                Self::narrow(add_to_odd(self.wide(), other.wide()))
            }
            fn mul(self, other: Self) -> Self {
                Self::narrow(self.wide() * other.wide())
            }
            fn fma(self, by: Self, plus: Self) -> Self {
                Self::narrow(add_to_odd(self.wide() * by.wide(), plus.wide()))
            }
            // Quotients and roots of so few bits are never near enough to a tie for a second rounding to matter.
            fn div(self, by: Self) -> Self {
                Self::narrow(self.wide() / by.wide())
            }
            fn sqrt(self) -> Self {
                Self::narrow(self.wide().sqrt())
            }
        }
    };
}
small!(Half, 10, 5);
small!(Brain, 7, 8);
