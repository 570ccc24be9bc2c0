use graph_runtime::prelude::*;
// Slices as parameters and split.
#[graph_fn]
fn dot(a: &[Tensor<f32>], b: &[Tensor<f32>]) -> Tensor<f32> {
    assert_eq!(a.len(), b.len());
    let mut sum = tensor(0.0);
    for (x, y) in a.iter().zip(b) {
        sum += x * y;
    }
    sum
}
#[graph_fn]
fn halves(xs: &[Tensor<f32>]) -> Tensor<f32> {
    let (left, right) = xs.split_at(xs.len() / 2);
    dot(left, right)
}
fn main() {
    let xs = [tensor(1.0), tensor(2.0), tensor(3.0), tensor(4.0)];
    assert_eq!(halves(&xs).item(), 11.0);
}
