// Wanted: a matrix of which one size is known, and wrong.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32, shape![2, 3]>) -> Tensor<f32, S2<2, 3>> {
    x * 2.0
}

fn main() {
    f(Tensor::<f32, S2<3, 2>>::of_zeros().with_shape::<shape![_, 2]>());
}
