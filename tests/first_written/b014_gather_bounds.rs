//! Gathering by indices, and an index out of bounds. From: conformance gather_bounds.
use graph_runtime::prelude::*;

#[graph_fn]
fn pick(v: Tensor<i32>, idx: Tensor<i32>) -> Result<Tensor<i32>, graph_runtime::Error> {
    Ok(v.gather(idx))
}

fn main() {
    let picked = pick(tensor([10, 20, 30]), tensor([2, 0, 0])).unwrap();
    assert_eq!(picked.to_vec(), [30, 10, 10]);

    assert!(pick(tensor([10, 20, 30]), tensor([0, 3])).is_err());
    assert!(pick(tensor([10, 20, 30]), tensor([-1])).is_err());
}
