//! Calls of functions with loops that carry values which no iteration changes, or whose bodies use values from outside: a tape around
//! the call gives the gradient of every use, even if passes have changed the loop.

use graph_runtime::prelude::*;

type Three = (Tensor<f64>, Tensor<f64>, Tensor<f64>);

#[graph_fn]
fn folded(x: Tensor<f64>) -> Three {
    let step = |s: Three, _: Tensor<f64>| (x.clone(), s.1.clone(), s.1);
    fold(
        step,
        tensor([1.0, 2.0, 3.0]),
        (x.clone(), x.clone(), x.clone()),
    )
}

fn sum_of(f: impl Fn(Tensor<f64>) -> Three) -> f64 {
    let x = tensor(2.0);
    let tape = GradientTape::new();
    tape.watch(&x);
    let (a, _, c) = f(x.clone());
    let y = a * 2.0 + c * 3.0;
    tape.gradient(&y, &x).unwrap().item()
}

#[test]
fn a_tape_around_a_fold() {
    assert_eq!(sum_of(folded), 5.0);
}

#[graph_fn]
fn looped(x: Tensor<f64>, n: Tensor<i32>) -> Three {
    let mut s = (x.clone(), x.clone(), x.clone());
    for _ in 0..n {
        s = (x.clone(), s.1.clone(), s.1.clone());
    }
    s
}

#[test]
fn a_tape_around_a_loop() {
    for n in 0..4 {
        assert_eq!(sum_of(|x| looped(x, tensor(n))), 5.0, "{n}");
    }
}
