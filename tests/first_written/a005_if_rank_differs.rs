//! A matrix from one branch, a scalar from the other: conformance `if_rank_differs`.
use graph_runtime::prelude::*;

#[graph_fn]
fn if_rank_differs(k: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let y: Tensor<i32> = if k == 0 { tensor([[5, 6]]) } else { tensor(7) };
    (y, y.rank(), y.sum())
}

fn main() {
    let (y, rank, sum) = if_rank_differs(tensor(1));
    assert_eq!(y.item(), 7);
    assert_eq!(rank.item(), 0);
    assert_eq!(sum.item(), 7);
    let (y, rank, sum) = if_rank_differs(tensor(0));
    assert_eq!(y.to_vec(), vec![5, 6]);
    assert_eq!(rank.item(), 2);
    assert_eq!(sum.item(), 11);
}
