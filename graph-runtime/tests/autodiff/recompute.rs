//! Functions that run again for their gradient or for a second derivative: what they draw, and what they change.

use graph_runtime::autodiff::{custom_gradient, jvp, recompute};
use graph_runtime::prelude::*;
use graph_runtime::{Error, random};

use super::both;

#[graph_fn]
fn masked(x: Tensor<f64>) -> Tensor<f64> {
    random::dropout(&x, 0.5)
}

/// The result of two dropouts, and its gradient. The first dropout is in the graph function `masked`, the second in this function.
fn twice_dropped(x: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = recompute(&x, |x| random::dropout(&masked(x * 3.0), 0.25));
    let dx = tape.gradient(&y, &x).unwrap();
    (y, dx)
}

#[graph_fn]
fn dropped_in_a_loop(x: Tensor<f64>, n: Tensor<i32>) -> (Tensor<f64>, Tensor<f64>) {
    let mut y = x.clone();
    let tape = GradientTape::new();
    tape.watch(&x);
    for _ in 0..n {
        y = recompute(&y, |y| masked(y * 1.5));
    }
    let dx = tape.gradient(&y, &x).unwrap();
    (y, dx)
}

#[test]
fn what_is_recomputed_draws_the_same_numbers() {
    let x = ones::<f64>(&[200]);
    let mut found: Vec<_> = both(|| twice_dropped(x.clone())).into();
    found.push(dropped_in_a_loop(x.clone(), tensor(2)));
    let changing = |x: &Tensor<f64>| recompute(x, |x| random::dropout(&masked(x * 3.0), 0.25));
    found.push(jvp(changing, &x, &x));
    for (y, dx) in found {
        // Each value is a multiple of its own x, or zero.
        assert_eq!(y.to_vec(), dx.to_vec());
        assert!(y.to_vec().contains(&0.0) && y.sum().item() > 0.0);
    }
}

#[graph_fn]
fn counted(x: Tensor<f64>, calls: &Variable<i32>) -> Tensor<f64> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = recompute(&x, |x| {
        calls.assign_add(1);
        x.square()
    });
    tape.gradient(&y, &x).unwrap()
}

#[test]
fn what_is_recomputed_counts_once() {
    let calls = Variable::new(tensor(0));
    for dx in both(|| counted(tensor(1.0), &calls)) {
        assert_eq!(dx.item(), 2.0);
    }
    assert_eq!(calls.item(), 2);
}

#[graph_fn]
fn changes_its_factor(x: Tensor<f64>, factor: &Variable<f64>) -> Result<Tensor<f64>, Error> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = recompute(&x, |x| {
        let y = x * factor;
        factor.assign_add(1.0);
        y
    });
    Ok(tape.gradient(&y, &x).unwrap_or(x))
}

#[graph_fn]
fn drops_in_an_inner_loop(x: Tensor<f64>, n: Tensor<i32>) -> Result<Tensor<f64>, Error> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = recompute(&x, |x| {
        fold(|x, _| random::dropout(&x, 0.5), &range(n, 1, 1), x.clone())
    });
    Ok(tape.gradient(&y, &x).unwrap_or(x))
}

#[test]
fn what_would_be_another_function_is_not_recomputed() {
    let factor = Variable::named("factor", tensor(2.0));
    let error = changes_its_factor(tensor(1.0), &factor).unwrap_err();
    assert!(
        error
            .message()
            .contains("calculates with the variable `factor` and changes it"),
        "{error}"
    );
    let error = drops_in_an_inner_loop(ones(&[3]), tensor(2)).unwrap_err();
    assert!(
        error.message().contains("random seeds in a branch or loop"),
        "{error}"
    );
}

/// `x² u` for a random number `u`, with the custom gradient `3 x u`.
fn drawn(x: Tensor<f64>, calls: &Variable<i32>) -> Tensor<f64> {
    custom_gradient(x, |x| {
        calls.assign_add(1);
        let scaled = &x * random::uniform::<f64>(&[]);
        (&x * &scaled, move |dy: Tensor<f64>| dy * scaled * 3.0)
    })
}

#[graph_fn]
fn value_and_derivatives(x: Tensor<f64>, calls: &Variable<i32>) -> [Tensor<f64>; 3] {
    let outer = GradientTape::new();
    outer.watch(&x);
    let inner = GradientTape::new();
    inner.watch(&x);
    let y = drawn(x.clone(), calls);
    let dy = inner.gradient(&y, &x).unwrap();
    let ddy = outer.gradient(&dy, &x).unwrap();
    [y, dy, ddy]
}

#[test]
fn second_derivatives_of_a_gradient_by_hand_draw_and_count_once() {
    let calls = Variable::new(tensor(0));
    for [y, dy, ddy] in both(|| value_and_derivatives(tensor(2.0), &calls)) {
        let u = y.item() / 4.0;
        assert_eq!((dy.item(), ddy.item()), (u * 2.0 * 3.0, u * 3.0));
    }
    assert_eq!(calls.item(), 2);
}
