//! Sums up codes of equalities that hold: conformance `equality_forms`.
use graph_runtime::prelude::*;

#[graph_fn]
fn equality_forms(a: Tensor<i32>, b: Tensor<i32>) -> Tensor<i32> {
    let mut r = tensor(0);
    if a == b {
        r += 1;
    }
    if a != b {
        r += 2;
    }
    if !(a == b) {
        r += 4;
    }
    if a == 2 {
        r += 8;
    }
    r
}

fn main() {
    assert_eq!(equality_forms(tensor(2), tensor(2)).item(), 9);
    assert_eq!(equality_forms(tensor(2), tensor(3)).item(), 14);
    assert_eq!(equality_forms(tensor(-1), tensor(1)).item(), 6);
}
