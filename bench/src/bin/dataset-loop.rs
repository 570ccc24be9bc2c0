//! Measures what the elements of a dataset cost a loop of a graph: batches of 100 out of 20,000 rows of 784 numbers, made in several ways,
//! compared with the same loop over batches that are ready in a tensor.
//!
//! ```text
//! cargo run --release -p graph-bench --bin dataset-loop
//! ```

use std::time::Instant;

use graph_runtime::prelude::*;

const ROWS: usize = 20_000;
const COLUMNS: usize = 784;
const BATCH: usize = 100;
/// The number of runs, of which the fastest counts.
const RUNS: usize = 15;

#[graph_fn]
fn over_dataset(dataset: &Dataset<(Tensor<f32>, Tensor<i64>)>) -> (Tensor<f32>, Tensor<i64>) {
    let (mut a, mut b) = (tensor(0.0), tensor(0i64));
    for (x, y) in dataset {
        a += x.sum();
        b += y.sum();
    }
    (a, b)
}

#[graph_fn]
fn over_rows(xs: Tensor<f32>, ys: Tensor<i64>) -> (Tensor<f32>, Tensor<i64>) {
    let (mut a, mut b) = (tensor(0.0), tensor(0i64));
    for i in 0..xs.len_tensor() {
        a += xs[i].sum();
        b += ys[i].sum();
    }
    (a, b)
}

/// The time of a batch in nanoseconds.
fn time(run: impl Fn()) -> f64 {
    run();
    let once = || {
        let start = Instant::now();
        run();
        start.elapsed().as_nanos() as f64 * BATCH as f64 / ROWS as f64
    };
    (0..RUNS).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn main() {
    graph_runtime::set_threads(1);
    let pixels = (0..ROWS * COLUMNS).map(|i| (i % 251) as u8).collect();
    let pixels =
        Tensor::from_vec(&[ROWS, COLUMNS], pixels).expect("as many values as the shape says");
    let labels = (0..ROWS).map(|i| (i % 10) as u8).collect();
    let labels = Tensor::from_vec(&[ROWS], labels).expect("as many values as the shape says");
    let (xs, ys): (Tensor<f32>, Tensor<i64>) = (pixels.cast() / 255.0, labels.cast());
    let (batch, columns) = (BATCH as isize, COLUMNS as isize);
    let ready = (xs.reshape(&[-1, batch, columns]), ys.reshape(&[-1, batch]));
    let least = time(|| drop(over_rows(ready.0.clone(), ready.1.clone())));

    let floats = Dataset::from_slices((&xs, &ys));
    let mapped = Dataset::from_slices((&pixels, &labels))
        .map(|(x, y)| (x.cast::<f32>() / 255.0, y.cast::<i64>()));
    let ways = [
        ("batch", floats.batch(BATCH)),
        ("shuffle, batch", floats.shuffle(ROWS).batch(BATCH)),
        (
            "shuffle, batch, prefetch",
            floats.shuffle(ROWS).batch(BATCH).prefetch(2),
        ),
        ("map, shuffle, batch", mapped.shuffle(ROWS).batch(BATCH)),
        // After a filter, each row is mapped separately.
        (
            "map, filter, shuffle, batch",
            mapped
                .filter(|(_, y)| y.ge(0i64))
                .shuffle(ROWS)
                .batch(BATCH),
        ),
    ];
    println!("{:30} {:>12} {:>10}", "", "µs a batch", "more, µs");
    println!("{:30} {:12.1}", "batches that lie ready", least / 1e3);
    for (name, dataset) in ways {
        let time = time(|| drop(over_dataset(&dataset)));
        println!(
            "{name:30} {:12.1} {:10.1}",
            time / 1e3,
            (time - least) / 1e3
        );
    }
}
