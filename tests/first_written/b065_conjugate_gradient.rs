//! A symmetric positive definite system by conjugate gradients. From: textbook: conjugate gradient.
use graph_runtime::prelude::*;

fn dot(a: &Tensor<f64>, b: &Tensor<f64>) -> Tensor<f64> {
    (a * b).sum()
}

#[graph_fn]
fn conjugate_gradient(a: Tensor<f64>, b: Tensor<f64>, tolerance: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    let mut x = b.zeros_like();
    let mut r = b;
    let mut p = r;
    let mut rs = dot(&r, &r);
    let mut steps = tensor(0);
    while rs.sqrt() > tolerance {
        let ap = a.matvec(&p);
        let alpha = rs / dot(&p, &ap);
        x += alpha * p;
        r -= alpha * ap;
        let next = dot(&r, &r);
        p = r + next / rs * p;
        rs = next;
        steps += 1;
    }
    (x, steps)
}

fn main() {
    let (x, steps) = conjugate_gradient(tensor([[4.0, 1.0], [1.0, 3.0]]), tensor([1.0, 2.0]), tensor(1e-10));
    let x = x.to_vec();
    assert!((x[0] - 1.0 / 11.0).abs() < 1e-9);
    assert!((x[1] - 7.0 / 11.0).abs() < 1e-9);
    assert_eq!(steps.item(), 2);
}
