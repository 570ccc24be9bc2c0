//! Rounding of exact values to a float type, in each of the four directions.

use super::float::Float;

/// Where a value between two floats goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// To the nearest; of two equally near to the even one.
    Nearest,
    Zero,
    Down,
    Up,
}

impl Mode {
    pub(crate) fn of(number: u64) -> Self {
        match number & 3 {
            0 => Self::Nearest,
            1 => Self::Zero,
            2 => Self::Down,
            _ => Self::Up,
        }
    }

    /// Whether a positive or negative value is rounded away from zero: `rest` compares the part that is cut off with half a unit.
    fn away(self, negative: bool, odd: bool, rest: Rest) -> bool {
        match self {
            Self::Nearest => rest == Rest::More || rest == Rest::Half && odd,
            Self::Zero => false,
            Self::Down => negative && rest != Rest::None,
            Self::Up => !negative && rest != Rest::None,
        }
    }
}

/// The part of a value that is cut off, in units of the last place that is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    None,
    Less,
    Half,
    More,
}

/// The register of `±significand · 2^exponent` as an `F`.
pub(crate) fn assembled<F: Float>(
    negative: bool,
    significand: u64,
    exponent: i32,
    mode: Mode,
) -> u64 {
    let sign = if negative { F::SIGN } else { 0 };
    if significand == 0 {
        return sign;
    }
    let fraction = F::FRACTION as i32;
    let bias = (1 << (F::EXPONENT - 1)) - 1;
    let highest = exponent + 63 - significand.leading_zeros() as i32;
    let unit = highest.max(1 - bias) - fraction;
    let (kept, rest) = cut(significand, unit - exponent);
    let kept = kept + u64::from(mode.away(negative, kept & 1 != 0, rest));
    // `kept` contains the hidden bit, which adds one to the exponent; a carry out of the fraction does the same.
    let magnitude = (((unit + fraction + bias - 1) as u64) << fraction) + kept;
    sign | if magnitude < F::INFINITY {
        magnitude
    } else {
        overflow::<F>(negative, mode)
    }
}

/// Divides by `2^by`.
fn cut(significand: u64, by: i32) -> (u64, Rest) {
    if by <= 0 {
        return (significand << -by, Rest::None);
    }
    if by > 64 {
        return (0, Rest::Less);
    }
    let wide = u128::from(significand);
    let (half, rest) = (1u128 << (by - 1), wide & ((1 << by) - 1));
    let rest = match rest.cmp(&half) {
        _ if rest == 0 => Rest::None,
        std::cmp::Ordering::Less => Rest::Less,
        std::cmp::Ordering::Equal => Rest::Half,
        std::cmp::Ordering::Greater => Rest::More,
    };
    ((wide >> by) as u64, rest)
}

/// Infinity, or the largest float if the direction is towards zero.
fn overflow<F: Float>(negative: bool, mode: Mode) -> u64 {
    F::INFINITY
        - u64::from(
            mode == Mode::Zero || mode == Mode::Down && !negative || mode == Mode::Up && negative,
        )
}

/// The register of `x` as an `F`.
pub(crate) fn rounded<F: Float>(x: f64, mode: Mode) -> u64 {
    let bits = x.to_bits();
    let sign = if x.is_sign_negative() { F::SIGN } else { 0 };
    if x.is_nan() {
        return F::nan().register();
    }
    if x.is_infinite() {
        return sign | F::INFINITY;
    }
    let fraction = bits & ((1 << 52) - 1);
    let (significand, exponent) = match (bits >> 52 & 0x7ff) as i32 {
        0 => (fraction, -1074),
        e => (fraction | 1 << 52, e - 1075),
    };
    assembled::<F>(x.is_sign_negative(), significand, exponent, mode)
}

/// `r`, the result rounded to nearest of a value that is greater than `r` by something of `excess`'s sign, rounded in another direction.
pub(crate) fn directed<F: Float>(r: F, excess: F, mode: Mode) -> F {
    let zero = F::of(0);
    let down = excess < zero && (mode == Mode::Down || mode == Mode::Zero && r > zero);
    let up = excess > zero && (mode == Mode::Up || mode == Mode::Zero && r < zero);
    match (down, up) {
        (true, _) => next_down(r),
        (_, true) => next_down(r.neg()).neg(),
        _ => r,
    }
}

/// The largest finite value if `r` overflowed and the direction is away from that infinity.
pub(crate) fn overflowed<F: Float>(r: F, mode: Mode) -> F {
    let sign = r.register() & F::SIGN;
    F::of(sign | overflow::<F>(r.is_negative(), mode))
}

fn next_down<F: Float>(r: F) -> F {
    let bits = r.register();
    F::of(match bits {
        0 => F::SIGN | 1,
        _ if bits & F::SIGN != 0 => bits + 1,
        _ => bits - 1,
    })
}
