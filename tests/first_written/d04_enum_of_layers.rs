use graph_runtime::prelude::*;
// An enum with tensors in its variants.
#[derive(Clone, TraceType)]
enum Layer {
    Dense { w: Tensor<f32>, b: Tensor<f32> },
    Relu,
    Scale(f32),
}
#[graph_fn]
fn forward(layers: &[Layer], x: Tensor<f32>) -> Tensor<f32> {
    let mut x = x;
    for layer in layers {
        x = match layer {
            Layer::Dense { w, b } => x.matmul(w) + b,
            Layer::Relu => x.relu(),
            Layer::Scale(s) => x * *s,
        };
    }
    x
}
fn main() {
    let layers = [
        Layer::Dense { w: tensor([[1.0, -1.0], [2.0, 0.5]]), b: tensor([0.5, -0.5]) },
        Layer::Relu,
        Layer::Scale(2.0),
    ];
    assert_eq!(forward(&layers, tensor([[1.0, 1.0]])).to_vec(), [7.0, 0.0]);
}
