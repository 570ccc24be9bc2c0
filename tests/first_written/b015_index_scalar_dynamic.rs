//! One element of a vector by an index that is a tensor. From: conformance index_scalar_dynamic.
use graph_runtime::prelude::*;

#[graph_fn]
fn element(v: Tensor<i32>, i: Tensor<i32>) -> Tensor<i32> {
    v[i]
}

fn main() {
    for (i, expected) in [(0, 10), (2, 30), (-1, 30), (-3, 10)] {
        let got = element(tensor([10, 20, 30]), tensor(i));
        assert_eq!(got.item(), expected);
    }
}
