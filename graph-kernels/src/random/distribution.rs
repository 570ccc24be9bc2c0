//! From random words to numbers of a distribution, bit by bit as TensorFlow does it
//! (`tensorflow/core/lib/random/random_distributions.h`).

use std::f64::consts::TAU;

use crate::{bf16, f16};

/// The smallest argument of a logarithm.
const SMALLEST: f32 = 1e-7;

/// The greatest distance of a truncated normal value from the mean.
const BOUND: f32 = 2.0;

/// A float in [0, 1): 10 random bits behind the point.
#[inline(always)]
pub(super) fn unit_f16(word: u32) -> f16 {
    let above_one = f16::from_bits(15 << 10 | (word & 0x3ff) as u16);
    f16::from_f32(above_one.to_f32() - 1.0)
}

/// A float in [0, 1): 7 random bits behind the point.
#[inline(always)]
pub(super) fn unit_bf16(word: u32) -> bf16 {
    let above_one = bf16::from_bits(127 << 7 | (word & 0x7f) as u16);
    bf16::from_f32(above_one.to_f32() - 1.0)
}

/// A float in [0, 1): 23 random bits behind the point.
#[inline(always)]
pub(super) fn unit_f32(word: u32) -> f32 {
    f32::from_bits(127 << 23 | word & 0x7f_ffff) - 1.0
}

/// A float in [0, 1): 52 random bits behind the point.
#[inline(always)]
pub(super) fn unit_f64(high: u32, low: u32) -> f64 {
    f64::from_bits(1023 << 52 | u64::from(high & 0xf_ffff) << 32 | u64::from(low)) - 1.0
}

/// Two words as one; the first is the lower half.
#[inline(always)]
pub(super) fn wide(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// Four independent standard normal numbers from four words.
pub(super) fn normals_f32([a, b, c, d]: [u32; 4]) -> [f32; 4] {
    let ([v, w], [x, y]) = (normal_pair_f32(a, b), normal_pair_f32(c, d));
    [v, w, x, y]
}

/// Two independent standard normal numbers from two words (Box and Muller).
fn normal_pair_f32(a: u32, b: u32) -> [f32; 2] {
    let radius = (-2.0 * unit_f32(a).max(SMALLEST).ln()).sqrt();
    let angle = (TAU * f64::from(unit_f32(b))) as f32;
    [angle.sin() * radius, angle.cos() * radius]
}

/// Two independent standard normal numbers from four words (Box and Muller).
pub(super) fn normal_pair_f64([a, b, c, d]: [u32; 4]) -> [f64; 2] {
    let radius = (-2.0 * unit_f64(a, b).max(1e-7).ln()).sqrt();
    let angle = TAU * unit_f64(c, d);
    [angle.sin() * radius, angle.cos() * radius]
}

/// The next standard normal numbers that are less than two deviations from the mean.
pub(super) fn truncated_f32<const N: usize>(mut block: impl FnMut() -> [u32; 4]) -> [f32; N] {
    first(move || normals_f32(block()))
}

/// The next standard normal numbers that are less than two deviations from the mean.
pub(super) fn truncated_f64<const N: usize>(mut block: impl FnMut() -> [u32; 4]) -> [f64; N] {
    first(move || normal_pair_f64(block()))
}

/// The first `N` numbers within the bound.
fn first<T, const N: usize, const M: usize>(mut draw: impl FnMut() -> [T; M]) -> [T; N]
where
    T: Copy + Default + Into<f64>,
{
    let mut found = [T::default(); N];
    let mut count = 0;
    while count < N {
        for value in draw() {
            if count < N && value.into().abs() < f64::from(BOUND) {
                found[count] = value;
                count += 1;
            }
        }
    }
    found
}
