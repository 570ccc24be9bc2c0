//! Which numbers are narrow, and how several of them share a word.

use super::super::blocked::depth;
use super::super::matrix::Matrix;
use crate::number::Number;
use crate::simd::narrow::{self, LANES, Left, Right, Sums};
use crate::simd::{self, Kernel, MulAdd};

/// Numbers of which several share a word.
pub(super) trait Narrow: Number {
    /// How many.
    const TERMS: usize;

    /// The offsets of the left and of the right operand, if all values fit.
    fn offsets(left: Matrix<Self>, right: Matrix<Self>) -> Option<[Self; 2]>;

    /// The number of terms that are added before the sum is written to memory.
    fn depth(terms: usize) -> usize;

    /// A value less an offset, in its place of a word.
    fn term(self, offset: Self, place: usize) -> i32;

    /// Packs values that lie behind each other; what fills the last word is zero already.
    fn pack(values: &[Self], offset: Self, words: &mut [i32]);

    fn sums<const C: usize>(left: Left, right: Right<C>) -> Sums<Self, C>;
}

impl Narrow for i32 {
    const TERMS: usize = 4;

    fn offsets(left: Matrix<i32>, right: Matrix<i32>) -> Option<[i32; 2]> {
        // The smaller operand first: that it doesn't fit is found in less time.
        let [x, y] = match left.rows <= right.columns {
            true => [least(left)?, least(right)?],
            false => {
                let y = least(right)?;
                [least(left)?, y]
            }
        };
        Some([x, y.wrapping_add(128)])
    }

    fn depth(terms: usize) -> usize {
        terms
    }

    #[inline(always)]
    fn term(self, offset: i32, place: usize) -> i32 {
        (self.wrapping_sub(offset) & 255) << (8 * place)
    }

    #[inline(always)]
    fn pack(values: &[i32], offset: i32, words: &mut [i32]) {
        let bytes: &mut [[u8; 4]] = bytemuck::cast_slice_mut(words);
        let bytes = bytes.as_flattened_mut().iter_mut().zip(values);
        bytes.for_each(|(byte, value)| *byte = value.wrapping_sub(offset) as u8);
    }

    fn sums<const C: usize>(left: Left, right: Right<C>) -> Sums<i32, C> {
        narrow::byte_sums(left, right)
    }
}

impl Narrow for f32 {
    const TERMS: usize = 2;

    fn offsets(left: Matrix<f32>, right: Matrix<f32>) -> Option<[f32; 2]> {
        // Most products are of other floats, which the first values show.
        let begins = |m| lines(m).next().map(|line| &line[..line.len().min(LANES)]);
        let first = [begins(left)?, begins(right)?];
        if first
            .into_iter()
            .flatten()
            .any(|value| value.to_bits() & 0xFFFF != 0)
        {
            return None;
        }
        // The last digit of a `bf16` is 7 binary places behind the first one.
        let last_digit = lowest_exponent(left)? + lowest_exponent(right)? - 2 * 7;
        (last_digit >= f32::MIN_EXP - 1).then_some([0.0; 2])
    }

    fn depth(terms: usize) -> usize {
        depth(terms)
    }

    #[inline(always)]
    fn term(self, _: f32, place: usize) -> i32 {
        let bits = self.to_bits().cast_signed();
        if place == 0 {
            bits
        } else {
            (bits >> 16) & 0xFFFF
        }
    }

    #[inline(always)]
    fn pack(values: &[f32], _: f32, words: &mut [i32]) {
        let (pairs, last) = values.as_chunks::<2>();
        for (word, [first, second]) in words.iter_mut().zip(pairs) {
            *word = first.term(0.0, 0) | second.term(0.0, 1);
        }
        if let [last] = last {
            words[pairs.len()] = last.term(0.0, 0);
        }
    }

    fn sums<const C: usize>(left: Left, right: Right<C>) -> Sums<f32, C> {
        narrow::half_sums(left, right)
    }
}

/// The rows of a matrix as they lie in memory, or its columns.
fn lines<T>(m: Matrix<'_, T>) -> impl Iterator<Item = &[T]> {
    let (count, len, stride) = match m.column_stride {
        1 => (m.rows, m.columns, m.row_stride),
        _ => (m.columns, m.rows, m.column_stride),
    };
    (0..count).map(move |n| &m.values[n * stride..][..len])
}

/// The least value of a matrix, if no value is more than a byte larger.
fn least(m: Matrix<i32>) -> Option<i32> {
    let (mut least, mut most) = (i32::MAX, i32::MIN);
    for line in lines(m) {
        let [low, high] = simd::run(Extremes(line));
        (least, most) = (least.min(low), most.max(high));
        if most.wrapping_sub(least) as u32 > 255 {
            return None;
        }
    }
    Some(least)
}

/// The least and the largest of some values.
struct Extremes<'a>(&'a [i32]);

impl Kernel for Extremes<'_> {
    type Output = [i32; 2];

    #[inline(always)]
    fn run<M: MulAdd>(self) -> [i32; 2] {
        let (mut least, mut most) = (i32::MAX, i32::MIN);
        for value in self.0 {
            (least, most) = (least.min(*value), most.max(*value));
        }
        [least, most]
    }
}

/// The lowest exponent of a matrix's values that aren't zero, if all are `bf16` and none is subnormal.
fn lowest_exponent(m: Matrix<f32>) -> Option<i32> {
    let mut lowest = u32::MAX;
    for line in lines(m) {
        let [low, others] = simd::run(Halves(line));
        if others != 0 {
            return None;
        }
        lowest = lowest.min(low);
    }
    // What is above 23 digits; 0 for subnormal numbers.
    let exponent = lowest.saturating_add(1) >> 23;
    (exponent > 0).then_some(exponent as i32 - 127)
}

/// The least bits of a value that isn't zero, without its sign and less 1, and the digits that some value has beyond those of `bf16`.
struct Halves<'a>(&'a [f32]);

impl Kernel for Halves<'_> {
    type Output = [u32; 2];

    #[inline(always)]
    fn run<M: MulAdd>(self) -> [u32; 2] {
        let (mut lowest, mut others) = (u32::MAX, 0);
        for value in self.0 {
            let bits = value.to_bits();
            // Zero is the largest of all then.
            lowest = lowest.min((bits & (u32::MAX >> 1)).wrapping_sub(1));
            others |= bits & 0xFFFF;
        }
        [lowest, others]
    }
}
