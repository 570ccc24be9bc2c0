// Wanted: an assertion that tells the log, as a print does.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>) -> Tensor<i32> {
    graph_assert!(x > 0, "not positive:", x; to = stderr);
    x
}

fn helper(x: &Tensor<i32>) {
    graph_assert!();
    graph_assert!(x.sum(), "a sum is no condition");
}

fn main() {}
