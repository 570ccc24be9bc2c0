//! Measures a step of gradient descent on a table of which few rows were looked up, as with an embedding. Prints the minimum time of a step
//! and the peak memory of the process. With GRAPH_DISABLE_PASSES=row_updates, it measures the update of the whole table.
//!
//! `cargo run --release -p graph-bench --bin table-updates`
//!
//! On two cores busy with other work, by the optimizer: 1.8 µs for 1 row, 4.0 µs for 32 and 70 µs for 1024, with 33 MB at most; for the
//! whole table 11, 21 and 22 ms, with 183 MB.

use std::hint::black_box;
use std::time::{Duration, Instant};

use graph_runtime::nn::Sgd;
use graph_runtime::prelude::*;

const ROWS: usize = 100_000;
const WIDTH: usize = 64;
const STEPS: u32 = 10;
const ROUNDS: usize = 20;

#[graph_fn]
fn optimizer(table: &Variable<f32>, sgd: &Sgd, rows: Tensor<i32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let loss = table.gather(rows).square().mean();
    sgd.apply(&tape.gradient(&loss, table), table);
    loss
}

#[graph_fn]
fn rate_of_the_call(table: &Variable<f32>, rate: Tensor<f32>, rows: Tensor<i32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let loss = table.gather(rows).square().mean();
    let gradient = tape.gradient(&loss, table).expect("it is looked up");
    table.assign_sub(gradient * rate);
    loss
}

/// The minimum time of a step.
fn least(mut step: impl FnMut()) -> Duration {
    step();
    let round = |_| {
        let start = Instant::now();
        (0..STEPS).for_each(|_| step());
        start.elapsed() / STEPS
    };
    (0..ROUNDS).map(round).min().expect("there are rounds")
}

/// The peak memory of the process, if the system tells it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown".to_owned(), |line| line.trim().to_owned())
}

fn main() {
    let table = Variable::new(ones(&[ROWS, WIDTH]));
    println!(
        "{:<8} {:>20} {:>20}",
        "rows", "optimizer", "rate of the call"
    );
    for count in [1, 32, 1024] {
        // Some rows occur twice.
        let rows = (range(0, count, 1) * 7919)
            .floor_mod(ROWS as i32 - 1)
            .floor_div(2);
        let sgd = Sgd::new(&table);
        let by_optimizer = least(|| drop(black_box(optimizer(&table, &sgd, rows.clone()))));
        let rate = tensor(0.01);
        let by_rate = least(|| {
            drop(black_box(rate_of_the_call(
                &table,
                rate.clone(),
                rows.clone(),
            )))
        });
        println!("{count:<8} {by_optimizer:>20.2?} {by_rate:>20.2?}");
    }
    let table = (ROWS * WIDTH * 4) >> 20;
    println!("peak memory {}, of which the table is {table} MB", peak());
}
