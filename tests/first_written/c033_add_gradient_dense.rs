//! Gradient of a sum with respect to a variable by a tape around the call, and a dense layer: seed2_add_gradient_dense.
use graph_runtime::prelude::*;

#[graph_fn]
fn add(a: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    a + b
}

#[graph_fn]
fn dense_layer(x: Tensor<f32>, w: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    add(x.matmul(w), b)
}

fn main() {
    assert_eq!(add(Tensor::ones([2, 2]), Tensor::ones([2, 2])).to_vec(), [2.0; 4]);

    let v = Variable::new(tensor(1.0));
    let tape = GradientTape::new();
    let result = add(v.read(), tensor(1.0));
    let gradient = tape.gradient(&result, &v).unwrap();
    assert_eq!(result.item(), 2.0);
    assert_eq!(gradient.item(), 1.0);

    let dense = dense_layer(Tensor::ones([3, 2]), Tensor::ones([2, 2]), Tensor::ones([2]));
    assert_eq!(dense.to_vec(), [3.0; 6]);
}
