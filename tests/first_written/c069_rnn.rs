//! A recurrent network of one unit over a sequence (textbook: Elman's network).
use graph_runtime::prelude::*;

#[graph_fn]
fn rnn(sequence: Tensor<f32>, wx: Tensor<f32>, wh: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let mut h = tensor([[0.0]]);
    let mut outputs = TensorArray::new();
    for x in sequence {
        h = (x.reshape([1, 1]).matmul(wx) + h.matmul(wh)).tanh();
        outputs.push(h);
    }
    (outputs.stack(), h)
}

fn main() {
    let (outputs, last) = rnn(tensor([1.0, 0.0, -1.0, 2.0]), tensor([[0.5]]), tensor([[0.8]]));
    assert_eq!(outputs.shape(), [4, 1, 1]);
    assert!((outputs.to_vec()[0] - 0.46211717).abs() < 1e-5);
    assert!((last.to_vec()[0] - 0.67997015).abs() < 1e-5);
}
