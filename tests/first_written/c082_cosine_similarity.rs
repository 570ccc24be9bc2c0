//! Cosine similarity that is 0 for a vector without length, and the row that is most alike (textbook: vector space model).
use graph_runtime::prelude::*;

#[graph_fn]
fn cosine(a: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    let lengths = a.norm() * b.norm();
    if lengths == 0.0 { 0.0 } else { a.dot(b) / lengths }
}

#[graph_fn]
fn most_alike(documents: Tensor<f32>, query: Tensor<f32>) -> Tensor<i32> {
    let mut best = tensor(-2.0);
    let mut index = tensor(-1);
    for (i, document) in documents.into_iter().enumerate() {
        let similarity = cosine(document, query);
        if similarity > best {
            best = similarity;
            index = i;
        }
    }
    index
}

fn main() {
    assert_eq!(cosine(tensor([3.0, 4.0]), tensor([6.0, 8.0])).item(), 1.0);
    assert_eq!(cosine(tensor([1.0, 0.0]), tensor([0.0, 2.0])).item(), 0.0);
    assert_eq!(cosine(tensor([0.0, 0.0]), tensor([1.0, 2.0])).item(), 0.0);
    let documents = tensor([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 2.0, 2.0], [2.0, 4.0, -4.0]]);
    assert_eq!(most_alike(documents, tensor([2.0, 4.0, 3.0])).item(), 2);
}
