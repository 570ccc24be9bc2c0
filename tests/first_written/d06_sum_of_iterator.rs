use graph_runtime::prelude::*;
// Iterator::sum and product over tensors.
#[graph_fn]
fn norms(xs: &[Tensor<f32>]) -> Tensor<f32> {
    xs.iter().map(|x| x * x).sum::<Tensor<f32>>().sqrt()
}
#[graph_fn]
fn product(xs: &[Tensor<i32>]) -> Tensor<i32> {
    xs.iter().cloned().product()
}
fn main() {
    assert_eq!(norms(&[tensor(3.0), tensor(4.0)]).item(), 5.0);
    assert_eq!(product(&[tensor(3), tensor(4)]).item(), 12);
}
