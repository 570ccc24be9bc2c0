//! The best value for each capacity from 0 to 7: alg_knapsack.
use graph_runtime::prelude::*;

#[graph_fn]
fn knapsack(weights: Tensor<i32>, values: Tensor<i32>) -> Tensor<i32> {
    let mut best = Tensor::<i32>::zeros([8]);
    let capacities = tensor([0, 1, 2, 3, 4, 5, 6, 7]);
    for (w, value) in weights.into_iter().zip(values) {
        if w > 7 {
            continue;
        }
        let shifted = best.gather((capacities - w).maximum(0)) + value;
        best = select(capacities >= w, best.maximum(shifted), best);
    }
    best
}

fn main() {
    assert_eq!(knapsack(tensor([1, 3, 4, 5]), tensor([1, 4, 5, 7])).to_vec(), [0, 1, 1, 4, 5, 7, 8, 9]);
    assert_eq!(knapsack(tensor([8, 8, 8, 8]), tensor([1, 2, 3, 4])).to_vec(), [0; 8]);
    assert_eq!(knapsack(tensor([2, 2, 2, 2]), tensor([3, 3, 3, 4])).to_vec(), [0, 0, 4, 4, 7, 7, 10, 10]);
}
