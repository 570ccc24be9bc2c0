// Wanted: values that do not have the shape of the annotation.
use graph_runtime::prelude::*;

fn main() {
    let _: Tensor<i32, S2<2, 2>> = Tensor::of([[1, 2, 3], [4, 5, 6]]);
}
