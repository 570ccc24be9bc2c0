//! An inner continue and an outer break: conformance `inner_continue_outer_break`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut s = tensor(0);
    let mut i = tensor(0);
    while i < n {
        i += 1;
        let mut j = tensor(0);
        while j < i {
            j += 1;
            if (i + j) % 3 == 0 {
                continue;
            }
            s += j;
        }
        if s > 20 {
            break;
        }
    }
    (s, i)
}

fn main() {
    for (n, expected) in [(5, (24, 5)), (2, (3, 2)), (9, (24, 5))] {
        let (s, i) = f(tensor(n));
        assert_eq!((s.item(), i.item()), expected);
    }
}
