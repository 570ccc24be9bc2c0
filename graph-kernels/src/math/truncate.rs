//! Integer parts.

/// The integer part of a number that is one of an `i32`, without `as`, for which there are no vector instructions because it
/// looks out for other numbers.
#[inline(always)]
pub(crate) fn truncate(value: f64) -> i32 {
    // The last bit of a number of this size is 1, so that the sum is rounded to an integer, which stands in its low bits.
    const UNIT: f64 = 1.5 * (1u64 << 52) as f64;
    let sum = value + UNIT;
    let (nearest, integer) = (sum - UNIT, sum.to_bits() as i32);
    let above = i32::from(value >= 0.0 && nearest > value);
    let below = i32::from(value < 0.0 && nearest < value);
    integer.wrapping_sub(above).wrapping_add(below)
}
