//! The seed streams of a process: a global one, and one for each op seed. They are the only state behind random numbers; every
//! drawn number is a function of these seeds.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

/// The global seed for ops with their own seed while no global seed is set. TensorFlow's value.
const DEFAULT_SEED: i64 = 87_654_321;

static STREAMS: Mutex<Option<Streams>> = Mutex::new(None);

struct Streams {
    /// What [`set_seed`](crate::random::set_seed) was given.
    seed: Option<i64>,
    /// Replaces the seed in the global stream while `set_seed` hasn't been called; different in each run of the program.
    entropy: i64,
    /// How many seeds each stream has produced.
    given: FxHashMap<Option<i64>, i64>,
}

impl Streams {
    fn new(seed: Option<i64>) -> Streams {
        Streams {
            seed,
            entropy: RandomState::new().build_hasher().finish().cast_signed(),
            given: FxHashMap::default(),
        }
    }

    /// The next seed of a stream, which isn't drawn.
    fn coming(&self, stream: Option<i64>) -> [i64; 2] {
        let base = match stream {
            None => self.seed.unwrap_or(self.entropy),
            Some(_) => self.seed.unwrap_or(DEFAULT_SEED),
        };
        let given = self.given.get(&stream).copied().unwrap_or_default();
        [mixed(base, stream), given]
    }

    fn next(&mut self, stream: Option<i64>) -> [i64; 2] {
        let seed = self.coming(stream);
        self.given.insert(stream, seed[1].wrapping_add(1));
        seed
    }

    /// Draws `count` seeds of a stream, if `first` is the next one; whether it is.
    fn take(&mut self, stream: Option<i64>, first: [i64; 2], count: u64) -> bool {
        let is_next = self.coming(stream) == first;
        if is_next {
            let given = first[1].wrapping_add(count.cast_signed());
            self.given.insert(stream, given);
        }
        is_next
    }
}

/// A number for a base and a stream. No other stream, and no [`Generator`](super::Generator) with the same number, yields the same seeds.
fn mixed(base: i64, stream: Option<i64>) -> i64 {
    let tag = stream.map_or(0, |stream| scrambled(stream.cast_unsigned()) | 1);
    scrambled(base.cast_unsigned() ^ tag).cast_signed()
}

/// The mixing step of SplitMix64 (Steele, Lea and Flood 2014), a permutation of the 64-bit numbers.
fn scrambled(number: u64) -> u64 {
    let mut n = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    n = (n ^ n >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    n = (n ^ n >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ n >> 31
}

/// Restarts all streams with a new global seed.
pub(super) fn restart(seed: i64) {
    *STREAMS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Streams::new(Some(seed)));
}

/// The next seed of a stream.
pub(crate) fn next(stream: Option<i64>) -> [i64; 2] {
    with_streams(|streams| streams.next(stream))
}

/// The next seed of a stream, which isn't drawn.
pub(crate) fn coming(stream: Option<i64>) -> [i64; 2] {
    with_streams(|streams| streams.coming(stream))
}

/// Draws `count` seeds of a stream, if no other thread has drawn the seed `first` meanwhile; whether they are drawn.
pub(crate) fn take(stream: Option<i64>, first: [i64; 2], count: u64) -> bool {
    with_streams(|streams| streams.take(stream, first, count))
}

fn with_streams<T>(f: impl FnOnce(&mut Streams) -> T) -> T {
    let mut streams = STREAMS.lock().unwrap_or_else(PoisonError::into_inner);
    f(streams.get_or_insert_with(|| Streams::new(None)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_goes_on_and_begins_anew_with_the_seed() {
        let mut streams = Streams::new(Some(7));
        let first: Vec<[i64; 2]> = (0..3).map(|_| streams.next(None)).collect();
        assert_eq!(first.iter().map(|s| s[1]).collect::<Vec<_>>(), [0, 1, 2]);
        let mut again = Streams::new(Some(7));
        assert_eq!((0..3).map(|_| again.next(None)).collect::<Vec<_>>(), first);
        assert_ne!(Streams::new(Some(8)).next(None), first[0]);
    }

    #[test]
    fn streams_count_for_themselves_and_depend_on_the_global_seed() {
        let mut streams = Streams::new(Some(7));
        let (global, one, two) = (
            streams.next(None),
            streams.next(Some(1)),
            streams.next(Some(2)),
        );
        assert_eq!([global[1], one[1], two[1]], [0; 3]);
        assert!(global[0] != one[0] && one[0] != two[0] && global[0] != two[0]);
        assert_ne!(Streams::new(Some(8)).next(Some(1)), one);
    }

    #[test]
    fn seeds_that_are_taken_at_once_are_those_that_would_come() {
        let (mut one, mut all) = (Streams::new(Some(7)), Streams::new(Some(7)));
        for stream in [None, Some(1)] {
            let first = all.coming(stream);
            let drawn: Vec<[i64; 2]> = (0..3).map(|_| one.next(stream)).collect();
            assert_eq!(drawn, [0, 1, 2].map(|i| [first[0], first[1] + i]));
            assert!(all.take(stream, first, 3));
            assert!(!all.take(stream, first, 3), "they were taken before");
            assert_eq!(all.next(stream), one.next(stream));
        }
    }

    #[test]
    fn without_a_global_seed_only_the_global_stream_is_unpredictable() {
        let (mut a, mut b) = (Streams::new(None), Streams::new(None));
        assert_ne!(a.next(None), b.next(None));
        assert_eq!(a.next(Some(3)), b.next(Some(3)));
    }
}
