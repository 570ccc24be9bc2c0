use graph_runtime::prelude::*;
// Generic code over numbers.
#[graph_fn]
fn clamp_all<T: Number>(x: Tensor<T>, low: T, high: T) -> Tensor<T> {
    x.maximum(low).minimum(high)
}
fn main() {
    assert_eq!(clamp_all(tensor([1, 5, 9]), 2, 8).to_vec(), [2, 5, 8]);
    assert_eq!(clamp_all(tensor([0.5, 2.5]), 1.0, 2.0).to_vec(), [1.0, 2.0]);
}
