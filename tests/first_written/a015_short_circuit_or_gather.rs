//! `||` keeps a bad index from being read: conformance `short_circuit_or_gather`.
use graph_runtime::prelude::*;

#[graph_fn]
fn lookup(v: Tensor<i32>, i: Tensor<i32>) -> Tensor<i32> {
    if i < 0 || i >= v.size() || v[i] == 0 {
        -1
    } else {
        v[i] * 10
    }
}

fn main() {
    for (i, expected) in [(0, 40), (1, -1), (7, -1), (-1, -1)] {
        assert_eq!(lookup(tensor([4, 0, 6]), tensor(i)).item(), expected);
    }
}
