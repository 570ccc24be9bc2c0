//! The best value that a knapsack can hold. From: textbook: 0/1 knapsack.
use graph_runtime::prelude::*;

#[graph_fn]
fn knapsack(weights: Tensor<i32>, values: Tensor<i32>, capacity: usize) -> Tensor<i32> {
    let mut best = zeros([capacity + 1]);
    for k in 0..weights.len() {
        let (w, v) = (weights[k], values[k]);
        for c in (0..=capacity).rev() {
            if w <= c as i32 {
                let with = best[c as i32 - w] + v;
                best[c] = best[c].maximum(with);
            }
        }
    }
    best[capacity]
}

fn main() {
    assert_eq!(knapsack(tensor([1, 3, 4, 5]), tensor([1, 4, 5, 7]), 7).item(), 9);
    assert_eq!(knapsack(tensor([10, 20, 30]), tensor([60, 100, 120]), 50).item(), 220);
}
