//! The loop's variable is changed in its body: conformance `for_range_reassign_iterate`.
use graph_runtime::prelude::*;

#[graph_fn]
fn tens(n: Tensor<i32>) -> Tensor<i32> {
    let mut s = tensor(0);
    for mut i in 0..n {
        i = i * 10;
        s += i;
    }
    s
}

fn main() {
    assert_eq!(tens(tensor(4)).item(), 60);
    assert_eq!(tens(tensor(2)).item(), 10);
    assert_eq!(tens(tensor(0)).item(), 0);
}
