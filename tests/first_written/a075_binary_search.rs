//! Position of a key in a sorted vector: textbook: binary search.
use graph_runtime::prelude::*;

#[graph_fn]
fn binary_search(sorted: Tensor<i32>, key: Tensor<i32>) -> Tensor<i32> {
    let mut low = tensor(0);
    let mut high = sorted.size() - 1;
    while low <= high {
        let middle = (low + high) / 2;
        let value = sorted[middle];
        if value == key {
            return middle;
        } else if value < key {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    -1
}

fn main() {
    for (key, position) in [(2, 0), (5, 2), (23, 6), (4, -1), (99, -1)] {
        assert_eq!(binary_search(tensor([2, 3, 5, 7, 11, 13, 23]), tensor(key)).item(), position);
    }
}
