use graph_runtime::prelude::*;
// Iterators over a Vec of tensors.
#[graph_fn]
fn stats(xs: Vec<Tensor<f32>>) -> (Tensor<f32>, Tensor<f32>, Vec<Tensor<f32>>) {
    let n = xs.len() as f32;
    let total = xs.iter().fold(tensor(0.0), |sum, x| sum + x);
    let mean = &total / n;
    let centered: Vec<_> = xs.iter().map(|x| x - &mean).collect();
    let largest = xs.iter().cloned().reduce(|a, b| a.maximum(b)).unwrap();
    (total, largest, centered)
}
fn main() {
    let (total, largest, centered) = stats(vec![tensor(1.0), tensor(2.0), tensor(6.0)]);
    assert_eq!((total.item(), largest.item()), (9.0, 6.0));
    let centered: Vec<f32> = centered.iter().map(|c| c.item()).collect();
    assert_eq!(centered, [-2.0, -1.0, 3.0]);
}
