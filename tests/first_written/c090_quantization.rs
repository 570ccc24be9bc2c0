//! Affine quantization to four bits, and back (textbook: Jacob et al.).
use graph_runtime::prelude::*;

#[derive(Clone, Copy, PartialEq, TraceType)]
struct Scheme {
    scale: f32,
    zero: i32,
}

#[graph_fn]
fn quantize(x: Tensor<f32>, scheme: Scheme) -> Tensor<i32> {
    ((x / scheme.scale).round().cast::<i32>() + scheme.zero).clamp(0, 15)
}

#[graph_fn]
fn dequantize(q: Tensor<i32>, scheme: Scheme) -> Tensor<f32> {
    (q - scheme.zero).cast::<f32>() * scheme.scale
}

fn main() {
    let scheme = Scheme { scale: 0.5, zero: 3 };
    let q = quantize(tensor([0.0, 1.1, -1.4, 20.0, -20.0]), scheme);
    assert_eq!(q.to_vec(), [3, 5, 0, 15, 0]);
    assert_eq!(dequantize(q, scheme).to_vec(), [0.0, 1.0, -1.5, 6.0, -1.5]);
}
