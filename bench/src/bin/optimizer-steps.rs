//! Steps of optimizers on one large variable, beside one pass in plain Rust that does the same, and beside copies of the same number of
//! bytes: microseconds a step on one thread, and the ratio to plain Rust. Each is the least of samples taken in turns.
//!
//! `cargo run --release -p graph-bench --bin optimizer-steps`

use std::hint::black_box;
use std::time::Instant;

use graph_runtime::nn::Adam;
use graph_runtime::prelude::*;
use graph_runtime::set_threads;

/// Numbers of parameters.
const SIZES: [usize; 3] = [1_000_000, 4_000_000, 16_000_000];

/// The number of samples of each kind.
const ROUNDS: usize = 15;

/// Adam's step reads four arrays and writes three.
const ARRAYS_MOVED: usize = 7;

#[graph_fn]
fn step(adam: &Adam, weights: &Variable<f32>, gradient: Tensor<f32>) {
    adam.apply(&Some(gradient), weights);
}

/// The state of Adam in plain Rust.
struct Plain {
    weights: Vec<f32>,
    momentum: Vec<f32>,
    velocity: Vec<f32>,
    count: i32,
}

impl Plain {
    fn step(&mut self, gradient: &[f32]) {
        self.count += 1;
        let power = |beta: f32| beta.powi(self.count);
        let alpha = 0.001 * (1.0 - power(0.999)).sqrt() / (1.0 - power(0.9));
        let state = self.momentum.iter_mut().zip(&mut self.velocity);
        for ((w, (m, v)), g) in self.weights.iter_mut().zip(state).zip(gradient) {
            *m += (g - *m) * 0.1;
            *v += (g * g - *v) * 0.001;
            *w -= *m * alpha / (v.sqrt() + 1e-7);
        }
    }
}

/// The microseconds of a call.
fn time(f: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    f();
    start.elapsed().as_secs_f64() * 1e6
}

fn measure(len: usize) {
    let start = || (0..len).map(|n| (n % 977) as f32 * 0.01 - 4.0).collect();
    let weights =
        Variable::new(Tensor::<f32>::from_vec(&[len], start()).expect("it has this many values"));
    let gradient: Vec<f32> = (0..len).map(|n| (n % 991) as f32 * 0.01 - 5.0).collect();
    let adam = Adam::new(&weights);
    let given = Tensor::<f32>::from_vec(&[len], gradient.clone()).expect("it has this many values");
    let zeros = vec![0.0; len];
    let mut plain = Plain {
        weights: start(),
        momentum: zeros.clone(),
        velocity: zeros.clone(),
        count: 0,
    };
    let (from, mut to) = (
        vec![1f32; len * ARRAYS_MOVED / 2],
        vec![0f32; len * ARRAYS_MOVED / 2],
    );
    let mut least = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        least[0] = least[0].min(time(&mut || step(&adam, &weights, given.clone())));
        least[1] = least[1].min(time(&mut || plain.step(black_box(&gradient))));
        least[2] = least[2].min(time(&mut || {
            black_box(&mut to).copy_from_slice(black_box(&from))
        }));
    }
    let own = weights.read().to_vec();
    let differ = own.iter().zip(&plain.weights).map(|(a, b)| (a - b).abs());
    assert!(differ.fold(0.0, f32::max) < 1e-4, "the results differ");
    let [graph, rust, copy] = least;
    let ratio = graph / rust;
    println!("{len:>12} {graph:>12.0} {rust:>12.0} {copy:>12.0} {ratio:>8.2}");
}

fn main() {
    set_threads(1);
    println!(
        "{:>12} {:>12} {:>12} {:>12} {:>8}",
        "parameters", "graph", "plain Rust", "copy", "ratio"
    );
    SIZES.into_iter().for_each(measure);
}
