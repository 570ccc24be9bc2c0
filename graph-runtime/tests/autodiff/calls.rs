//! Tapes outside of calls of graph functions, and variables.

use graph_runtime::prelude::*;

use super::both;

#[graph_fn]
fn cube(x: Tensor<f64>) -> Tensor<f64> {
    let mut y = tensor(1.0f64);
    let mut i = tensor(0);
    while i < 3 {
        y = y * x;
        i += 1;
    }
    y
}

#[test]
fn two_tapes_around_a_call() {
    let second = || {
        let x = tensor(5.0f64);
        let outer = GradientTape::new();
        outer.watch(&x);
        let inner = GradientTape::new();
        inner.watch(&x);
        let y = cube(x.clone());
        let dy = inner.gradient(&y, &x).unwrap();
        let ddy = outer.gradient(&dy, &x).unwrap();
        (dy.item(), ddy.item())
    };
    for found in both(second) {
        assert_eq!(found, (75.0, 30.0));
    }
}

#[graph_fn]
fn gives_back(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    (x.clone(), x)
}

#[test]
fn what_a_function_gives_back_is_counted_once() {
    let x = tensor(3.0f32);
    let tape = GradientTape::new();
    tape.watch(&x);
    let (a, b) = gives_back(x.clone());
    let y = &a * &b;
    assert_eq!(tape.gradient(&y, &x).unwrap().item(), 6.0);
}

#[graph_fn]
fn step(w: &Variable<f32>, b: &Variable<f32>, x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let e = (w.read() * x).sum() + b.read() - y;
    let loss = e * e;
    let (dw, db) = tape.gradient(&loss, &(w, b));
    w.assign_sub(dw.unwrap() * 0.1);
    b.assign_sub(db.unwrap() * 0.1);
    loss
}

#[test]
fn a_step_of_training_in_a_graph() {
    let (w, b) = (
        Variable::new(tensor([1.0, -1.0])),
        Variable::new(tensor(0.5)),
    );
    // e = 1·1 - 1·2 + 0.5 - 1 = -1.5: the loss is e² = 2.25, and the gradient of w is 2 e x.
    assert_eq!(step(&w, &b, tensor([1.0, 2.0]), tensor(1.0)).item(), 2.25);
    assert_eq!(w.read().to_vec(), [1.3, -0.39999998]);
    assert_eq!(b.item(), 0.8);
}

#[graph_fn]
fn in_a_loop(w: &Variable<f32>, steps: Tensor<i32>) -> Tensor<f32> {
    let mut loss = tensor(0.0);
    for _ in 0..steps {
        let tape = GradientTape::new();
        let e = w.read() - 3.0;
        loss = e * e;
        w.assign_sub(tape.gradient(&loss, w).unwrap() * 0.25);
    }
    loss
}

#[test]
fn training_in_a_loop_of_the_graph() {
    let w = Variable::new(tensor(11.0));
    // The distance to 3 is halved in each step.
    assert_eq!(in_a_loop(&w, tensor(3)).item(), 4.0);
    assert_eq!(w.item(), 4.0);
}

#[graph_fn]
fn reads_in_a_loop(v: &Variable<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let mut y = tensor(1.0);
    for i in 0..n {
        if i > 0 {
            y = y * v.read();
        } else {
            y = y + v.read();
        }
    }
    tape.gradient(&y, v).unwrap()
}

#[test]
fn a_variable_read_in_branches_of_a_loop() {
    // The value is (1 + v) v²; its slope is 2 v + 3 v².
    let v = Variable::new(tensor(2.0));
    for slope in both(|| reads_in_a_loop(&v, tensor(3)).item()) {
        assert_eq!(slope, 16.0);
    }
}

#[graph_fn]
fn helper(x: Tensor<f32>) -> Tensor<f32> {
    if x > 0.0 { x * x } else { -x }
}

#[graph_fn]
fn calls_another(x: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = helper(x.clone()) * 3.0 + helper(-x);
    tape.gradient(&y, &x).unwrap()
}

#[test]
fn a_call_under_a_tape_in_a_graph() {
    for slope in both(|| calls_another(tensor(2.0)).item()) {
        assert_eq!(slope, 13.0);
    }
}

/// Sums the squares of a variable, in a branch or in a loop. Then the variable gets one more value.
#[graph_fn]
fn grows_behind(v: &Variable<f64>, times: Tensor<i32>) -> Tensor<f64> {
    let mut y = tensor(0.0);
    if times == 1 {
        y = v.read().square().sum();
    } else {
        for _ in 0..times {
            y += v.read().square().sum();
        }
    }
    v.assign(concat([v.read(), tensor([1.0])], 0));
    y
}

#[graph_fn]
fn slope_of_what_grows(v: &Variable<f64>, times: Tensor<i32>) -> Tensor<f64> {
    let tape = GradientTape::new();
    let y = grows_behind(v, times);
    tape.gradient(&y, v).unwrap()
}

#[test]
fn a_variable_of_another_shape_behind_its_reads() {
    let v = || Variable::with_shape(tensor([2.0, 3.0]), &[None]);
    for times in [1, 2] {
        let expected = [4.0 * f64::from(times), 6.0 * f64::from(times)];
        for slope in both(|| slope_of_what_grows(&v(), tensor(times))) {
            assert_eq!(slope.to_vec(), expected);
        }
        let v = v();
        let tape = GradientTape::new();
        let y = grows_behind(&v, tensor(times));
        assert_eq!(tape.gradient(&y, &v).unwrap().to_vec(), expected);
    }
}

#[graph_fn]
fn squared_after_negation(v: &Variable<f32>) -> Tensor<f32> {
    v.assign(-v.read());
    v.read() * v.read()
}

#[graph_fn]
fn gradient_inside(v: &Variable<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let y = squared_after_negation(v);
    tape.gradient(&y, v).unwrap()
}

#[test]
fn no_gradient_flows_through_an_assignment() {
    // Of what is read after it, the gradient is that of the variable, as in TensorFlow: 2 v with v = -3, and not -2 v.
    let v = Variable::new(tensor(3.0));
    let tape = GradientTape::new();
    let y = squared_after_negation(&v);
    assert_eq!(tape.gradient(&y, &v).unwrap().item(), -6.0);
    let v = Variable::new(tensor(3.0));
    assert_eq!(gradient_inside(&v).item(), -6.0);
    // The gradient of the gradient.
    let v = Variable::new(tensor(3.0));
    let outer = GradientTape::new();
    let tape = GradientTape::new();
    let y = squared_after_negation(&v);
    let dy = tape.gradient(&y, &v).unwrap();
    assert_eq!(dy.item(), -6.0);
    assert_eq!(outer.gradient(&dy, &v).unwrap().item(), 2.0);
}
