//! A matrix to the nth power by squaring. From: textbook: exponentiation by squaring.
use graph_runtime::prelude::*;

#[graph_fn]
fn matrix_power(m: Tensor<i64>, n: Tensor<i32>) -> Tensor<i64> {
    let mut result = Tensor::eye(2);
    let mut base = m;
    let mut n = n;
    while n > 0 {
        if n & 1 == 1 {
            result = result.matmul(&base);
        }
        base = base.matmul(&base);
        n >>= 1;
    }
    result
}

fn main() {
    let fibonacci = tensor([[1i64, 1], [1, 0]]);
    assert_eq!(matrix_power(fibonacci.clone(), tensor(0)).to_vec(), [1, 0, 0, 1]);
    assert_eq!(matrix_power(fibonacci.clone(), tensor(10)).to_vec(), [89, 55, 55, 34]);
    assert_eq!(matrix_power(fibonacci, tensor(50)).to_vec()[1], 12586269025);
}
