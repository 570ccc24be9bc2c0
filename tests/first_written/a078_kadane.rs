//! Largest sum of neighbours: textbook: Kadane's algorithm.
use graph_runtime::prelude::*;

#[graph_fn]
fn max_subarray(v: Tensor<i32>) -> Tensor<i32> {
    let mut best = v[0];
    let mut here = tensor(0);
    for e in v {
        here = e.max(here + e);
        best = best.max(here);
    }
    best
}

fn main() {
    assert_eq!(max_subarray(tensor([-2, 1, -3, 4, -1, 2, 1, -5, 4])).item(), 6);
    assert_eq!(max_subarray(tensor([-3, -1, -2])).item(), -1);
    assert_eq!(max_subarray(tensor([5])).item(), 5);
}
