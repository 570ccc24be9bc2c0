//! Fibonacci numbers by a loop over two values. From: textbook: Fibonacci.
use graph_runtime::prelude::*;

#[graph_fn]
fn fibonacci(n: Tensor<i32>) -> Tensor<i64> {
    let (mut a, mut b) = (tensor(0), tensor(1));
    for _ in 0..n {
        let next = a + b;
        a = b;
        b = next;
    }
    a
}

fn main() {
    let expected = [0i64, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55];
    for (n, f) in expected.into_iter().enumerate() {
        assert_eq!(fibonacci(tensor(n as i32)).item(), f);
    }
    assert_eq!(fibonacci(tensor(90)).item(), 2880067194370816120);
}
