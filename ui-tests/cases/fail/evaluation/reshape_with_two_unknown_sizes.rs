// Wanted: to reshape without saying the sizes.
use graph_runtime::prelude::*;

fn main() {
    let x: Tensor<f32, S2<2, 3>> = Tensor::of_zeros();
    let _ = x.reshape_to::<shape![_, _]>();
}
