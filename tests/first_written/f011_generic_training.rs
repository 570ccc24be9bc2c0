//! The same training in f32 and f64, by a generic function.

use graph_runtime::prelude::*;

#[graph_fn]
fn fit<T: Float>(x: &Tensor<T>, y: &Tensor<T>, steps: Tensor<i32>) -> (Tensor<T>, Tensor<T>) {
    let (mut a, mut b) = (tensor(T::from_f64(0.0)), tensor(T::from_f64(0.0)));
    for _ in 0..steps {
        let loss = |(a, b): &(Tensor<T>, Tensor<T>)| (a * x + b - y).square().mean();
        let (da, db) = grad(loss)(&(a, b));
        a -= da * 0.1;
        b -= db * 0.1;
    }
    (a, b)
}

fn main() {
    let (a, b) = fit(&tensor([0.0f32, 1.0, 2.0]), &tensor([1.0f32, 3.0, 5.0]), tensor(500));
    assert!((a.item() - 2.0).abs() < 1e-3 && (b.item() - 1.0).abs() < 1e-3);
    let (a, b) = fit(&tensor([0.0, 1.0, 2.0f64]), &tensor([1.0, 3.0, 5.0]), tensor(1000));
    assert!((a.item() - 2.0).abs() < 1e-10 && (b.item() - 1.0).abs() < 1e-10);
}
