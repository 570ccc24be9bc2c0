//! The variables that all threads use at once. Whoever reads one must see what somebody wrote, whole: its values are a pattern that a mixture of
//! two writes breaks.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};

use graph_runtime::prelude::*;

/// More values than a thread copies in one go.
const VALUES: usize = 3000;

/// `k`, `k + 1`, `k + 2` …
static PATTERN: LazyLock<Variable<i64>> = LazyLock::new(|| Variable::new(pattern(0)));
/// What everybody adds to.
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

/// How many values of the pattern don't fit the first one.
#[graph_fn]
fn misfits(pattern: &Variable<i64>) -> Tensor<i64> {
    let seen = pattern.read();
    let expected = range(0, VALUES as i64, 1) + &seen[0];
    seen.not_equal(expected).cast::<i64>().sum()
}

/// Changes the pattern, or looks at it: in a graph, or in Rust.
///
/// # Panics
/// If what is read was never written.
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

/// What is wrong with the sum of all that was added.
pub fn lost_additions() -> Option<String> {
    let (found, expected) = (TOTAL.item(), ADDED.load(Ordering::Relaxed));
    (found != expected).then(|| format!("{found} in place of {expected}"))
}
