// Wanted: to multiply two batches of different sizes.
use graph_runtime::prelude::*;

fn f(x: Tensor<f32, S3<5, 2, 3>>, y: Tensor<f32, S3<4, 3, 2>>) {
    let _ = matmul(x, y);
}

fn main() {}
