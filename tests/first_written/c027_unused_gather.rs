//! An op whose result nobody needs does not run, nor fail: seed0_unused_return.
use graph_runtime::prelude::*;

#[graph_fn]
fn unused_return(x: Tensor<f32>) -> Tensor<f32> {
    x.gather(tensor([1]));
    x
}

fn main() {
    assert_eq!(unused_return(tensor([0.0])).to_vec(), [0.0]);
}
