//! The position at which a value would keep a sorted vector sorted. From: textbook: binary search (lower bound).
use graph_runtime::prelude::*;

#[graph_fn]
fn lower_bound(sorted: Tensor<i32>, target: Tensor<i32>) -> Tensor<i32> {
    let mut low = tensor(0);
    let mut high = tensor(sorted.len() as i32);
    while low < high {
        let middle = low + (high - low) / 2;
        if sorted[middle] < target {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn main() {
    for (target, position) in [(0, 0), (1, 0), (4, 2), (5, 2), (10, 4), (11, 5)] {
        let found = lower_bound(tensor([1, 3, 5, 7, 10]), tensor(target));
        assert_eq!(found.item(), position);
    }
}
