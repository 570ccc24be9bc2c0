//! Which sizes come again: counts of those that came last, by a hash. To note a call is some loads and a store or two. A count that is
//! lost because two threads note at once, or two sizes with one hash, make a plan come later or sooner and change nothing else.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How many sizes are counted at once.
const COUNTED: usize = 32;

/// The bits of a count. Those above are the hash's.
const COUNT: u64 = 0xffff;

/// How often sizes came lately.
#[derive(Default)]
pub(super) struct Recurrence {
    counts: [AtomicU64; COUNTED],
    /// Whose place new sizes get.
    next: AtomicUsize,
}

impl Recurrence {
    /// Notes that the sizes with this hash came; true if they did so often, and then they are counted anew.
    pub fn note(&self, hash: u64, often: u64) -> bool {
        // Not those of a place that is free.
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

    /// Counts sizes in the place that is next. What came more often than once there stays, with one taken off.
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
        // 20,000, less one for every 32 of the 10,000 others.
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
