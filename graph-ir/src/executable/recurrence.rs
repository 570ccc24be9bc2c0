//! Detects sizes that recur: counts the sizes of recent calls, by a hash. To record a call takes a few loads and one or two stores. If two
//! threads record at once, a count may be lost, and two sizes may have the same hash: then a program is made too late or too early, no more.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How many different sizes are counted at the same time.
const COUNTED: usize = 32;

/// The bits of the count. The bits above them are those of the hash.
const COUNT: u64 = 0xffff;

/// Counts of the sizes of recent calls.
#[derive(Default)]
pub(super) struct Recurrence {
    counts: [AtomicU64; COUNTED],
    /// The index of the slot that is replaced next.
    next: AtomicUsize,
}

impl Recurrence {
    /// Records a call with sizes of this hash. True if their count reaches `often`; then it starts again from 0.
    pub fn note(&self, hash: u64, often: u64) -> bool {
        // The bit above the count is set, so that an unused slot, which is 0, never matches.
        let sizes = hash & !COUNT | (COUNT + 1);
        let load = |place: &AtomicU64| place.load(Ordering::Relaxed);
        let Some(place) = self
            .counts
            .iter()
            .find(|place| load(place) & !COUNT == sizes)
        else {
            self.begin(sizes);
            return often <= 1;
        };
        let before = load(place);
        let enough = (before & COUNT) + 1 >= often;
        let now = if enough {
            0
        } else {
            before + u64::from(before & COUNT < COUNT)
        };
        place.store(now, Ordering::Relaxed);
        enough
    }

    /// Starts to count sizes in the next slot. If the sizes there have been counted more than once, they stay and their count is reduced by one.
    fn begin(&self, sizes: u64) {
        let next = self.next.load(Ordering::Relaxed);
        self.next.store(next.wrapping_add(1), Ordering::Relaxed);
        let place = &self.counts[next % COUNTED];
        let before = place.load(Ordering::Relaxed);
        let now = if before & COUNT > 1 {
            before - 1
        } else {
            sizes | 1
        };
        place.store(now, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: u64) -> u64 {
        number << 17
    }

    #[test]
    fn each_of_some_sizes_is_counted() {
        let seen = Recurrence::default();
        let round = |often| (0..32).filter(|n| seen.note(hash(*n), often)).count();
        assert_eq!([3, 3, 3, 3, 2, 2].map(round), [0, 0, 32, 0, 32, 0]);
    }

    #[test]
    fn what_comes_often_stays_beside_what_comes_once() {
        let seen = Recurrence::default();
        let notes =
            (0..30_000).filter(|n| seen.note(hash(if n % 3 == 0 { n + 9 } else { 1 }), 1000));
        // The count is 20,000 minus one for every 32 of the 10,000 other sizes.
        assert_eq!(notes.count(), 19);
    }

    #[test]
    fn what_comes_once_gives_way() {
        let seen = Recurrence::default();
        assert!((0..100_000).all(|n| !seen.note(hash(n), 2)));
        assert!(!seen.note(hash(7), 2) && seen.note(hash(7), 2));
    }

    #[test]
    fn a_count_ends() {
        let seen = Recurrence::default();
        assert!((0..=COUNT + 10).all(|_| !seen.note(hash(3), u64::MAX)));
        assert!(seen.note(hash(3), COUNT));
    }
}
