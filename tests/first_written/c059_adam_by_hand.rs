//! Adam written by hand on x^2 (textbook: Kingma and Ba, algorithm 1).
use graph_runtime::prelude::*;

#[graph_fn]
fn adam(mut x: Tensor<f64>, steps: Tensor<i32>) -> Tensor<f64> {
    let (beta1, beta2, rate, epsilon) = (0.9, 0.999, 0.1, 1e-8);
    let mut m = tensor(0.0);
    let mut v = tensor(0.0);
    let mut power1 = tensor(1.0);
    let mut power2 = tensor(1.0);
    for _ in 0..steps {
        let gradient = 2.0 * x;
        m = beta1 * m + (1.0 - beta1) * gradient;
        v = beta2 * v + (1.0 - beta2) * gradient * gradient;
        power1 *= beta1;
        power2 *= beta2;
        let m_hat = m / (1.0 - power1);
        let v_hat = v / (1.0 - power2);
        x -= rate * m_hat / (v_hat.sqrt() + epsilon);
    }
    x
}

fn main() {
    for (steps, expected) in [(1, 0.9000000005), (2, 0.8004122286917927), (3, 0.70158627294603), (5, 0.5079636592643417)] {
        let x = adam(tensor(1.0), tensor(steps)).item();
        assert!((x - expected).abs() < 1e-9, "{x}");
    }
}
