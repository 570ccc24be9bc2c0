//! Logistic regression by gradient descent, which stops when the loss of the validation set rises: textbook.

use graph_runtime::prelude::*;

fn loss_of(w: &Tensor<f64>, b: &Tensor<f64>, x: &Tensor<f64>, y: &Tensor<f64>) -> Tensor<f64> {
    let p = (x.matvec(w) + b).sigmoid();
    -(y * p.log() + (1.0 - y) * (1.0 - p).log()).mean()
}

#[graph_fn]
fn fit(
    x: Tensor<f64>,
    y: Tensor<f64>,
    x_val: Tensor<f64>,
    y_val: Tensor<f64>,
    limit: Tensor<i32>,
) -> (Tensor<f64>, Tensor<f64>, Tensor<i32>) {
    let mut w = zeros([2]);
    let mut b = tensor(0.0);
    let mut best = tensor(f64::INFINITY);
    let mut best_w = w;
    let mut best_b = b;
    let mut waited = tensor(0);
    let mut steps = tensor(0);
    for _ in 0..limit {
        let (dw, db) = grad(|(w, b): &(Tensor<f64>, Tensor<f64>)| loss_of(w, b, &x, &y))(&(w, b));
        w -= dw * 0.5;
        b -= db * 0.5;
        steps += 1;
        let validation = loss_of(&w, &b, &x_val, &y_val);
        if validation < best {
            (best, best_w, best_b) = (validation, w, b);
            waited = 0;
        } else {
            waited += 1;
            if waited == 3 {
                break;
            }
        }
    }
    (best_w, best_b, steps)
}

fn main() {
    let x = tensor([[0.0, 1.0], [1.0, 0.5], [2.0, 2.0], [3.0, 1.0]]);
    let y = tensor([0.0, 0.0, 1.0, 1.0]);
    let x_val = tensor([[0.5, 0.5], [2.5, 1.0], [1.2, 1.0]]);
    let y_val = tensor([0.0, 1.0, 1.0]);
    let (w, b, steps) = fit(x, y, x_val, y_val, tensor(1000));
    println!("{w} {b} {steps}");
    assert_eq!(steps.item(), 67);
    assert!((w.get(0).item() - 1.87270698).abs() < 1e-7);
    assert!((b.item() + 2.8996883986307083).abs() < 1e-7);
}
