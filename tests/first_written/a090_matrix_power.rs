//! Fibonacci by powers of a matrix: textbook: matrix power.
use graph_runtime::prelude::*;

#[graph_fn]
fn matrix_power(m: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let mut result = Tensor::eye(2);
    for _ in 0..n {
        result = result.matmul(m);
    }
    result
}

fn main() {
    let f = matrix_power(tensor([[1.0, 1.0], [1.0, 0.0]]), tensor(10));
    assert_eq!(f.to_vec(), vec![89.0, 55.0, 55.0, 34.0]);
    let i = matrix_power(tensor([[1.0, 1.0], [1.0, 0.0]]), tensor(0));
    assert_eq!(i.to_vec(), vec![1.0, 0.0, 0.0, 1.0]);
}
