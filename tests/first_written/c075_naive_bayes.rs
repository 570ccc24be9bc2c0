//! Naive Bayes over binary features with Laplace's smoothing (textbook: Bernoulli naive Bayes).
use graph_runtime::prelude::*;

#[graph_fn]
fn log_joint(x: Tensor<f32>, y: Tensor<i32>, query: Tensor<f32>) -> Tensor<f32> {
    let mut scores = Vec::new();
    for class in 0..2 {
        let member = (y == class).cast::<f32>();
        let count = member.sum();
        let theta = ((x * member.expand_dims(1)).sum_axis(0) + 1.0) / (count + 2.0);
        let prior = count / y.len() as f32;
        let likelihood = query * theta.ln() + (1.0 - query) * (1.0 - theta).ln();
        scores.push(prior.ln() + likelihood.sum());
    }
    stack(scores, 0)
}

fn main() {
    let x = tensor([[1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [1.0, 1.0, 0.0]]);
    let y = tensor([1, 1, 0, 0, 0]);
    for (query, zero, one) in [
        ([1.0, 0.0, 1.0], -3.952845, -2.184802),
        ([0.0, 1.0, 0.0], -1.7556204, -4.3820266),
        ([1.0, 1.0, 0.0], -2.1610855, -3.2834143),
    ] {
        let scores = log_joint(x.clone(), y.clone(), tensor(query)).to_vec();
        assert!((scores[0] - zero).abs() < 1e-4);
        assert!((scores[1] - one).abs() < 1e-4);
    }
}
