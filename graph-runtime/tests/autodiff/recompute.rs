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

/// `x` times the variable, read in a function, in a loop and in a branch.
#[graph_fn]
fn scaled(x: Tensor<f64>, w: &Variable<f64>) -> Tensor<f64> {
    x * w
}

fn power(x: &Tensor<f64>, w: &Variable<f64>, n: &Tensor<i32>) -> Tensor<f64> {
    #[graph_fn]
    fn times(x: Tensor<f64>, w: &Variable<f64>, n: Tensor<i32>) -> Tensor<f64> {
        let mut y = scaled(x, w);
        for i in 0..n {
            if i % 2 == 0 {
                y = y * w;
            } else {
                y = scaled(y, w);
            }
        }
        y
    }
    times(x, w, n)
}

/// The gradients of `x w⁴` after the variable has become another number.
fn changed_before_the_gradient() -> (Tensor<f64>, Tensor<f64>) {
    let (x, w) = (tensor(5.0), Variable::new(tensor(2.0)));
    let n = tensor(3);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = recompute(&x, |x| power(x, &w, &n));
    w.assign(tensor(100.0));
    let (dx, dw) = tape.gradient(&y, &(&x, &w));
    (dx.unwrap(), dw.unwrap())
}

#[graph_fn]
fn changed_in_a_graph(w: &Variable<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let x = tensor(5.0);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = recompute(&x, |x| power(x, w, &tensor(3)));
    w.assign(tensor(100.0));
    let (dx, dw) = tape.gradient(&y, &(&x, w));
    (dx.unwrap(), dw.unwrap())
}

#[test]
fn what_is_recomputed_has_the_variables_values_of_the_call() {
    let mut found: Vec<_> = both(changed_before_the_gradient).into();
    found.push(changed_in_a_graph(&Variable::new(tensor(2.0))));
    for (dx, dw) in found {
        // w⁴, and 4 x w³.
        assert_eq!((dx.item(), dw.item()), (16.0, 160.0));
    }
}

#[graph_fn]
fn steps(x: Tensor<f64>, w: &Variable<f64>, n: Tensor<i32>) -> (Tensor<f64>, Tensor<f64>) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = x.clone();
    for i in 0..n {
        if i < 2 {
            y = y * w;
        } else {
            y = y * w.read() + w;
        }
    }
    w.assign(tensor(100.0));
    let (dx, dw) = tape.gradient(&y, &(&x, w));
    (dx.unwrap(), dw.unwrap())
}

/// A loop reads a variable that it doesn't write: the gradient has the value that was there, which isn't saved in each iteration.
#[test]
fn a_variable_that_a_loop_only_reads_is_read_before_it() {
    let call = || steps(tensor(3.0), &Variable::new(tensor(2.0)), tensor(4));
    for (dx, dw) in both(call) {
        // y = x w⁴ + w² + w, so dx = w⁴ and dw = 4 x w³ + 2 w + 1.
        assert_eq!((dx.item(), dw.item()), (16.0, 101.0));
    }
    let w = Variable::new(tensor(2.0));
    let graph = steps::concrete(tensor(3.0), &w, tensor(4)).unwrap();
    let text = graph.optimized_graph().to_string();
    assert_eq!(text.matches("read_variable").count(), 1, "{text}");
    // Which branch ran is saved, and the value that was multiplied.
    assert!(text.matches("list_write").count() <= 2, "{text}");
}
