//! Truncation of floats to integers.

/// The integer part of a number within the range of `i32`. `as` checks for other numbers, so there are no vector instructions for it.
#[inline(always)]
pub(crate) fn truncate(value: f64) -> i32 {
    // A number of this size has a unit in the last place of 1, so the sum is rounded to an integer, which is in its low bits.
    const UNIT: f64 = 1.5 * (1u64 << 52) as f64;
    let sum = value + UNIT;
    let (nearest, integer) = (sum - UNIT, sum.to_bits() as i32);
    let above = i32::from(value >= 0.0 && nearest > value);
    let below = i32::from(value < 0.0 && nearest < value);
    integer.wrapping_sub(above).wrapping_add(below)
}
