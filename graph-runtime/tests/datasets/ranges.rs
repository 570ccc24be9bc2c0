//! Datasets of numbers: all kinds of bounds, in plain Rust and in loops of graphs.

use graph_runtime::Error;
use graph_runtime::prelude::*;

use crate::values;

#[test]
fn every_kind_of_range() {
    assert_eq!(values(&Dataset::range(2..5)), [2, 3, 4]);
    assert_eq!(values(&Dataset::range(..3)), [0, 1, 2]);
    assert_eq!(values(&Dataset::range(-2..=-1)), [-2, -1]);
    assert_eq!(values(&Dataset::range((5, 0, -2))), [5, 3, 1]);
    assert_eq!(values(&Dataset::range((1, tensor(4)))), [1, 2, 3]);
    assert_eq!(values(&Dataset::range(tensor(1)..tensor(3))), [1, 2]);
    assert_eq!(values(&Dataset::range(..tensor(2i64))), [0, 1]);
    assert_eq!(values(&Dataset::range(tensor(7)..).take(2)), [7, 8]);
    assert!(values(&Dataset::range((3, 0))).is_empty());
    assert!(values(&Dataset::range((tensor(3), 0))).is_empty());
    let many: Vec<i64> = (0..1000).collect();
    assert_eq!(values(&Dataset::range(0..1000)), many);
}

#[test]
fn a_range_is_as_long_as_it_likes() {
    let numbers = Dataset::range(0..i64::MAX);
    assert_eq!(values(&numbers.take(3)), [0, 1, 2]);
    assert_eq!(numbers.len(), Some(i64::MAX as usize));
    let last = Dataset::range(i64::MAX - 1..=i64::MAX);
    assert_eq!(values(&last), [i64::MAX - 1, i64::MAX]);
    assert_eq!(values(&Dataset::range(5..).skip(1).take(2)), [6, 7]);
    let shuffled = values(&numbers.shuffle_with(10, 1, false).take(1000));
    assert!((0..1000).all(|n| shuffled[n] <= n as i64 + 9));
}

/// To make all numbers of these ranges would take years, or all memory.
#[test]
fn what_is_passed_over_takes_no_time() {
    let numbers = Dataset::range(0..1i64 << 60);
    assert_eq!(
        values(&numbers.skip((1 << 60) - 2)),
        [(1 << 60) - 2, (1 << 60) - 1]
    );
    assert!(values(&numbers.skip(1 << 60)).is_empty());
    assert!(values(&numbers.skip(usize::MAX)).is_empty());
    assert!(values(&numbers.take(7).skip(8)).is_empty());
    assert_eq!(
        values(&numbers.skip(1 << 50).skip(3).take(2)),
        [(1 << 50) + 3, (1 << 50) + 4]
    );
    assert_eq!(
        values(&numbers.take(1 << 50).skip((1 << 50) - 1)),
        [(1 << 50) - 1]
    );
    let down = Dataset::range((0, i64::MIN, -3));
    assert_eq!(values(&down.skip(1 << 40).take(1)), [-3 << 40]);
    let rows = Dataset::from_slices(tensor([1i64, 2, 3]));
    assert_eq!(values(&rows.skip(2)), [3]);
    assert!(values(&rows.skip(usize::MAX)).is_empty());
    let shuffled = values(&numbers.shuffle_with(usize::MAX, 1, false).take(100));
    let mean = shuffled.iter().map(|n| *n as f64 / 100.0).sum::<f64>() / (1u64 << 60) as f64;
    assert!((0.4..0.6).contains(&mean), "{mean}");
}

#[graph_fn]
fn far(n: Tensor<i64>) -> Tensor<i64> {
    let mut sum = tensor(0i64);
    for i in Dataset::range(..n).skip(1 << 40).take(2) {
        sum += i;
    }
    sum
}

#[test]
fn in_a_graph_neither() {
    assert_eq!(far(tensor(i64::MAX)).item(), (1 << 41) + 1);
    assert_eq!(far(tensor(5)).item(), 0);
}

#[test]
fn lengths_are_known_where_the_bounds_are() {
    assert_eq!(Dataset::range((0, 10, 3)).len(), Some(4));
    assert_eq!(Dataset::range(..tensor(3)).len(), None);
    assert_eq!(Dataset::range(0..10).batch(4).len(), Some(3));
}

#[graph_fn]
fn weighted(n: Tensor<i32>) -> Tensor<i64> {
    let mut sum = tensor(0i64);
    for (i, batch) in Dataset::range((1, n)).batch(2).enumerate() {
        sum += batch.sum() * i;
    }
    sum
}

#[graph_fn]
fn first_above(limit: Tensor<i64>) -> Tensor<i64> {
    let mut found = tensor(-1i64);
    for n in Dataset::range(0..i64::MAX) {
        if n * n > limit {
            found = n;
            break;
        }
    }
    found
}

#[graph_fn]
fn sum(numbers: &Dataset<Tensor<i64>>) -> Result<Tensor<i64>, Error> {
    let mut sum = tensor(0i64);
    for n in numbers {
        sum += n;
    }
    Ok(sum)
}

#[test]
fn bounds_are_tensors_of_a_graph() {
    // (1 + 2) · 0 + (3 + 4) · 1 + 5 · 2
    assert_eq!(weighted(tensor(6)).item(), 17);
    assert_eq!(weighted(tensor(1)).item(), 0);
    assert_eq!(weighted::function().trace_count(), 1);
    assert_eq!(first_above(tensor(1_000_000)).item(), 1001);
}

#[test]
fn a_trace_serves_all_ranges_of_a_length() {
    assert_eq!(sum(&Dataset::range(0..4)).unwrap().item(), 6);
    assert_eq!(sum(&Dataset::range(10..14)).unwrap().item(), 46);
    assert_eq!(sum::function().trace_count(), 1);
    for n in 0..5 {
        let numbers = Dataset::range(..tensor(n));
        assert_eq!(sum(&numbers).unwrap().item(), i64::from(n * (n - 1) / 2));
    }
    assert_eq!(sum::function().trace_count(), 2);
}

#[test]
fn steps_of_zero_are_refused() {
    let known = std::panic::catch_unwind(|| Dataset::range((0, tensor(3), 0)));
    let text = *known.unwrap_err().downcast::<String>().unwrap();
    assert!(text.contains("step must be a non-zero integer"), "{text}");
    let error = sum(&Dataset::range((0, 3, tensor(0)))).unwrap_err();
    assert_eq!(error.message(), "step must be a non-zero integer");
    let vector = std::panic::catch_unwind(|| Dataset::range(..tensor([1, 2])));
    let text = *vector.unwrap_err().downcast::<String>().unwrap();
    assert!(text.contains("int64 scalars, not int64[2]"), "{text}");
}
