//! Sum of a range and its last number: conformance `for_range_limit`.
use graph_runtime::prelude::*;

#[graph_fn]
fn for_range_limit(n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut s = tensor(0);
    let mut last = tensor(-1);
    for i in 0..n {
        s += i;
        last = i;
    }
    (s, last)
}

fn main() {
    for (n, expected) in [(5, (10, 4)), (0, (0, -1)), (-3, (0, -1)), (1, (0, 0))] {
        let (s, last) = for_range_limit(tensor(n));
        assert_eq!((s.item(), last.item()), expected);
    }
}
