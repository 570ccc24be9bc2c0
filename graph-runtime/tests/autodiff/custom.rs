//! Custom gradients.

use graph_runtime::autodiff::{custom_gradient, grad, recompute, stop_gradient};
use graph_runtime::prelude::*;

use super::both;

/// `x²`, with a gradient that is ten times too large.
fn exaggerated(x: Tensor<f64>) -> Tensor<f64> {
    custom_gradient(x, |x: Tensor<f64>| {
        let y = &x * &x;
        (y, move |dy: Tensor<f64>| dy * (20.0 * &x))
    })
}

#[graph_fn]
fn called(x: Tensor<f64>) -> Tensor<f64> {
    exaggerated(x)
}

#[graph_fn]
fn derivatives(x: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>) {
    let f = |x: &Tensor<f64>| called(x * 3.0) + x;
    (f(&x), grad(f)(&x), grad(grad(f))(&x))
}

#[test]
fn a_gradient_by_hand_is_that_of_calls_and_of_second_derivatives() {
    // y = 9 x² + x, dy = 20 · 3 x · 3 + 1; the derivative of dy is 180.
    for (y, dy, ddy) in both(|| derivatives(tensor(2.0))) {
        assert_eq!((y.item(), dy.item(), ddy.item()), (38.0, 361.0, 180.0));
    }
    let x = tensor(2.0f64);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = called(x.clone());
    assert_eq!(tape.gradient(&y, &x).unwrap().item(), 40.0);
}

#[graph_fn]
fn in_a_loop(x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = x.clone();
    for i in 0..n {
        if i < 2 {
            y = exaggerated(y);
        }
    }
    tape.gradient(&y, &x).unwrap()
}

#[test]
fn a_gradient_by_hand_in_a_branch_of_a_loop() {
    // x⁴ as a square of a square; with the wrong gradient the slope is 20 x² · 20 x.
    for dy in both(|| in_a_loop(tensor(2.0), tensor(3)).item()) {
        assert_eq!(dy, 400.0 * 8.0);
    }
}

#[graph_fn]
fn stopped(x: Tensor<f64>) -> Tensor<f64> {
    x * stop_gradient(&x)
}

#[graph_fn]
fn through_a_call(x: Tensor<f64>) -> Tensor<f64> {
    grad(|x: &Tensor<f64>| stopped(x.clone()))(&x)
}

#[test]
fn no_gradient_goes_through_what_is_stopped() {
    for dy in both(|| through_a_call(tensor(3.0)).item()) {
        assert_eq!(dy, 3.0);
    }
    let x = tensor(3.0f64);
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = stopped(x.clone());
    assert_eq!(tape.gradient(&y, &x).unwrap().item(), 3.0);
}

#[graph_fn]
fn recomputed(x: Tensor<f64>, v: &Variable<f64>) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = x.clone();
    for _ in 0..tensor(2) {
        y = recompute(&y, |y| (y * v.read()).sin());
    }
    let (dx, dv) = tape.gradient(&y, &(&x, v));
    (y, dx.unwrap(), dv.unwrap())
}

#[test]
fn what_is_recomputed_has_the_same_gradient() {
    let (x, v) = (0.3f64, 1.5f64);
    let inner = (x * v).sin();
    let outer = (inner * v).cos();
    let variable = Variable::new(tensor(v));
    for (y, dx, dv) in both(|| recomputed(tensor(x), &variable)) {
        assert_eq!(y.item(), (inner * v).sin());
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} {b}");
        close(dx.item(), outer * v * (x * v).cos() * v);
        close(dv.item(), outer * (inner + v * (x * v).cos() * x));
    }
    // Of each iteration only the state is saved; the sine's argument is computed again.
    let graph = recomputed::concrete(tensor(x), &variable).unwrap();
    let saved = graph
        .optimized_graph()
        .to_string()
        .matches("list_write")
        .count();
    assert_eq!(saved, 1, "{}", graph.optimized_graph());
}

#[test]
fn a_graph_with_gradients_by_hand_is_read_back_from_its_text() {
    #[graph_fn]
    fn f(x: Tensor<f64>) -> Tensor<f64> {
        let y = exaggerated(x);
        recompute(&y, |y| y.exp())
    }
    let text = f::concrete(tensor(1.0)).unwrap().graph().to_string();
    assert!(text.contains("gradient gradient of 1"), "{text}");
    assert!(text.contains("recompute {"), "{text}");
    let read: graph_runtime::graph::Graph = text.parse().unwrap();
    assert_eq!(read.to_string(), text);
}

#[test]
#[should_panic(expected = "stop here")]
fn a_panic_in_a_gradient_goes_on() {
    let x = tensor(1.0);
    let tape = GradientTape::new();
    tape.watch(&x);
    custom_gradient(x.clone(), |x: Tensor<f32>| {
        (x, |_: Tensor<f32>| -> Tensor<f32> { panic!("stop here") })
    });
}

/// `a b²`. Its gradient is declared as 7 with respect to `a`, and is correct with respect to `b`.
#[custom_gradient]
#[graph_fn]
fn of_two(
    a: Tensor<f64>,
    mut b: Tensor<f64>,
) -> (
    Tensor<f64>,
    impl FnOnce(Tensor<f64>) -> (Tensor<f64>, Tensor<f64>),
) {
    let ab = &a * &b;
    if b > 0.0 {
        b = b * &ab;
    } else {
        b = -b * &ab * -1.0;
    }
    (b, move |dy| (&dy * 7.0, dy * 2.0 * ab))
}

struct Scaled(Tensor<f64>);

impl Scaled {
    #[custom_gradient]
    fn call(&self, x: Tensor<f64>) -> (Tensor<f64>, impl FnOnce(Tensor<f64>) -> Tensor<f64>) {
        let scale = self.0.clone();
        (x * &self.0, move |dy| dy * scale * 100.0)
    }
}

#[graph_fn]
fn by_attribute(a: Tensor<f64>, b: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>) {
    let f = |(a, b): &(Tensor<f64>, Tensor<f64>)| of_two(a.clone(), b.clone());
    let (da, db) = grad(f)(&(a.clone(), b.clone()));
    let scaled = Scaled(b.clone());
    (da, db, grad(|x: &Tensor<f64>| scaled.call(x.clone()))(&a))
}

#[test]
fn functions_and_methods_with_the_attribute() {
    for (da, db, scaled) in both(|| by_attribute(tensor(3.0), tensor(5.0))) {
        assert_eq!((da.item(), db.item(), scaled.item()), (7.0, 30.0, 500.0));
    }
    assert_eq!(of_two(tensor(3.0), tensor(5.0)).item(), 75.0);
}

/// `log(1 + eˣ)`. If each operation is differentiated, its gradient is NaN for large x.
#[custom_gradient]
fn log1pexp(x: Tensor<f32>) -> (Tensor<f32>, impl FnOnce(Tensor<f32>) -> Tensor<f32>) {
    let e = x.exp();
    let y = (&e + 1.0).log();
    (y, move |dy| dy * (1.0 - 1.0 / (1.0 + &e)))
}

#[graph_fn]
fn around_it(x: Tensor<f32>) -> Tensor<f32> {
    log1pexp(x)
}

#[test]
fn what_is_watched_goes_into_the_function_itself() {
    for f in [log1pexp as fn(_) -> _, |x| around_it(x)] {
        let x = tensor(100.0f32);
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = f(x.clone());
        assert_eq!(tape.gradient(&y, &x).unwrap().item(), 1.0);
    }
}
