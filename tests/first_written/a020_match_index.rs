//! A match on a tensor index with a default: conformance `switch_case_index`.
use graph_runtime::prelude::*;

#[graph_fn]
fn switch(i: Tensor<i32>) -> Tensor<i32> {
    match i {
        0 => i + 10,
        1 => i * 2,
        _ => -i,
    }
}

fn main() {
    for (i, expected) in [(0, 10), (1, 2), (2, -2), (3, -3), (-1, 1), (100, -100)] {
        assert_eq!(switch(tensor(i)).item(), expected);
    }
}
