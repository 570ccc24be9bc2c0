// Wanted: weights in the wrong order of axes.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32, shape![_, 784]>, w: Tensor<f32, shape![784, 10]>) -> Tensor<f32, shape![_, 10]> {
    x.matmul(w)
}

fn main() {
    let w: Tensor<f32, S2<10, 784>> = Tensor::of_zeros();
    f(Tensor::<f32, S2<32, 784>>::of_zeros(), w);
}
