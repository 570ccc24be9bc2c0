//! A helper with early returns, called in a loop: conformance `return_from_helper_in_loop`.
use graph_runtime::prelude::*;

#[graph_fn]
fn clip(e: Tensor<i32>) -> Tensor<i32> {
    if e < 0 {
        return 0;
    }
    if e > 6 {
        return 6;
    }
    e
}

#[graph_fn]
fn clipped_digits(v: Tensor<i32>) -> Tensor<i32> {
    let mut s = tensor(0);
    for e in v {
        s = s * 10 + clip(e);
    }
    s
}

fn main() {
    assert_eq!(clipped_digits(tensor([1, -1, 5])).item(), 105);
    assert_eq!(clipped_digits(tensor([0, 0, 0])).item(), 0);
    assert_eq!(clipped_digits(tensor([-7, 8, 9])).item(), 66);
}
