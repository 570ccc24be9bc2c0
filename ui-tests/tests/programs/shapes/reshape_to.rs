// A network whose shapes the compiler knows.
use graph_runtime::prelude::*;

#[graph_fn]
fn network(
    images: Tensor<f32, shape![_, 28, 28]>,
    hidden: Tensor<f32, S2<784, 100>>,
    output: Tensor<f32, S2<100, 10>>,
) -> Tensor<f32, shape![_, 10]> {
    let x = images.reshape_to::<shape![_, 784]>();
    x.matmul(hidden).relu().matmul(output)
}

#[test]
fn runs() {
    let hidden: Tensor<f32, S2<784, 100>> = Tensor::of_ones();
    let output: Tensor<f32, S2<100, 10>> = Tensor::of_ones();
    let scores = network(zeros([5, 28, 28]), hidden, output);
    assert_eq!(scores.shape().to_string(), "[5,10]");
}
