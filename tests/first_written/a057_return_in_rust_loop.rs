//! A return under a tensor condition in a Rust loop: conformance `return_in_python_loop_tensor_condition`.
use graph_runtime::prelude::*;

#[graph_fn]
fn grow(mut x: Tensor<i32>) -> Tensor<i32> {
    for i in 0..3 {
        if x > 1 {
            return x;
        }
        x = x + i;
    }
    -x
}

fn main() {
    assert_eq!(grow(tensor(2)).item(), 2);
    assert_eq!(grow(tensor(-1)).item(), -2);
    assert_eq!(grow(tensor(-9)).item(), 6);
}
