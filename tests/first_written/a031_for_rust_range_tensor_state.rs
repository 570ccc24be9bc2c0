//! A Rust loop with the counter beside a tensor: conformance `for_py_range_tensor_state`.
use graph_runtime::prelude::*;

#[graph_fn]
fn unrolled(x: Tensor<i32>) -> Tensor<i32> {
    let mut x = x;
    for i in 0..4 {
        x = x * 2 + i;
    }
    x
}

fn main() {
    assert_eq!(unrolled(tensor(1)).item(), 27);
    assert_eq!(unrolled(tensor(-2)).item(), -21);
    assert_eq!(unrolled(tensor(0)).item(), 11);
}
