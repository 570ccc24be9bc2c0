//! A vector that grows in a tensor loop, which TensorFlow refuses: err_loop_shape_changes (its eager meaning).
use graph_runtime::prelude::*;

#[graph_fn]
fn grow(n: Tensor<i32>) -> Tensor<i32> {
    let mut v = Tensor::<i32>::zeros([1]);
    for i in 0..n {
        v = concat([v, i.expand_dims(0)], 0);
    }
    v
}

fn main() {
    assert_eq!(grow(tensor(3)).to_vec(), [0, 0, 1, 2]);
    assert_eq!(grow(tensor(0)).to_vec(), [0]);
}
