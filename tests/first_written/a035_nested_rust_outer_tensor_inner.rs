//! A Rust loop around a loop of the graph: conformance `nested_py_range_outer_tf_inner`.
use graph_runtime::prelude::*;

#[graph_fn]
fn mixed_loops(n: Tensor<i32>) -> Tensor<i32> {
    let mut s = tensor(0);
    for k in 0..3 {
        for i in 0..n {
            s += k * i + 1;
        }
    }
    s
}

fn main() {
    assert_eq!(mixed_loops(tensor(2)).item(), 9);
    assert_eq!(mixed_loops(tensor(0)).item(), 0);
    assert_eq!(mixed_loops(tensor(3)).item(), 18);
}
