//! Guards tried in order: conformance `case_first_true_wins`.
use graph_runtime::prelude::*;

#[graph_fn]
fn first_true(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
    match (x, y) {
        (x, y) if x < y => 17,
        (x, y) if x + y > 9 => x - y,
        (x, y) if x == y => -1,
        _ => x * 1000,
    }
}

fn main() {
    assert_eq!(first_true(tensor(1), tensor(2)).item(), 17);
    assert_eq!(first_true(tensor(5), tensor(5)).item(), 0);
    assert_eq!(first_true(tensor(9), tensor(2)).item(), 7);
    assert_eq!(first_true(tensor(0), tensor(0)).item(), -1);
}
