// Its sizes agree. Only while a program is built does rustc evaluate the constants that compare them.
use graph_runtime::prelude::*;

fn main() {
    let x: Tensor<f32, S2<2, 3>> = Tensor::of_zeros();
    assert_eq!(x.reshape_to::<S1<6>>().shape()[0], 6);
}
