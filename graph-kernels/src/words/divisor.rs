//! Quotients and remainders of integers by positive constants, in fewer cycles than a division takes.

/// Division by a power of two; holds its exponent, which is below 63.
#[derive(Clone, Copy)]
pub(super) struct Power(pub u16);

impl Power {
    /// The number minus 1: the bits of the remainder.
    #[inline(always)]
    fn below(self) -> i64 {
        (1 << self.0) - 1
    }

    /// `x / 2^n`, truncated.
    #[inline(always)]
    pub fn div(self, x: i64) -> i64 {
        (x + ((x >> 63) & self.below())) >> self.0
    }

    /// `x % 2^n` with the sign of `x`.
    #[inline(always)]
    pub fn rem(self, x: i64) -> i64 {
        let up = (x >> 63) & self.below();
        ((x + up) & self.below()) - up
    }

    /// `x / 2^n`, rounded down.
    #[inline(always)]
    pub fn floor_div(self, x: i64) -> i64 {
        x >> self.0
    }

    /// The remainder of [`floor_div`](Self::floor_div).
    #[inline(always)]
    pub fn floor_mod(self, x: i64) -> i64 {
        x & self.below()
    }
}

/// Division by any other number above 2: the high half of the product with its inverse gives the quotient.
///
/// If the number `d` has `l` bits, the inverse is the next integer above `2^(63 + l) / d`. Its relative error is less than `2^l / d`
/// parts in `2^(63 + l)`, so for magnitudes up to `2^63` the product is less than `1/d` above the quotient, and rounding down gives the
/// exact result. (T. Granlund, P. Montgomery: Division by invariant integers using multiplication, 1994.)
#[derive(Clone, Copy, Debug)]
pub(super) struct Divisor {
    divisor: i64,
    inverse: u64,
    shift: u32,
}

impl Divisor {
    /// `None` for a number less than 3 or a power of two.
    pub fn new(divisor: i64) -> Option<Divisor> {
        let number = u64::try_from(divisor).ok()?;
        if number < 3 || number.is_power_of_two() {
            return None;
        }
        let bits = u64::BITS - number.leading_zeros();
        // The result is below 2^64, because the number is more than 2^(bits - 1).
        let inverse = ((1 << (63 + bits)) / u128::from(number)) as u64 + 1;
        Some(Divisor {
            divisor,
            inverse,
            shift: bits - 1,
        })
    }

    #[inline(always)]
    fn quotient(self, x: u64) -> i64 {
        let high = (u128::from(x) * u128::from(self.inverse)) >> 64;
        (high as u64 >> self.shift) as i64
    }

    /// `x / d`, truncated.
    #[inline(always)]
    pub fn div(self, x: i64) -> i64 {
        let sign = x >> 63;
        (self.quotient(x.unsigned_abs()) ^ sign) - sign
    }

    /// `x % d` with the sign of `x`.
    #[inline(always)]
    pub fn rem(self, x: i64) -> i64 {
        x - self.div(x) * self.divisor
    }

    /// `x / d`, rounded down.
    #[inline(always)]
    pub fn floor_div(self, x: i64) -> i64 {
        let sign = x >> 63;
        self.quotient((x ^ sign) as u64) ^ sign
    }

    /// The remainder of [`floor_div`](Self::floor_div).
    #[inline(always)]
    pub fn floor_mod(self, x: i64) -> i64 {
        x.wrapping_sub(self.floor_div(x).wrapping_mul(self.divisor))
    }
}
