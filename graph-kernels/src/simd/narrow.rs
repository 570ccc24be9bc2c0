//! Sums of products of numbers that share a word: four bytes by AVX-512 VNNI, two `bf16` by AVX512-BF16, where the CPU has these.

/// The words of a register.
pub(crate) const LANES: usize = 16;
/// The rows of a tile: with four registers of columns there are enough sums to hide the latency of the instructions.
pub(crate) const ROWS: usize = 4;

/// The words of some rows, from the first term of their products on, as a tile takes them.
pub(crate) type Left<'a> = [&'a [i32]; ROWS];
/// For each word of the rows those of `C` registers of columns.
pub(crate) type Right<'a, const C: usize> = &'a [[[i32; LANES]; C]];
/// For each row and column of a tile the sum of its products.
pub(crate) type Sums<T, const C: usize> = [[[T; LANES]; C]; ROWS];

/// Whether [`byte_sums`] has its instruction: the CPU does, and this thread's level allows it.
pub(crate) fn has_bytes() -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    return super::level() >= super::Level::Avx512 && is_x86_feature_detected!("avx512vnni");
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    return false;
}

/// Whether [`half_sums`] has its instruction: the CPU does, and this thread's level allows it.
pub(crate) fn has_halves() -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    return super::level() >= super::Level::Avx512 && is_x86_feature_detected!("avx512bf16");
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    return false;
}

/// Sums of products of words, in which there are four bytes, those on the left without a sign. Sums wrap. Without the instruction it takes as
/// long as any loop does.
pub(crate) fn byte_sums<const C: usize>(left: Left, right: Right<C>) -> Sums<i32, C> {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if has_bytes() {
        // SAFETY: the level is AVX-512, which is supported, and the CPU was asked for VNNI.
        return unsafe { x86::byte_sums(left, right) };
    }
    plain_sums(left, right, |sum: i32, a, b| {
        let bytes = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
        let products = bytes.map(|(a, b)| i32::from(a) * i32::from(b as i8));
        sum.wrapping_add(products.sum())
    })
}

/// Sums of products of words, in which there are two `bf16`, the first one in the upper half. The sums have the bits of fused multiply-adds in this
/// order as long as no number, product or sum is subnormal: the instruction takes such a one as zero.
pub(crate) fn half_sums<const C: usize>(left: Left, right: Right<C>) -> Sums<f32, C> {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if has_halves() {
        // SAFETY: the level is AVX-512, which is supported, and the CPU was asked for BF16.
        return unsafe { x86::half_sums(left, right) };
    }
    plain_sums(left, right, |sum: f32, a, b| {
        let [first, second] = [|word: i32| word & !0xFFFF, |word: i32| word << 16];
        let product = |half: fn(i32) -> i32| {
            let [a, b] = [a, b].map(|word| f32::from_bits(half(word) as u32));
            // It is exact.
            a * b
        };
        sum + product(first) + product(second)
    })
}

/// The sums of a tile, for any CPU.
fn plain_sums<T: Copy + Default, const C: usize>(
    left: Left,
    right: Right<C>,
    add: impl Fn(T, i32, i32) -> T,
) -> Sums<T, C> {
    let mut sums = [[[T::default(); LANES]; C]; ROWS];
    for (q, row) in right.iter().enumerate() {
        for (sums, left) in sums.iter_mut().zip(left) {
            let words = sums.as_flattened_mut().iter_mut().zip(row.as_flattened());
            words.for_each(|(sum, word)| *sum = add(*sum, left[q], *word));
        }
    }
    sums
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86 {
    use std::arch::x86_64::{
        __m512, __m512bh, __m512i, _mm512_dpbf16_ps, _mm512_dpbusd_epi32, _mm512_set1_epi32,
        _mm512_setzero_ps, _mm512_setzero_si512,
    };

    use super::{Left, Right, Sums};

    /// The loop of a tile: `$add` takes a sum, a word of the left operand in all lanes, and a register of the right one.
    macro_rules! sums {
        ($left:ident, $right:ident, $zero:expr, $type:ty, $add:expr) => {{
            let [a, b, c, d] = $left;
            let mut sums = [[$zero; C]; 4];
            for ((((a, b), c), d), row) in a.iter().zip(b).zip(c).zip(d).zip($right) {
                let row: [$type; C] = row.map(bytemuck::cast);
                for (sums, word) in sums.iter_mut().zip([a, b, c, d]) {
                    let word = _mm512_set1_epi32(*word);
                    for (sum, words) in sums.iter_mut().zip(row) {
                        *sum = $add(*sum, bytemuck::cast(word), words);
                    }
                }
            }
            sums.map(|sums| sums.map(bytemuck::cast))
        }};
    }

    /// # Safety
    /// The CPU must have AVX-512 F and VNNI.
    #[target_feature(enable = "avx512f,avx512vnni")]
    pub unsafe fn byte_sums<const C: usize>(left: Left, right: Right<C>) -> Sums<i32, C> {
        let add = |sum: __m512i, a: __m512i, b: __m512i| _mm512_dpbusd_epi32(sum, a, b);
        sums!(left, right, _mm512_setzero_si512(), __m512i, add)
    }

    /// # Safety
    /// The CPU must have AVX-512 F and BF16.
    #[target_feature(enable = "avx512f,avx512bf16")]
    pub unsafe fn half_sums<const C: usize>(left: Left, right: Right<C>) -> Sums<f32, C> {
        let add = |sum: __m512, a: __m512bh, b: __m512bh| _mm512_dpbf16_ps(sum, a, b);
        sums!(left, right, _mm512_setzero_ps(), __m512bh, add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Level, with_level};

    /// Compares sums with those of a loop, for words made of some numbers.
    fn compare<T: Copy + PartialEq + std::fmt::Debug>(
        word: impl Fn(usize) -> i32,
        sums: impl Fn(Left, Right<3>) -> Sums<T, 3>,
    ) {
        for len in [0, 1, 2, 3, 49, 700] {
            let left = [0, 1, 2, 3].map(|i| (0..len).map(|q| word(q + i)).collect::<Vec<i32>>());
            let left = left.each_ref().map(Vec::as_slice);
            let columns =
                |q: usize, c: usize| std::array::from_fn(|j| word(q / 7 + 5 * j + 11 * c));
            let row = |q: usize| [0, 1, 2].map(|c| columns(q, c));
            let right: Vec<[[i32; LANES]; 3]> = (0..len).map(row).collect();
            let plain = with_level(Level::Portable, || sums(left, &right));
            assert_eq!(Some(sums(left, &right)), plain, "{len}");
        }
    }

    #[test]
    fn instructions_give_the_sums_of_a_loop() {
        let bytes = [0u8, 1, 127, 128, 129, 254, 255];
        // Words of which each has the bytes in another order.
        let word =
            |n: usize| i32::from_le_bytes([0, 1, 2, 3].map(|k| bytes[(n + k * (1 + n / 7)) % 7]));
        compare(word, byte_sums::<3>);
        let halves = [0x0000, 0x3F80, 0xBF81, 0x42FF, 0xC880, 0x30AB, 0x4F00];
        let word = |n: usize| halves[n % 7] << 16 | halves[(3 * n + n / 7) % 7];
        compare(word, half_sums::<3>);
    }
}
