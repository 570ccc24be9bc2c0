//! Prefix sums and running maxima of a vector, by scan. From: textbook: prefix sums.
use graph_runtime::prelude::*;

#[graph_fn]
fn prefixes(v: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let sums = scan(|sum, x| sum + x, &v, tensor(0));
    let highest = scan(|best: Tensor<i32>, x| best.maximum(x), &v, tensor(i32::MIN));
    (sums, highest, v.cumsum(0))
}

fn main() {
    let (sums, highest, cumulated) = prefixes(tensor([3, -1, 4, 1, 5]));
    assert_eq!(sums.to_vec(), [3, 2, 6, 7, 12]);
    assert_eq!(highest.to_vec(), [3, 3, 4, 4, 5]);
    assert_eq!(cumulated.to_vec(), [3, 2, 6, 7, 12]);
}
