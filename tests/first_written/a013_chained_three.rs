//! Chained comparisons, written out: conformance `chained_three`.
use graph_runtime::prelude::*;

#[graph_fn]
fn chained(a: Tensor<i32>, b: Tensor<i32>, c: Tensor<i32>) -> (Tensor<bool>, Tensor<bool>, Tensor<bool>) {
    (a < b && b < c, a <= b && b < c, a == b && b != c)
}

fn check(a: i32, b: i32, c: i32, expected: (bool, bool, bool)) {
    let (x, y, z) = chained(tensor(a), tensor(b), tensor(c));
    assert_eq!((x.item(), y.item(), z.item()), expected);
}

fn main() {
    check(1, 2, 3, (true, true, false));
    check(1, 1, 3, (false, true, true));
    check(3, 2, 1, (false, false, false));
    check(1, 5, 3, (false, false, false));
}
