//! Factorial and absolute value with the functional forms: textbook: factorial.
use graph_runtime::prelude::*;

#[graph_fn]
fn factorial(n: Tensor<i64>) -> Tensor<i64> {
    let (_, product) = while_loop(
        |(i, _)| i <= n,
        |(i, product)| (i + 1, product * i),
        (tensor(1i64), tensor(1i64)),
    );
    product
}

#[graph_fn]
fn absolute(x: Tensor<f32>) -> Tensor<f32> {
    cond(x < 0.0, || -x, || x)
}

fn main() {
    assert_eq!(factorial(tensor(5i64)).item(), 120);
    assert_eq!(factorial(tensor(0i64)).item(), 1);
    assert_eq!(absolute(tensor(-2.5)).item(), 2.5);
    assert_eq!(absolute(tensor(4.0)).item(), 4.0);
}
