//! The first n Fibonacci numbers in a TensorArray: textbook: Fibonacci numbers.
use graph_runtime::prelude::*;

#[graph_fn]
fn fibonacci(n: Tensor<i32>) -> Tensor<i64> {
    let mut numbers = TensorArray::<i64>::new(n);
    let (mut a, mut b) = (tensor(0i64), tensor(1i64));
    for i in 0..n {
        numbers.write(i, a);
        (a, b) = (b, a + b);
    }
    numbers.stack()
}

fn main() {
    assert_eq!(fibonacci(tensor(10)).to_vec(), vec![0, 1, 1, 2, 3, 5, 8, 13, 21, 34]);
    assert_eq!(fibonacci(tensor(1)).to_vec(), vec![0]);
}
