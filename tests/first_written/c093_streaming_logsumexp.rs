//! log(sum(exp(x))) in one pass, with the greatest value so far (textbook: online softmax).
use graph_runtime::prelude::*;

#[graph_fn]
fn logsumexp(xs: Tensor<f64>) -> Tensor<f64> {
    let mut max = tensor(f64::NEG_INFINITY);
    let mut sum = tensor(0.0);
    for x in xs {
        if x > max {
            sum = sum * (max - x).exp() + 1.0;
            max = x;
        } else {
            sum += (x - max).exp();
        }
    }
    max + sum.ln()
}

fn main() {
    assert!((logsumexp(tensor([-2.0, 0.0, -1.0])).item() - 0.4076059644443804).abs() < 1e-12);
    assert!((logsumexp(tensor([0.0, -1.0, -2.0])).item() - 0.4076059644443804).abs() < 1e-12);
    assert!((logsumexp(tensor([1000.0, 1000.0])).item() - (1000.0 + 2.0f64.ln())).abs() < 1e-9);
}
