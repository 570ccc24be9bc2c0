//! Gradients clipped by their global norm (textbook: Pascanu et al.).
use graph_runtime::prelude::*;

#[graph_fn]
fn clip_by_global_norm(a: Tensor<f32>, b: Tensor<f32>, limit: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    let norm = (a.square().sum() + b.square().sum()).sqrt();
    if norm > limit {
        let scale = limit / norm;
        (a * scale, b * scale, norm)
    } else {
        (a, b, norm)
    }
}

fn main() {
    let (a, b, norm) = clip_by_global_norm(tensor([3.0, 4.0]), tensor([12.0]), tensor(6.5));
    assert_eq!(norm.item(), 13.0);
    assert_eq!(a.to_vec(), [1.5, 2.0]);
    assert_eq!(b.to_vec(), [6.0]);
    let (a, b, _) = clip_by_global_norm(tensor([3.0, 4.0]), tensor([12.0]), tensor(20.0));
    assert_eq!(a.to_vec(), [3.0, 4.0]);
    assert_eq!(b.to_vec(), [12.0]);
}
