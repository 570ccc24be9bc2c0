//! The variables that all threads share. A thread that reads one must see a whole value that some thread wrote: the values follow a
//! pattern, which a mixture of two writes breaks.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};

use graph_runtime::prelude::*;

/// Enough values that a write can be interrupted in the middle.
const VALUES: usize = 3000;

/// `k`, `k + 1`, `k + 2` …
static PATTERN: LazyLock<Variable<i64>> = LazyLock::new(|| Variable::new(pattern(0)));
/// The sum to which all threads add.
static TOTAL: LazyLock<Variable<i64>> = LazyLock::new(|| Variable::new(tensor(0i64)));
static ADDED: AtomicI64 = AtomicI64::new(0);

fn pattern(first: i64) -> Tensor<i64> {
    range(0, VALUES as i64, 1) + first
}

#[graph_fn]
fn shift(pattern: &Variable<i64>, total: &Variable<i64>, by: Tensor<i64>) {
    pattern.assign_add(&by);
    total.assign_add(by);
}

#[graph_fn]
fn replace(pattern: &Variable<i64>, first: Tensor<i64>) {
    pattern.assign(range(0, VALUES as i64, 1) + first);
}

/// The number of values that don't continue the pattern of the first value.
#[graph_fn]
fn misfits(pattern: &Variable<i64>) -> Tensor<i64> {
    let seen = pattern.read();
    let expected = range(0, VALUES as i64, 1) + &seen[0];
    seen.not_equal(expected).cast::<i64>().sum()
}

/// Writes the pattern or checks it, in a graph or in Rust.
///
/// # Panics
/// If a value is read that no thread wrote.
pub fn use_pattern(random: usize) {
    let by = (random % 100) as i64;
    match random / 100 % 5 {
        0 => {
            shift(&PATTERN, &TOTAL, tensor(by));
            ADDED.fetch_add(by, Ordering::Relaxed);
        }
        1 => replace(&PATTERN, tensor(by)),
        2 => {
            PATTERN.assign(pattern(by));
        }
        3 => assert_eq!(misfits(&PATTERN).item(), 0, "a graph read half of a value"),
        _ => {
            let seen = PATTERN.read().to_vec();
            let whole = seen
                .iter()
                .zip(seen[0]..)
                .all(|(value, expected)| *value == expected);
            assert!(whole, "half of a value was read");
        }
    }
}

/// A description of the error if the sum of all additions is wrong.
pub fn lost_additions() -> Option<String> {
    let (found, expected) = (TOTAL.item(), ADDED.load(Ordering::Relaxed));
    (found != expected).then(|| format!("{found} in place of {expected}"))
}
