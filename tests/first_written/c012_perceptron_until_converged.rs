//! Epochs of the perceptron rule until no error is left, ten at most: ml_perceptron_until_converged.
use graph_runtime::prelude::*;

#[graph_fn]
fn perceptron(x: Tensor<f32>, y: Tensor<i32>) -> (Tensor<f32>, Tensor<f32>, Tensor<i32>, Tensor<i32>) {
    let mut w = tensor([0.0, 0.0]);
    let mut b = tensor(0.0);
    let mut epoch = tensor(0);
    let mut errors = tensor(1);
    while errors > 0 {
        if epoch >= 10 {
            break;
        }
        errors = tensor(0);
        for i in 0..y.size() {
            let t = y[i].cast::<f32>();
            if t * ((w * x[i]).sum() + b) <= 0.0 {
                w += t * x[i];
                b += t;
                errors += 1;
            }
        }
        epoch += 1;
    }
    (w, b, epoch, errors)
}

fn main() {
    let (w, b, epoch, errors) =
        perceptron(tensor([[1.0, 1.0], [2.0, 0.0], [-1.0, -1.0], [0.0, -3.0]]), tensor([1, 1, -1, -1]));
    assert_eq!(w.to_vec(), [1.0, 1.0]);
    assert_eq!((b.item(), epoch.item(), errors.item()), (1.0, 2, 0));
    let (w, b, epoch, errors) =
        perceptron(tensor([[1.0, 1.0], [1.0, 1.0], [2.0, 2.0], [0.0, 1.0]]), tensor([1, -1, 1, 1]));
    assert_eq!(w.to_vec(), [1.0, 4.0]);
    assert_eq!((b.item(), epoch.item(), errors.item()), (-1.0, 10, 2));
}
