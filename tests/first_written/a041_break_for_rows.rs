//! Sums until a row is too big: conformance `break_for_rows`.
use graph_runtime::prelude::*;

#[graph_fn]
fn sum_until_big(v: Tensor<i32>) -> Tensor<i32> {
    let mut s = tensor(0);
    for e in v {
        if e > 2 {
            break;
        }
        s += e;
    }
    s
}

fn main() {
    for (v, s) in [([1, 2, 3, 4], 3), ([5, 1, 1, 1], 0), ([0, 0, 0, 9], 0), ([0, 0, 0, 0], 0)] {
        assert_eq!(sum_until_big(tensor(v)).item(), s);
    }
}
