//! The first number whose square is above the limit: conformance `break_while_python_counter`.
use graph_runtime::prelude::*;

#[graph_fn]
fn first_above(limit: Tensor<i32>) -> Tensor<i32> {
    let mut i = tensor(0);
    while i < 20 {
        if i * i > limit {
            break;
        }
        i += 1;
    }
    i
}

fn main() {
    for (limit, i) in [(3, 2), (50, 8), (-1, 0), (0, 1)] {
        assert_eq!(first_above(tensor(limit)).item(), i);
    }
}
