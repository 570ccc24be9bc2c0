//! Causal attention with two heads, by einsum and a triangular mask.

use graph_runtime::prelude::*;

#[graph_fn]
fn attention(q: &Tensor<f32>, k: &Tensor<f32>, v: &Tensor<f32>, heads: usize) -> Tensor<f32> {
    let (t, d) = (q.dim(0), q.dim(1));
    let split = |x: &Tensor<f32>| x.reshape([t, heads, d / heads]).permute([1, 0, 2]);
    let (q, k, v) = (split(q), split(k), split(v));
    let scores = einsum("hqd,hkd->hqk", [&q, &k]) / ((d / heads) as f32).sqrt();
    let mask = ones::<f32>([t, t]).tril();
    let scores = where_(mask.eq(1.0), scores, f32::NEG_INFINITY);
    let weights = scores.softmax(-1);
    let out = weights.matmul(&v);
    out.permute([1, 0, 2]).reshape([t, d])
}

fn main() {
    let numbers = |n: usize, a: f32| (0..n).map(|i| (i as f32 * a).sin()).collect::<Vec<f32>>();
    let q = Tensor::from_vec(&[3, 4], numbers(12, 1.0)).unwrap();
    let k = Tensor::from_vec(&[3, 4], numbers(12, 0.7)).unwrap();
    let v = Tensor::from_vec(&[3, 4], numbers(12, 0.3)).unwrap();
    let y = attention(&q, &k, &v, 2);
    println!("{y}");
    assert_eq!(y.shape().dims(), [3, 4]);
    for (found, wanted) in y.to_vec().iter().zip(Y) {
        assert!((found - wanted).abs() < 1e-5, "{found} {wanted}");
    }
}

// NumPy's.
const Y: [f32; 12] = [
    0.0, 0.2955202, 0.5646425, 0.7833269, 0.5791497, 0.7317128, 0.7200472, 0.8136640, 0.5010646, 0.5915651, 0.8407427, 0.7440822,
];
