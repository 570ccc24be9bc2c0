//! A return in the first iteration, with a value for no rows: conformance `return_in_loop_zero_trip`.
use graph_runtime::prelude::*;

#[graph_fn]
fn first_plus_one(v: Tensor<i32>) -> Tensor<i32> {
    for e in v {
        return e + 1;
    }
    -1
}

fn main() {
    assert_eq!(first_plus_one(tensor([5, 6])).item(), 6);
    assert_eq!(first_plus_one(tensor([-5])).item(), -4);
}
