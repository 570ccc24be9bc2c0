//! Elementwise choice with broadcasting: conformance `where_broadcast`.
use graph_runtime::prelude::*;

#[graph_fn]
fn where_broadcast(m: Tensor<bool>, row: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    (select(m, row, 0), select(m, row, -row))
}

fn main() {
    let (a, b) = where_broadcast(tensor([[true], [false]]), tensor([1, 2, 3]));
    assert_eq!(a.to_vec(), vec![1, 2, 3, 0, 0, 0]);
    assert_eq!(b.to_vec(), vec![1, 2, 3, -1, -2, -3]);
    assert_eq!(a.shape(), &[2, 3]);
    let (a, b) = where_broadcast(tensor([[false], [false]]), tensor([7, 8, 9]));
    assert_eq!(a.to_vec(), vec![0; 6]);
    assert_eq!(b.to_vec(), vec![-7, -8, -9, -7, -8, -9]);
}
