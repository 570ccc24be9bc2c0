//! Scaled dot-product attention, with itself, plain and causal (textbook: Vaswani et al.).
use graph_runtime::prelude::*;

#[graph_fn]
fn attention(q: Tensor<f32>, k: Tensor<f32>, v: Tensor<f32>, causal: bool) -> Tensor<f32> {
    let mut scores = q.matmul(k.transpose()) / 2.0f32.sqrt();
    if causal {
        let allowed = tensor([[true, false, false], [true, true, false], [true, true, true]]);
        scores = select(allowed, scores, f32::NEG_INFINITY);
    }
    scores.softmax(-1).matmul(v)
}

#[graph_fn]
fn self_attention(x: Tensor<f32>, causal: bool) -> Tensor<f32> {
    attention(x, x, x, causal)
}

fn close(a: Tensor<f32>, b: [f32; 6]) -> bool {
    a.to_vec().iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5)
}

fn main() {
    let x = tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
    let plain = self_attention(x.clone(), false);
    assert!(close(plain, [0.8022242, 0.5988879, 0.5988879, 0.8022242, 0.7517449, 0.7517449]));
    let causal = self_attention(x, true);
    assert!(close(causal, [1.0, 0.0, 0.3302385, 0.6697615, 0.7517449, 0.7517449]));
}
