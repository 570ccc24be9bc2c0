//! Elements in plain Rust: transformations, order, prefetching threads, and errors.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use graph_runtime::data::{Record, Seed};
use graph_runtime::prelude::*;
use graph_runtime::{Error, collect_prints, random};

use crate::{alone, values};

#[test]
fn plain_rust_iterates_too() {
    let numbers = Dataset::range(0..5);
    let mut seen = Vec::new();
    for (n, row) in &numbers.zip(&Dataset::from_slices(ones::<f32>(&[3, 2]))) {
        seen.push((n.item(), row.to_vec()));
    }
    assert_eq!(
        seen,
        [(0, vec![1.0; 2]), (1, vec![1.0; 2]), (2, vec![1.0; 2])]
    );
    assert_eq!(values(&numbers.take(2).repeat(2)), [0, 1, 0, 1]);
    assert_eq!(values(&numbers.skip(3)), [3, 4]);
    assert!(values(&numbers.skip(9)).is_empty());
    assert!(values(&numbers.repeat(0)).is_empty());
    assert!(values(&numbers.take(0).repeat_forever()).is_empty());
    assert_eq!(
        values(&numbers.filter(|n| (n % 2).equal(0i64)).map(|n| n * 10)),
        [0, 20, 40]
    );
    let exact: Vec<usize> = numbers.batch_exact(2).iter().map(|b| b.dim(0)).collect();
    assert_eq!(exact, [2, 2]);
}

#[test]
fn plain_rust_does_not_iterate_while_tracing() {
    fn helper(dataset: &Dataset<Tensor<i64>>) -> Tensor<i64> {
        let mut sum = tensor(0i64);
        for n in dataset {
            sum += n;
        }
        sum
    }
    #[graph_fn]
    fn sum(dataset: &Dataset<Tensor<i64>>) -> Result<Tensor<i64>, Error> {
        Ok(helper(dataset))
    }
    let error = sum(&Dataset::range(0..3)).unwrap_err();
    assert!(
        error.message().contains("while a graph function is traced"),
        "{error}"
    );
    assert!(error.location().file.ends_with("elements.rs"));
}

#[test]
fn a_shuffle_is_even() {
    // 3 elements in 6 orders, 6000 times: each order occurs about 1000 times, with a deviation of 29.
    let dataset = Dataset::range(0..3);
    let mut counts = std::collections::BTreeMap::new();
    for n in 0..6000i64 {
        let order = values(&dataset.shuffle_with(3, &tensor([n, 77]), true));
        *counts.entry(order).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 6);
    assert!(
        counts.values().all(|n| (850..1150).contains(n)),
        "{counts:?}"
    );
}

#[test]
fn orders_are_those_of_their_seeds() {
    let _alone = alone();
    let numbers = Dataset::range(0..50);
    let pair = tensor([1i64, 2]);
    let fixed = numbers.shuffle_with(50, &pair, true);
    assert_eq!(values(&fixed), values(&fixed), "a function of the seed");
    assert_ne!(
        values(&fixed),
        values(&numbers.shuffle_with(50, &tensor([1i64, 3]), true))
    );
    let once = numbers.shuffle_with(50, Seed::from(None), false);
    assert_eq!(values(&once), values(&once), "drawn once");
    let twice = values(&once.repeat(2));
    assert_eq!(twice[..50], twice[50..]);
    let each = numbers.shuffle(50);
    assert_ne!(values(&each), values(&each), "drawn each time");
    assert_eq!(
        values(&numbers.shuffle(1)),
        values(&numbers),
        "a buffer of one"
    );
}

#[test]
fn a_thread_ahead_changes_nothing() {
    let _alone = alone();
    let numbers = Dataset::range(0..100).map(|n| n * 2);
    for ahead in [1, 7, 1000] {
        assert_eq!(values(&numbers.prefetch(ahead)), values(&numbers));
    }
    // The random numbers that a function draws don't depend on the thread that runs it.
    let noisy = |ahead: usize| {
        let noise = Dataset::range(0..20).map(|_| random::uniform::<f32>(&[]));
        random::set_seed(9);
        let draws = noise.prefetch(ahead).iter().map(|x| {
            random::uniform::<f32>(&[]);
            x.item()
        });
        draws.collect::<Vec<_>>()
    };
    assert_eq!(noisy(1), noisy(15));
}

#[test]
fn a_thread_ahead_makes_no_more_than_it_may_and_ends() {
    let (made, alive) = (Arc::new(AtomicUsize::new(0)), Arc::new(()));
    let (counter, kept) = (made.clone(), alive.clone());
    let dataset = Dataset::from_generator(move || {
        let (counter, kept) = (counter.clone(), kept.clone());
        (0..).map(move |n: i64| {
            let _ = &kept;
            counter.fetch_add(1, Ordering::SeqCst);
            tensor(n).dynamic()
        })
    });
    let mut iter = dataset.prefetch(3).iter();
    assert_eq!(iter.next().unwrap().item(), 0);
    std::thread::sleep(std::time::Duration::from_millis(100));
    // At most 5 are made: one was taken, three are in the channel, and the thread holds one.
    assert!(made.load(Ordering::SeqCst) <= 5);
    drop((iter, dataset));
    for _ in 0..100 {
        if Arc::strong_count(&alive) == 1 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("the thread hasn't ended");
}

#[test]
fn a_panic_ahead_is_a_panic_here() {
    fn failing() -> Dataset<Tensor<i64>> {
        Dataset::from_generator(|| {
            (0..).map(|n: i64| {
                assert!(n < 2, "no third element");
                tensor(n).dynamic()
            })
        })
    }
    for dataset in [failing(), failing().prefetch(1)] {
        let panic = std::panic::catch_unwind(|| values(&dataset)).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"no third element"));
        assert_eq!(values(&dataset.take(2)), [0, 1], "the dataset is as it was");
    }
}

#[test]
fn a_generator_gives_what_its_type_says() {
    let dataset: Dataset<Tensor<f32, S1<3>>> =
        Dataset::from_generator(|| std::iter::once(Tensor::of([1.0f32, 2.0, 3.0])));
    assert_eq!(dataset.iter().count(), 1);
    fn is_record<T: Record>() {}
    is_record::<(Tensor<f32>, (Tensor<i32>, Tensor<bool, S0>))>();
}

#[test]
fn what_does_not_fit_is_refused_where_it_is_made() {
    let refused = |f: fn()| {
        let panic = std::panic::catch_unwind(f).unwrap_err();
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()))
            .unwrap()
    };
    let message = refused(|| drop(Dataset::from_slices(tensor(1.0))));
    assert!(
        message.contains("a scalar has no rows") && message.contains("elements.rs"),
        "{message}"
    );
    let message = refused(|| drop(Dataset::from_slices((tensor([1, 2]), tensor([1, 2, 3])))));
    assert!(message.contains("not 2 and 3"), "{message}");
    let message = refused(|| drop(Dataset::range(0..3).batch(0)));
    assert!(message.contains("at least one element"), "{message}");
    let message = refused(|| {
        let v = Variable::new(tensor(0i64));
        Dataset::range(0..3).map(|n| {
            v.assign(&n);
            n
        });
    });
    assert!(message.contains("can't assign variables"), "{message}");
}

/// The first leaf of each element.
fn rows(dataset: &Dataset<(Tensor<f32>, Tensor<f32>)>) -> Vec<Vec<f32>> {
    dataset.iter().map(|(x, _)| x.to_vec()).collect()
}

#[test]
fn a_function_that_goes_value_by_value_runs_once_for_a_batch() {
    let xs = tensor([[1u8, 2], [3, 4], [5, 6], [7, 8], [9, 10]]);
    let data = Dataset::from_slices((xs, tensor([10u8, 20, 30, 40, 50])));
    let scale = tensor([1.0f32, 10.0]);
    #[graph_fn]
    fn tenth(y: Tensor<u8>) -> Tensor<f32> {
        y.cast::<f32>() / 10.0
    }
    let floats =
        |(x, y): (Tensor<u8>, Tensor<u8>)| ((x.cast::<f32>() * &scale).relu() + 0.5, tenth(y));
    let mapped = data.map(floats);
    let order = tensor([1i64, 2]);
    let batches = mapped
        .map(|(x, y)| (x * 2.0, y))
        .take(4)
        .shuffle_with(4, &order, true)
        .batch(2);
    let text = format!("{batches:?}");
    assert!(
        text.starts_with("Dataset(map(map(batch(shuffle(take(slices(2), 4), 4), 2)"),
        "{text}"
    );
    let single = data.take(4).shuffle_with(4, &order, true).map(floats);
    let single: Vec<f32> = rows(&single).concat().iter().map(|x| x * 2.0).collect();
    assert_eq!(rows(&batches).concat(), single);
    let labels: Vec<f32> = batches.iter().flat_map(|(_, y)| y.to_vec()).collect();
    assert_eq!(labels.len(), 4);

    // A product of a row and a number isn't elementwise on a batch, because the axes would differ: the map stays before the batch.
    let products = mapped.map(|(x, y)| (&x * &y, y)).batch(2);
    assert!(
        format!("{products:?}").starts_with("Dataset(batch(map("),
        "{products:?}"
    );
    let expected = [
        [1.5, 20.5],
        [7.0, 81.0],
        [16.5, 181.5],
        [30.0, 322.0],
        [47.5, 502.5],
    ];
    assert_eq!(rows(&products).concat(), expected.concat());
    // A map that reduces a row, prints, or returns a constant stays before the batch, too.
    let reduced = mapped.map(|(x, y)| (x.sum(), y)).batch(5);
    assert_eq!(rows(&reduced), [[22.0, 44.0, 66.0, 88.0, 110.0]]);
    let constant = mapped.map(|(_, y)| (tensor(1.0f32), y)).batch(5);
    assert_eq!(rows(&constant), [[1.0; 5]]);
    let printed = mapped.map(|(x, y)| {
        graph_print!("{}", y);
        (x, y)
    });
    let (_, lines) = collect_prints(|| rows(&printed.take(1).batch(5)));
    assert_eq!(lines, ["1"]);
}

#[test]
fn batches_use_their_arrays_again() {
    let dataset = Dataset::from_slices(zeros::<f32>(&[64, 1000])).batch(4);
    let mut places: Vec<usize> = dataset
        .iter()
        .map(|batch| batch.as_any().array().values::<f32>().unwrap().as_ptr() as usize)
        .collect();
    assert_eq!(places.len(), 16);
    places.sort_unstable();
    places.dedup();
    assert!(places.len() <= 3, "{} arrays for 16 batches", places.len());
}

/// `tf.data.Dataset.from_tensors` has one element, whose shapes are those of the tensors.
#[test]
fn tensors_are_one_element() {
    #[graph_fn]
    fn sums(x: Tensor<i32>, scale: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
        let (mut sum, mut count) = (tensor(0), tensor(0));
        for (row, scale) in Dataset::from_tensors((&x, scale)).repeat(2) {
            sum += row.sum() * scale;
            count += 1;
        }
        (sum, count)
    }
    let (sum, count) = sums(tensor([1, 2, 3]), tensor(10));
    assert_eq!((sum.item(), count.item()), (120, 2));
    let with_rows = Dataset::from_tensors(tensor([1, 2, 3]))
        .concatenate(&Dataset::from_slices(tensor([[4, 5, 6]])));
    let rows: Vec<Vec<i32>> = with_rows.iter().map(|row| row.to_vec()).collect();
    assert_eq!(rows, [[1, 2, 3], [4, 5, 6]]);
    assert_eq!(
        Dataset::from_tensors(tensor(1))
            .batch(3)
            .iter()
            .next()
            .unwrap()
            .to_vec(),
        [1]
    );
}
