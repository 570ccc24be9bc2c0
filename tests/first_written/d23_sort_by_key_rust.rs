use graph_runtime::prelude::*;
// Sorting Rust values that label tensors.
#[graph_fn]
fn weighted(mut parts: Vec<(i32, Tensor<f32>)>) -> Tensor<f32> {
    parts.sort_by_key(|(rank, _)| *rank);
    let mut total = tensor(0.0);
    for (i, (_, x)) in parts.iter().enumerate() {
        total += x * (i as f32 + 1.0);
    }
    total
}
fn main() {
    assert_eq!(weighted(vec![(2, tensor(10.0)), (1, tensor(1.0))]).item(), 21.0);
}
