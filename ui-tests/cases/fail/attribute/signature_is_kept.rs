// Wanted: a call with a tensor of another shape than the signature says.
use graph_runtime::prelude::*;

#[graph_fn(input_signature = [f32[_, 3]])]
fn f(x: Tensor<f32>) -> Tensor<f32> {
    x
}

fn main() {
    let x: Tensor<f32, shape![2, 4]> = Tensor::of_zeros();
    f(x);
    f(tensor([1, 2]));
}
