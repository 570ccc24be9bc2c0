//! How many values fall into each of n bins, with those outside left out. From: textbook: histogram.
use graph_runtime::prelude::*;

#[graph_fn]
fn histogram(values: Tensor<f32>, low: Tensor<f32>, high: Tensor<f32>, bins: usize) -> Tensor<i32> {
    let mut counts = zeros([bins]);
    let width = (high - low) / bins as f32;
    for v in values {
        if v < low || v >= high {
            continue;
        }
        let bin = ((v - low) / width).floor().cast::<i32>();
        counts[bin] += 1;
    }
    counts
}

fn main() {
    let counts = histogram(tensor([0.5, 1.5, 1.9, 3.0, -1.0, 4.0, 2.0]), tensor(0.0), tensor(4.0), 4);
    assert_eq!(counts.to_vec(), [1, 2, 1, 1]);
}
