//! The buckets of a histogram, as TensorBoard's own writer computes them.

/// How many buckets a histogram has.
const BUCKETS: usize = 30;

/// A bucket: its left end, its right end, and how many values are in it.
pub(super) type Bucket = [f64; 3];

/// Thirty buckets of equal width from the least to the greatest value. If all values are equal, the last bucket holds them; if there are none,
/// all ends are zero. Infinities and NaNs are left out: they would leave no ends.
pub(super) fn buckets(values: &[f64]) -> Vec<Bucket> {
    let finite = || values.iter().copied().filter(|v| v.is_finite());
    let least = finite().fold(f64::INFINITY, f64::min);
    let greatest = finite().fold(f64::NEG_INFINITY, f64::max);
    if least > greatest {
        return vec![[0.0; 3]; BUCKETS];
    }
    let range = greatest - least;
    let width = range / BUCKETS as f64;
    if width == 0.0 {
        let mut all = vec![[least, greatest, 0.0]; BUCKETS];
        all[BUCKETS - 1][2] = finite().count() as f64;
        return all;
    }
    let end = |i: usize| match i {
        BUCKETS => greatest,
        _ => i as f64 * width + least,
    };
    let mut all: Vec<Bucket> = (0..BUCKETS).map(|i| [end(i), end(i + 1), 0.0]).collect();
    for value in finite() {
        // Rounding may put the greatest value behind the last bucket. A conversion to `usize` saturates.
        let bucket = ((value - least) / width).floor() as usize;
        all[bucket.min(BUCKETS - 1)][2] += 1.0;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(values: &[f64]) -> Vec<f64> {
        buckets(values).iter().map(|bucket| bucket[2]).collect()
    }

    /// `scripts/tensorboard_check.py --buckets` prints what `tensorboard.plugins.histogram.summary_v2.histogram_pb` gives.
    #[test]
    fn buckets_are_those_of_tensorboard() {
        let squares: Vec<f64> = (0..100).map(|i| f64::from(i * i) / 7.0 - 40.0).collect();
        let all = buckets(&squares);
        let expected = [
            19.0, 7.0, 6.0, 5.0, 4.0, 4.0, 3.0, 4.0, 3.0, 3.0, 2.0, 3.0, 3.0, 2.0, 3.0, 2.0, 2.0,
            2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0, 2.0, 2.0, 2.0,
        ];
        assert_eq!(counts(&squares), expected);
        let ends = |i: usize| (all[i][0], all[i][1]);
        assert_eq!(ends(0), (-40.0, 6.671428571428571));
        assert_eq!(ends(29), (1313.4714285714285, 1360.142857142857));
    }

    #[test]
    fn equal_values_and_no_values() {
        let all = buckets(&[2.5; 4]);
        assert_eq!(all[..29], [[2.5, 2.5, 0.0]; 29]);
        assert_eq!(all[29], [2.5, 2.5, 4.0]);
        assert_eq!(buckets(&[]), [[0.0; 3]; 30]);
    }

    #[test]
    fn what_is_not_finite_is_left_out() {
        let with = [0.0, f64::NAN, 3.0, f64::INFINITY, -f64::INFINITY];
        assert_eq!(buckets(&with), buckets(&[0.0, 3.0]));
        assert_eq!(buckets(&[f64::NAN]), [[0.0; 3]; 30]);
        assert_eq!(counts(&[f64::MIN, f64::MAX]).len(), 30);
    }
}
