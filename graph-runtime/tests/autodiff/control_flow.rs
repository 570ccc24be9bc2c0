//! Through `if`, `while` and `for` over tensors.

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
fn through_if(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = if x > 0.0 { x * x } else { -2.0 * x };
    let dy = tape.gradient(&y, &x).unwrap();
    (y, dy)
}

#[test]
fn a_branch() {
    for (x, expected) in [(3.0, (9.0, 6.0)), (-3.0, (6.0, -2.0)), (0.0, (0.0, -2.0))] {
        for (y, dy) in both(|| through_if(tensor(x))) {
            assert_eq!((y.item(), dy.item()), expected, "{x}");
        }
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
fn nested(x: Tensor<f32>, n: Tensor<i32>) -> (Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut s = tensor(0.0);
    for i in 0..n {
        let mut p = tensor(1.0);
        for _ in 0..i + 1 {
            p = p * x;
        }
        s = s + p;
    }
    let ds = tape.gradient(&s, &x).unwrap();
    (s, ds)
}

#[test]
fn a_loop_in_a_loop() {
    for (n, expected) in [(2, (6.0, 5.0)), (3, (14.0, 17.0)), (0, (0.0, 0.0))] {
        let (y, dy) = nested(tensor(2.0), tensor(n));
        assert_eq!((y.item(), dy.item()), expected, "{n}");
    }
}

#[graph_fn]
fn with_break(v: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&v);
    let mut s = tensor(1.0);
    for e in &v {
        if e > 5.0 {
            break;
        }
        if e < 0.0 {
            s = s - e;
        } else {
            s = s * e;
        }
    }
    let ds = tape.gradient(&s, &v).unwrap();
    (s, ds)
}

#[test]
fn rows_with_if_and_break() {
    for (s, ds) in both(|| with_break(tensor([1.0, -2.0, 3.0, 4.0]))) {
        assert_eq!(s.item(), 36.0);
        assert_eq!(ds.to_vec(), [12.0, -12.0, 12.0, 9.0]);
    }
    for (s, ds) in both(|| with_break(tensor([2.0, 9.0, 3.0]))) {
        assert_eq!(s.item(), 2.0);
        assert_eq!(ds.to_vec(), [1.0, 0.0, 0.0]);
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
