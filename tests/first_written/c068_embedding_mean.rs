//! Embeddings looked up and averaged, without padding tokens (textbook: bag of words).
use graph_runtime::prelude::*;

#[graph_fn]
fn mean_embedding(table: Tensor<f32>, tokens: Tensor<i32>) -> Tensor<f32> {
    let vectors = table.gather(tokens);
    let mask = (tokens != 0).cast::<f32>();
    let count = mask.sum();
    if count == 0.0 {
        return Tensor::zeros([2]);
    }
    (vectors * mask.expand_dims(1)).sum_axis(0) / count
}

fn main() {
    let table = tensor([[9.0, 9.0], [1.0, 2.0], [3.0, 4.0], [5.0, 0.0]]);
    assert_eq!(mean_embedding(table.clone(), tensor([1, 2, 0])).to_vec(), [2.0, 3.0]);
    assert_eq!(mean_embedding(table.clone(), tensor([3, 3, 3])).to_vec(), [5.0, 0.0]);
    assert_eq!(mean_embedding(table, tensor([0, 0, 0])).to_vec(), [0.0, 0.0]);
}
