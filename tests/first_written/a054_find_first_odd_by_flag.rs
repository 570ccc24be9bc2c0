//! The first odd row, by a flag: conformance `return_after_loop_flag`.
use graph_runtime::prelude::*;

#[graph_fn]
fn first_odd(v: Tensor<i32>) -> (Tensor<i32>, Tensor<bool>) {
    let mut found = tensor(-1);
    let mut done = tensor(false);
    for e in v {
        if !done && e % 2 == 1 {
            found = e;
            done = tensor(true);
        }
    }
    (found, done)
}

fn main() {
    for (v, expected) in [([4, 7, 9], (7, true)), ([2, 4, 6], (-1, false)), ([3, 3, 3], (3, true))] {
        let (found, done) = first_odd(tensor(v));
        assert_eq!((found.item(), done.item()), expected);
    }
}
