//! A confusion matrix by one-hot rows (textbook: classification metrics).
use graph_runtime::prelude::*;

#[graph_fn]
fn confusion_matrix(truth: Tensor<i32>, predicted: Tensor<i32>, classes: usize) -> Tensor<f32> {
    let truth = truth.one_hot(classes);
    let predicted = predicted.one_hot(classes);
    truth.transpose().matmul(predicted)
}

fn main() {
    let matrix = confusion_matrix(tensor([0, 1, 2, 2, 1, 0]), tensor([0, 2, 2, 2, 1, 1]), 3);
    assert_eq!(matrix.shape(), [3, 3]);
    assert_eq!(matrix.to_vec(), [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 2.0]);
}
