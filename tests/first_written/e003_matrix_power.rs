//! A matrix to the power of n by repeated squaring; Fibonacci numbers come out of it: textbook.

use graph_runtime::prelude::*;

#[graph_fn]
fn power(matrix: Tensor<i64>, exponent: Tensor<i32>) -> Tensor<i64> {
    let mut result = eye(matrix.dim(0));
    let mut base = matrix;
    let mut n = exponent;
    while n > 0 {
        if n % 2 == 1 {
            result = result.matmul(base);
        }
        base = base.matmul(base);
        n /= 2;
    }
    result
}

#[graph_fn]
fn fibonacci(count: Tensor<i32>) -> Tensor<i64> {
    let step = tensor([[1, 1], [1, 0]]);
    let mut numbers = TensorArray::new(count);
    for i in 0..count {
        numbers.write(i, power(step.cast(), i)[(0, 1)]);
    }
    numbers.stack()
}

fn main() {
    let m = tensor([[2i64, 1], [0, 3]]);
    assert_eq!(power(&m, tensor(5)).to_vec(), [32, 211, 0, 243]);
    assert_eq!(power(&m, tensor(0)).to_vec(), [1, 0, 0, 1]);
    assert_eq!(fibonacci(tensor(10)).to_vec(), [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]);
}
