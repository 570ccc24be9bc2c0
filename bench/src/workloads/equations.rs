//! Ordinary differential equations: adaptive steps of Dormand and Prince, and the gradient through Runge and Kutta's.

use graph_runtime::prelude::*;

/// The stages of Dormand and Prince: how much of each earlier slope is in the point of the next one.
const STAGES: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
    ],
    &[
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
    ],
    &[
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];
/// The difference between the results of fifth and of fourth order.
const ERROR: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// The change of Lotka's and Volterra's rabbits and foxes.
#[graph_fn]
fn change(y: &Tensor<f64>, params: &Tensor<f64>) -> Tensor<f64> {
    let (a, b, c, d) = (&params[0], &params[1], &params[2], &params[3]);
    let (rabbits, foxes) = (&y[0], &y[1]);
    stack([rabbits * (a - b * foxes), foxes * (d * rabbits - c)], 0)
}

/// A weighted sum of slopes.
fn weighted(weights: &[f64], slopes: &[Tensor<f64>]) -> Tensor<f64> {
    let terms = weights.iter().zip(slopes);
    let terms = terms.filter(|(weight, _)| **weight != 0.0);
    let terms = terms.map(|(weight, slope)| slope * *weight);
    terms.reduce(|sum, term| sum + term).expect("a weight")
}

/// The state at time 20, by adaptive steps, and the number of steps.
#[graph_fn]
pub fn adaptive(y: Tensor<f64>, params: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    let (mut y, mut t, mut h) = (y, tensor(0.0), tensor(0.01));
    let mut first = change(&y, &params);
    let mut steps = tensor(0);
    while t < 20.0 {
        let to = (&t + &h).minimum(20.0);
        h = &to - &t;
        let mut slopes = vec![first.clone()];
        let mut new = y.clone();
        for weights in STAGES {
            new = &y + &h * weighted(weights, &slopes);
            slopes.push(change(&new, &params));
        }
        let scale = 1e-9 + 1e-6 * y.abs().maximum(new.abs());
        let error = &h * weighted(&ERROR, &slopes) / scale;
        let error = error.square().mean().sqrt();
        if error <= 1.0 {
            t = to;
            y = new;
            first = slopes[6].clone();
            steps += 1;
        }
        h *= (0.9 * error.pow(-0.2)).clip(0.2, 10.0);
    }
    (y, steps)
}

/// The sum of the state after 200 steps of 0.1, and its gradient with respect to the parameters.
#[graph_fn]
pub fn gradient(y: Tensor<f64>, params: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let tape = GradientTape::new();
    tape.watch(&params);
    let (mut y, h) = (y, 0.1);
    for _ in range(0, 200, 1) {
        let k1 = change(&y, &params);
        let k2 = change(&(&y + 0.5 * h * &k1), &params);
        let k3 = change(&(&y + 0.5 * h * &k2), &params);
        let k4 = change(&(&y + h * &k3), &params);
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    let sum = y.sum();
    let gradient = tape.gradient(&sum, &params).unwrap();
    (sum, gradient)
}
