//! The limit of a range is read once: conformance `for_range_limit_changes_inside`.
use graph_runtime::prelude::*;

#[graph_fn]
fn limit_changes(mut n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut c = tensor(0);
    for _ in 0..n {
        n = n + 1;
        c += 1;
    }
    (c, n)
}

fn main() {
    for (n, expected) in [(3, (3, 6)), (0, (0, 0)), (5, (5, 10))] {
        let (c, m) = limit_changes(tensor(n));
        assert_eq!((c.item(), m.item()), expected);
    }
}
