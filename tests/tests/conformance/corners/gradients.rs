//! Gradients through control flow, second-order gradients, and custom gradients.

use graph_runtime::autodiff::{custom_gradient, stop_gradient};
use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;
type Float = Tensor<f32>;

#[graph_fn]
fn grad_of_nested_choices_of_two(x: Float, y: Float) -> (Float, Float) {
    let tape = GradientTape::new();
    tape.watch((&x, &y));
    let z;
    if x > 0.0 {
        if y > x {
            z = x * y * y;
        } else {
            z = x * x;
        }
    } else {
        if y > 0.0 {
            z = y / x;
        } else {
            z = tensor(7.0);
        }
    }
    tape.gradient_or_zeros(&z, (&x, &y))
}

#[graph_fn]
fn grad_of_a_power_tower_with_break(x: Float, limit: Float) -> (Float, Float) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = tensor(1.0);
    for i in 0..tensor(8) {
        if i % 2 == 0 {
            y = y * x;
        } else {
            y = y * y + x;
        }
        if y > limit {
            break;
        }
    }
    (y, tape.gradient(&y, &x).unwrap())
}

#[graph_fn]
fn grad_of_a_growing_vector(x: Float, n: Int) -> (Float, Float) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = x.relax_shape(&[None]);
    for _ in 0..n {
        y = concat([y, (y * y).sum_axes(&[0], true) * 0.1], 0);
    }
    let z = y.sum();
    (z, tape.gradient(&z, &x).unwrap())
}

#[graph_fn]
fn grad_through_an_array_that_grows(x: Float) -> (Float, Float) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut ta = TensorArray::dynamic();
    for v in x {
        if v > 0.0 {
            ta.push(v * v);
            ta.push(v * 3.0);
        }
    }
    let y = ta.stack().cumsum(0).sum();
    (y, tape.gradient(&y, &x).unwrap())
}

#[graph_fn]
fn second_gradient_in_a_branch(x: Float) -> (Float, Float) {
    let outer = GradientTape::new();
    outer.watch(&x);
    let inner = GradientTape::new();
    inner.watch(&x);
    let y = if x > 0.0 { x.pow(4.0) } else { x.sin() * x };
    let mut first = inner.gradient(&y, &x).unwrap();
    if first > 10.0 {
        first = first * x;
    }
    (first, outer.gradient(&first, &x).unwrap())
}

#[graph_fn]
fn straight_through_rounding(x: Float) -> (Float, Float) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = x;
    for _ in 0..tensor(3) {
        y = y * 1.5;
        y = y + stop_gradient(&(y.round() - y));
    }
    let loss = (y * y).sum();
    (y, tape.gradient(&loss, &x).unwrap())
}

#[custom_gradient]
fn clipped(x: Float) -> (Float, impl FnOnce(Float) -> Float) {
    (x.square(), |upstream| upstream.clip_by_value(-1.0, 1.0))
}

#[graph_fn]
fn gradient_by_hand_in_a_loop(x: Float, n: Int) -> (Float, Float) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = x;
    for _ in 0..n {
        y = clipped(y) * 0.5;
    }
    let z = (y * 10.0).sum();
    (z, tape.gradient(&z, &x).unwrap())
}

#[graph_fn]
fn gradient_by_hand_in_a_branch(x: Float) -> (Float, Float) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = if x < 1.0 {
        clipped(x) * 8.0
    } else {
        clipped(x * 2.0)
    };
    (y, tape.gradient(&y, &x).unwrap())
}

#[graph_fn]
fn momentum_by_hand(start: Float, steps: Int) -> (Float, Float) {
    let (mut w, mut velocity) = (start, start.zeros_like());
    let mut losses = TensorArray::new(steps);
    for i in 0..steps {
        let tape = GradientTape::new();
        tape.watch(&w);
        let loss = (w - 3.0).pow(2.0).sum() + w[0] * w[1];
        let g = tape.gradient(&loss, &w).unwrap();
        velocity = 0.9 * velocity - 0.1 * g;
        w = w + velocity;
        losses.write(i, loss);
    }
    (w, losses.stack())
}

functions! {
    grad_of_nested_choices_of_two(x, y);
    grad_of_a_power_tower_with_break(x, limit);
    grad_of_a_growing_vector(x, n);
    grad_through_an_array_that_grows(x);
    second_gradient_in_a_branch(x);
    straight_through_rounding(x);
    gradient_by_hand_in_a_loop(x, n);
    gradient_by_hand_in_a_branch(x);
    momentum_by_hand(start, steps);
}
