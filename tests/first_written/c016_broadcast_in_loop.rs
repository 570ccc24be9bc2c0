//! A sum that starts as a scalar and becomes a vector in the loop: err_loop_broadcast_grows_shape (its eager meaning).
use graph_runtime::prelude::*;

#[graph_fn]
fn add_twice(v: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for _ in 0..tensor(2) {
        sum = sum + v;
    }
    sum
}

fn main() {
    assert_eq!(add_twice(tensor([1, 2])).to_vec(), [2, 4]);
}
