//! Datasets made of several: concatenated, interleaved, cached; and what they print.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use graph_runtime::prelude::*;
use graph_runtime::{collect_prints, random};

use crate::{alone, values};

#[graph_fn]
fn joined(xs: Tensor<f32>, ys: Tensor<f32>) -> (Tensor<f32>, Tensor<i32>) {
    let (mut sum, mut count) = (tensor(0.0), tensor(0));
    let both = Dataset::from_slices(xs).concatenate(&Dataset::from_slices(ys));
    for row in both.repeat(2) {
        sum = sum * 2.0 + row.sum();
        count += 1;
    }
    (sum, count)
}

#[test]
fn one_behind_the_other() {
    let (xs, ys) = (tensor([[1.0, 1.0]]), tensor([[3.0], [4.0]]));
    // Rows with 2 and with 1 values: the sums are 2, 3, 4, twice.
    let expected = [2.0, 3.0, 4.0, 2.0, 3.0, 4.0]
        .into_iter()
        .fold(0.0, |sum, x| sum * 2.0 + x);
    let (sum, count) = joined(xs, ys);
    assert_eq!((sum.item(), count.item()), (expected, 6));
    let numbers = Dataset::range(0..3).concatenate(&Dataset::range(5..6));
    assert_eq!(numbers.len(), Some(4));
    assert_eq!(values(&numbers.skip(2)), [2, 5]);
    // A map on one side only, and a batch over both sides.
    let tens = Dataset::range(5..7).map(|n| n * 10);
    let batches = Dataset::range(0..1).concatenate(&tens).batch(3);
    assert_eq!(batches.iter().next().unwrap().to_vec(), [0, 50, 60]);
}

/// `n` six times.
fn six(n: Tensor<i64>) -> Dataset<Tensor<i64>> {
    Dataset::from_slices(n.expand_dims(0)).repeat(6)
}

/// The example in TensorFlow's documentation of `interleave`, and the results for other arguments.
#[test]
fn by_turns() {
    let numbers = Dataset::range(1..6).interleave(2, 4, six);
    let expected = [
        1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5,
    ];
    assert_eq!(values(&numbers), expected);
    let counted = |cycle, block| {
        let numbers = Dataset::range(0..4);
        values(&numbers.interleave(cycle, block, |n| Dataset::range(0..n.item())))
    };
    assert_eq!(counted(1, 1), [0, 0, 1, 0, 1, 2]);
    assert_eq!(counted(3, 1), [0, 0, 0, 1, 1, 2]);
    assert_eq!(counted(2, 2), [0, 0, 1, 0, 1, 2]);
    // The numbers from 6 · 10 to below 6 · 11, then those from 5 · 10, and so on.
    let tens = |cycle, block| {
        let numbers = Dataset::range(0..6).map(|n| 6i64 - n);
        let ten = |n: Tensor<i64>| Dataset::range(n.item() * 10..n.item() * 11);
        values(&numbers.interleave(cycle, block, ten))
    };
    let expected = [
        60, 50, 40, 61, 51, 41, 62, 52, 42, 63, 53, 43, 64, 54, 65, 30, 20, 31, 10, 21, 32,
    ];
    assert_eq!(tens(3, 1), expected);
    let expected = [
        60, 61, 50, 51, 62, 63, 52, 53, 64, 65, 54, 40, 41, 30, 31, 42, 43, 32, 20, 21, 10,
    ];
    assert_eq!(tens(2, 2), expected);
    // A cycle longer than the number of datasets takes no more memory than one of that length.
    assert_eq!(counted(usize::MAX, 1), counted(4, 1));
    assert_eq!(counted(usize::MAX, usize::MAX), [0, 0, 1, 0, 1, 2]);
}

#[graph_fn]
fn sum_of(dataset: &Dataset<Tensor<i64, S0>>) -> Tensor<i64> {
    let mut sum = tensor(0i64);
    for n in dataset {
        sum = sum * 2i64 + n;
    }
    sum
}

#[test]
fn a_graph_goes_by_turns_too() {
    let numbers = Dataset::range(1..4);
    let numbers = numbers.flat_map(|n| Dataset::range(0..n.item()).map(|n| n.with_shape::<S0>()));
    let expected = [0, 0, 1, 0, 1, 2].into_iter().fold(0, |sum, n| sum * 2 + n);
    assert_eq!(sum_of(&numbers).item(), expected);
    assert_eq!(sum_of(&numbers.prefetch(2)).item(), expected);
}

/// The numbers below 4, and a counter of how many were made.
fn counting() -> (Dataset<Tensor<i64>>, Arc<AtomicUsize>) {
    let made = Arc::new(AtomicUsize::new(0));
    let counter = made.clone();
    let numbers = Dataset::from_generator(move || {
        let counter = counter.clone();
        (0..4i64).map(move |n| {
            counter.fetch_add(1, Ordering::Relaxed);
            tensor(n)
        })
    });
    (numbers, made)
}

#[test]
fn kept_elements_are_made_once() {
    let (numbers, made) = counting();
    let kept = numbers.cache();
    // An iteration that is left early doesn't fill the cache.
    assert_eq!(kept.iter().take(2).count(), 2);
    assert_eq!(made.load(Ordering::Relaxed), 2);
    let sum: i64 = kept.repeat(3).iter().map(|n| n.item()).sum();
    assert_eq!((sum, made.load(Ordering::Relaxed)), (18, 6));
    let squares = kept.map(|n| &n * &n).batch(2);
    let squares: Vec<Vec<i64>> = squares.iter().map(|b| b.to_vec()).collect();
    assert_eq!(squares, [vec![0, 1], vec![4, 9]]);
    assert_eq!(made.load(Ordering::Relaxed), 6);
}

#[test]
fn an_order_is_kept_and_drawn_anew_behind() {
    let _alone = alone();
    random::set_seed(3);
    let numbers = Dataset::range(0..50);
    let kept = numbers.shuffle(50).cache();
    let first = values(&kept);
    assert_ne!(first, values(&numbers));
    assert_eq!(first, values(&kept));
    let shuffled = numbers.cache().shuffle(50);
    assert_ne!(values(&shuffled), values(&shuffled));
}

#[graph_fn]
fn epochs(xs: Tensor<f32>) -> Tensor<f32> {
    let mut sum = tensor(0.0);
    let kept = Dataset::from_slices(xs).map(|x| x * 2.0).cache();
    for _ in 0..tensor(2) {
        for x in &kept {
            sum = sum + x;
        }
    }
    sum
}

#[test]
fn other_arguments_are_other_elements() {
    assert_eq!(epochs(tensor([1.0, 2.0])).item(), 12.0);
    assert_eq!(epochs(tensor([1.0, 5.0])).item(), 24.0);
}

#[test]
fn what_is_prefetched_prints_where_and_when_it_is_taken() {
    let loud = Dataset::range(0..3).map(|n| {
        graph_print!("made {n}");
        n
    });
    let run = |dataset: Dataset<Tensor<i64>>| {
        let (_, lines) = collect_prints(|| {
            for n in &dataset {
                graph_print!("took {n}");
            }
        });
        lines
    };
    let expected = ["made 0", "took 0", "made 1", "took 1", "made 2", "took 2"];
    assert_eq!(run(loud.clone()), expected);
    assert_eq!(run(loud.prefetch(3)), expected);
    assert_eq!(run(loud.prefetch(1).prefetch(2)), expected);
}
