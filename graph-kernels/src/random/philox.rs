//! Philox4x32-10, the counter-based generator of Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011), which
//! TensorFlow, JAX and PyTorch use too: block `n` depends only on the key and on `n`, so any part of a sequence can be computed by
//! itself.

/// The constants of the round function.
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

/// The key under which seeds are scrambled: TensorFlow's, so that the same seed gives the same numbers.
const SCRAMBLING_KEY: [u32; 2] = [0x3EC8_F720, 0x0246_1E29];

/// A generator at a position of its sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Philox {
    key: [u32; 2],
    counter: u128,
}

impl Philox {
    /// The generator of a seed, at the beginning of its sequence. All 128 bits of the seed count, and seeds that differ little give
    /// unrelated sequences.
    pub fn seeded(seed: [i64; 2]) -> Philox {
        let [low, high] = seed.map(|part| u128::from(part.cast_unsigned()));
        let mixed = block(high << 64 | low, SCRAMBLING_KEY);
        Philox {
            key: [mixed[0], mixed[1]],
            counter: u128::from(mixed[2]) << 64 | u128::from(mixed[3]) << 96,
        }
    }

    /// The same sequence, this many blocks further on.
    pub fn skipped(self, blocks: u64) -> Philox {
        let counter = self.counter.wrapping_add(u128::from(blocks));
        Philox { counter, ..self }
    }

    /// The next four words.
    #[inline(always)]
    pub fn next_block(&mut self) -> [u32; 4] {
        let words = block(self.counter, self.key);
        self.counter = self.counter.wrapping_add(1);
        words
    }
}

/// The block of a counter under a key.
#[inline(always)]
fn block(counter: u128, mut key: [u32; 2]) -> [u32; 4] {
    let mut words = [0, 32, 64, 96].map(|shift| (counter >> shift) as u32);
    for round in 0..ROUNDS {
        if round > 0 {
            key = [0, 1].map(|i| key[i].wrapping_add(KEY_STEPS[i]));
        }
        let products = [0, 1].map(|i| u64::from(MULTIPLIERS[i]) * u64::from(words[2 * i]));
        let [(low0, high0), (low1, high1)] = products.map(|p| (p as u32, (p >> 32) as u32));
        words = [
            high1 ^ words[1] ^ key[0],
            low1,
            high0 ^ words[3] ^ key[1],
            low0,
        ];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers that are published with the reference implementation (Random123, `kat_vectors`).
    #[test]
    fn blocks_are_the_published_ones() {
        let counter = |words: [u32; 4]| words.iter().rev().fold(0, |n, w| n << 32 | u128::from(*w));
        let known = [
            (
                [0; 4],
                [0; 2],
                [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8],
            ),
            (
                [u32::MAX; 4],
                [u32::MAX; 2],
                [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd],
            ),
            (
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ];
        for (words, key, expected) in known {
            assert_eq!(block(counter(words), key), expected);
        }
    }

    #[test]
    fn skipping_is_drawing_without_looking() {
        let mut walked = Philox::seeded([1, 2]);
        for _ in 0..5 {
            walked.next_block();
        }
        assert_eq!(
            walked.next_block(),
            Philox::seeded([1, 2]).skipped(5).next_block()
        );
        // When the low half overflows, the high half is incremented.
        let end = Philox {
            key: [1, 2],
            counter: u128::MAX,
        };
        assert_eq!(end.skipped(1).counter, 0);
    }
}
