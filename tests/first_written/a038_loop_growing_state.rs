//! A vector that grows in a loop: conformance `loop_growing_state_shape_invariant`.
use graph_runtime::prelude::*;

#[graph_fn]
fn squares(n: Tensor<i32>) -> Tensor<i32> {
    let mut v: Tensor<i32> = Tensor::zeros([0]);
    for i in 0..n {
        v = concat([v, (i * i).expand_dims(0)], 0);
    }
    v
}

fn main() {
    assert_eq!(squares(tensor(3)).to_vec(), vec![0, 1, 4]);
    assert_eq!(squares(tensor(0)).to_vec(), vec![]);
    assert_eq!(squares(tensor(1)).to_vec(), vec![0]);
}
