//! An Option that the first iteration fills: err_loop_none_before.
use graph_runtime::prelude::*;

#[graph_fn]
fn last_double(n: Tensor<i32>) -> Tensor<i32> {
    let mut best = None;
    for i in 0..n {
        best = Some(i * 2);
    }
    best.unwrap()
}

fn main() {
    assert_eq!(last_double(tensor(3)).item(), 4);
    assert_eq!(last_double(tensor(1)).item(), 0);
}
