//! Through `while` over tensors. Branches, nested loops and `break` are among the conformance programs `grad_*`.

use graph_runtime::prelude::*;

use super::both;

#[graph_fn]
fn square(x: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = x * x;
    tape.gradient(&y, &x).unwrap()
}

#[test]
fn straight_code() {
    for y in both(|| square(tensor(3.0)).item()) {
        assert_eq!(y, 6.0);
    }
}

#[graph_fn]
fn power(x: Tensor<f32>, n: Tensor<i32>) -> (Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = tensor(1.0);
    let mut i = tensor(0);
    while i < n {
        y = y * x;
        i += 1;
    }
    let dy = tape.gradient(&y, &x).unwrap();
    (y, dy)
}

#[test]
fn a_loop_of_any_number_of_iterations() {
    for (n, expected) in [(3, (8.0, 12.0)), (1, (2.0, 1.0)), (0, (1.0, 0.0))] {
        let (y, dy) = power(tensor(2.0), tensor(n));
        assert_eq!((y.item(), dy.item()), expected, "{n}");
    }
}

#[graph_fn]
fn third(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    let outer = GradientTape::new();
    outer.watch(&x);
    let middle = GradientTape::new();
    middle.watch(&x);
    let inner = GradientTape::new();
    inner.watch(&x);
    let mut y = x * x;
    let mut i = tensor(0);
    while i < 2 {
        y = y * x;
        i += 1;
    }
    let a = inner.gradient(&y, &x).unwrap();
    let b = middle.gradient(&a, &x).unwrap();
    let c = outer.gradient(&b, &x).unwrap();
    (a, b, c)
}

#[test]
fn three_times_through_a_loop() {
    for (a, b, c) in both(|| third(tensor(2.0))) {
        // x⁴: 4 x³, 12 x², 24 x.
        assert_eq!((a.item(), b.item(), c.item()), (32.0, 48.0, 48.0));
    }
}
