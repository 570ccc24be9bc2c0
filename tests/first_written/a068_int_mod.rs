//! Remainders of i64; by zero is an error: conformance `int_mod_by_zero`.
use graph_runtime::prelude::*;

#[graph_fn]
fn remainder(a: Tensor<i64>, b: Tensor<i64>) -> Result<Tensor<i64>, graph_runtime::Error> {
    Ok(a % b)
}

fn main() {
    let r = remainder(tensor([5i64, 2]), tensor([3i64, 2])).unwrap();
    assert_eq!(r.to_vec(), vec![2, 0]);
    assert!(remainder(tensor([1i64, 2]), tensor([0i64, 1])).is_err());
}
