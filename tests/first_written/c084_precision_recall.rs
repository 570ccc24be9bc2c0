//! Precision, recall and F1 counted in a loop, without division by zero (textbook: classification metrics).
use graph_runtime::prelude::*;

fn ratio(a: Tensor<i32>, b: Tensor<i32>) -> Tensor<f32> {
    a.cast::<f32>() / b.cast::<f32>().maximum(1.0)
}

#[graph_fn]
fn scores(truth: Tensor<bool>, predicted: Tensor<bool>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    let (mut tp, mut fp, mut fn_) = (tensor(0), tensor(0), tensor(0));
    for (t, p) in truth.into_iter().zip(predicted) {
        match (t, p) {
            (true, true) => tp += 1,
            (false, true) => fp += 1,
            (true, false) => fn_ += 1,
            (false, false) => {}
        }
    }
    let precision = ratio(tp, tp + fp);
    let recall = ratio(tp, tp + fn_);
    let sum = precision + recall;
    let f1 = if sum > 0.0 { 2.0 * precision * recall / sum } else { tensor(0.0) };
    (precision, recall, f1)
}

fn main() {
    let (p, r, f1) = scores(tensor([true, true, true, true, false]), tensor([true, true, false, false, false]));
    assert_eq!((p.item(), r.item()), (1.0, 0.5));
    assert!((f1.item() - 2.0 / 3.0).abs() < 1e-6);
    let (p, r, f1) = scores(tensor([true, false]), tensor([false, false]));
    assert_eq!((p.item(), r.item(), f1.item()), (0.0, 0.0, 0.0));
}
