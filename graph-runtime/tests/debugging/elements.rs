//! All switches, for functions that a dataset applies to its elements.

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use graph_runtime::debug;
use graph_runtime::prelude::*;

use crate::logged;

/// The sum of the logarithms of elements, which a function computes. The function doesn't run on batches.
#[graph_fn]
fn sum_of_logs(elements: &Dataset<Tensor<f32>>) -> Tensor<f32> {
    let mut sum = tensor(0.0);
    for log in elements {
        sum += log;
    }
    sum
}

fn logs(x: Tensor<f32>) -> Dataset<Tensor<f32>> {
    Dataset::from_slices(x).map(|row| row.cumsum(0).log().sum())
}

#[test]
fn functions_over_elements_are_looked_at() {
    let elements = logs(tensor([[1.0f32, 1.0], [0.0, 1.0]]));
    let lines = logged(|| {
        let _scope = debug::LOG_VALUES.scope(true);
        drop(sum_of_logs(&elements));
    });
    let of_elements = lines
        .iter()
        .filter(|line| line.starts_with("function of elements ("));
    let sums: Vec<&String> = of_elements
        .filter(|line| line.contains("): cumsum at "))
        .collect();
    assert_eq!(sums.len(), 2, "{lines:?}");
    assert!(
        sums[1].ends_with(": float32[2], min 0, max 1, mean 0.5"),
        "{}",
        sums[1]
    );

    let (_, profile) = debug::profile(|| sum_of_logs(&elements));
    let runs: Vec<u64> = profile.functions().iter().map(|f| f.runs).collect();
    assert_eq!(runs, [2, 1]);

    let _scope = debug::CHECK_NUMERICS.scope(true);
    for _ in elements.iter().take(1) {}
    let panic = catch_unwind(|| elements.iter().count()).unwrap_err();
    let text = panic.downcast_ref::<String>().expect("a message");
    assert!(text.contains("in output 0 of graph op \"log\""), "{text}");
}

#[test]
fn what_an_instruction_runs_of_other_graphs_is_not_its_time() {
    let elements = logs(tensor(vec![0.5f32; 200_000]).reshape(&[2, 100_000]));
    let begin = Instant::now();
    let (_, profile) = debug::profile(|| sum_of_logs(&elements));
    let elapsed = begin.elapsed();
    let [of_elements, outer] = profile.functions() else {
        panic!("two functions: {profile}");
    };
    // If the time for elements was counted twice, the sum would be more than the elapsed time, even on a busy machine.
    let time = |f: &debug::FunctionProfile| f.rows.iter().map(|row| row.time).sum::<Duration>();
    assert!(time(outer) + time(of_elements) <= elapsed, "{profile}");
}
