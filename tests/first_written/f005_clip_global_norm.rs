//! Training with gradients that are clipped by their global norm: by hand, and by the optimizer's own setting.

use graph_runtime::nn::{Activation, Dense, Module, Sgd};
use graph_runtime::prelude::*;

#[derive(Module)]
struct Net {
    a: Dense,
    b: Dense,
}

impl Net {
    fn call(&self, x: &Tensor<f32>) -> Tensor<f32> {
        self.b.call(self.a.call(x))
    }
}

/// The gradients of a list, made smaller so that all of them together have at most this norm.
fn clip_by_hand(grads: Vec<Tensor<f32>>, max: f32) -> (Vec<Tensor<f32>>, Tensor<f32>) {
    let norm = grads.iter().map(|g| g.square().sum()).sum::<Tensor<f32>>().sqrt();
    let scale = (max / &norm).minimum(1.0);
    (grads.iter().map(|g| g * &scale).collect(), norm)
}

#[graph_fn]
fn step(w: &Variable<f32>, b: &Variable<f32>, x: &Tensor<f32>, y: &Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let loss = (x.matmul(w) + b - y).square().mean();
    let (dw, db) = tape.gradient(&loss, (w, b));
    let (grads, norm) = clip_by_hand(vec![dw.unwrap(), db.unwrap()], 1.0);
    w.assign_sub(0.1 * &grads[0]);
    b.assign_sub(0.1 * &grads[1]);
    norm
}

fn main() {
    let x = tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
    let y = tensor([[1.0], [2.0], [3.0]]);
    let w = Variable::new(zeros([2, 1]));
    let b = Variable::new(zeros([1]));
    let first = step(&w, &b, &x, &y);
    println!("norm {first}, w {w}, b {b}");
    assert!((first.item() - NORM).abs() < 1e-3);
    let moved = (w.square().sum() + b.square().sum()).sqrt();
    assert!((moved.item() - 0.1).abs() < 1e-6);

    random::set_seed(3);
    let net = Net {
        a: Dense::new(2, 8).activation(Activation::Tanh),
        b: Dense::new(8, 1),
    };
    let sgd = Sgd::new(&net).learning_rate(0.1).global_clipnorm(1.0);
    let mut losses = Vec::new();
    for _ in 0..50 {
        let tape = GradientTape::new();
        let loss = (net.call(&x) - &y).square().mean();
        losses.push(loss.item());
        sgd.apply(&tape.gradient(&loss, &net), &net);
    }
    assert!(losses[49] < losses[0]);
}

// The norm of the gradient at zero, by the formula: 2 Xᵀ(-y)/3 and 2 (-y)/3 summed.
const NORM: f32 = 24.073_96;
