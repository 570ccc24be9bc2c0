//! The memory that long loops keep: training loops in a graph and in Rust, and forward mode. The tests run one after the other, because
//! they measure the memory of the whole process.

use graph_runtime::autodiff::jvp;
use graph_runtime::prelude::*;

/// The memory that the process uses, in KiB.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().split(' ').next()?.parse().ok());
    number.unwrap_or(0)
}

#[test]
fn loops_take_constant_memory() {
    training_takes_constant_memory();
    forward_mode_keeps_nothing();
}

#[graph_fn]
fn steps(w: &Variable<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let mut loss = tensor(0.0);
    for _ in 0..n {
        let tape = GradientTape::new();
        let mut h = w.read();
        for _ in 0..tensor(3) {
            h = (h * 0.9).tanh();
        }
        loss = h.square().sum();
        w.assign_sub(tape.gradient(&loss, w).unwrap() * 0.01);
    }
    loss
}

/// Ten thousand steps. If each kept an array of 1 KiB, that would be 10 MiB.
fn training_takes_constant_memory() {
    let w = Variable::new(ones(&[256]) * 0.5f32);
    steps(&w, tensor(100));
    let before = resident();
    for _ in 0..10 {
        steps(&w, tensor(1000));
    }
    assert!(resident() <= before + 2048, "{} after {before}", resident());
    let before = resident();
    for _ in 0..2000 {
        let tape = GradientTape::new();
        let loss = (w.read() * 2.0).square().sum();
        w.assign_sub(tape.gradient(&loss, &w).unwrap() * 0.01);
    }
    assert!(resident() <= before + 2048, "{} after {before}", resident());
}

#[graph_fn]
fn many(x: Tensor<f64>, n: Tensor<i32>) -> (Tensor<f64>, Tensor<f64>) {
    jvp(
        |x: &Tensor<f64>| {
            #[graph_fn]
            fn f(x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
                let mut y = x.clone();
                for _ in 0..n {
                    y = y.sin() + x;
                }
                y
            }
            f(x.clone(), n.clone())
        },
        &x,
        &x.ones_like(),
    )
}

/// If each of ten thousand iterations kept an array of 8 KB, that would be 80 MB.
fn forward_mode_keeps_nothing() {
    let x = ones::<f64>(&[1000]) * 0.5;
    many(x.clone(), tensor(10));
    let before = resident();
    let (_, dy) = many(x.clone(), tensor(10_000));
    assert!(resident() <= before + 2048, "{} after {before}", resident());
    // y = sin y + x, so dy = 1 / (1 - cos y).
    let y = (0..10_000).fold(0.5f64, |y, _| y.sin() + 0.5);
    let expected = 1.0 / (1.0 - y.cos());
    assert!((dy.to_vec()[7] - expected).abs() < 1e-9);
    let f = |x: &Tensor<f64>, n: i32| (0..n).fold(x.clone(), |y, _| y.sin() + x);
    let eager = |n: i32| jvp(|x: &Tensor<f64>| f(x, n), &x, &x.ones_like());
    eager(10);
    let before = resident();
    let (_, dy) = eager(400);
    assert!(resident() <= before + 2048, "{} after {before}", resident());
    assert!((dy.to_vec()[7] - expected).abs() < 1e-9);
}
