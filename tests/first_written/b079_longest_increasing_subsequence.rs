//! The length of the longest increasing subsequence. From: textbook: LIS in quadratic time.
use graph_runtime::prelude::*;

#[graph_fn]
fn lis(a: Tensor<i32>) -> Tensor<i32> {
    let n = a.len();
    let mut length = vec![tensor(1); n];
    for i in 0..n {
        for j in 0..i {
            if a[j] < a[i] && length[j] + 1 > length[i] {
                length[i] = length[j] + 1;
            }
        }
    }
    let mut best = tensor(0);
    for l in length {
        best = best.maximum(l);
    }
    best
}

fn main() {
    assert_eq!(lis(tensor([10, 9, 2, 5, 3, 7, 101, 18])).item(), 4);
    assert_eq!(lis(tensor([0, 1, 0, 3, 2, 3])).item(), 4);
    assert_eq!(lis(tensor([7, 7, 7])).item(), 1);
}
