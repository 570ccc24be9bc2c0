//! Gradient descent with momentum on x^2, its path kept (textbook: heavy ball).
use graph_runtime::prelude::*;

#[graph_fn]
fn descend(start: Tensor<f32>, steps: usize) -> Tensor<f32> {
    let mut x = start;
    let mut velocity = tensor(0.0);
    let mut path = Vec::new();
    for _ in 0..steps {
        let gradient = 2.0 * x;
        velocity = 0.9 * velocity - 0.1 * gradient;
        x += velocity;
        path.push(x);
    }
    stack(path, 0)
}

fn main() {
    let path = descend(tensor(1.0), 5).to_vec();
    assert_eq!(path.len(), 5);
    for (got, want) in path.iter().zip([0.8, 0.46, 0.062, -0.3086, -0.58042]) {
        assert!((got - want).abs() < 1e-5);
    }
}
