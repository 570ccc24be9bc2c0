//! A stable softmax of each row: textbook: softmax.
use graph_runtime::prelude::*;

#[graph_fn]
fn softmax_rows(x: Tensor<f32, shape![_, 3]>) -> Tensor<f32> {
    let shifted = x - x.max_axis(1).expand_dims(1);
    let e = shifted.exp();
    e / e.sum_axis(1).expand_dims(1)
}

fn main() {
    let p = softmax_rows(tensor([[0.0, 0.0, 0.0], [1000.0, 0.0, 1000.0]]));
    assert_eq!(p.shape(), &[2, 3]);
    let expected = [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.5, 0.0, 0.5];
    for (a, b) in p.to_vec().into_iter().zip(expected) {
        assert!((a - b).abs() < 1e-6);
    }
}
