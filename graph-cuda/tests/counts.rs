//! What programs ask of a GPU in a warm call, counted by the emulated driver: kernels, launches, copies, waits, and the bytes of device memory.
//! `cargo test -p graph-cuda --test counts -- --nocapture` prints the table of `bench/CUDA.md`.

use graph_cuda_fake::control::{self, Counts};
use graph_runtime::device;
use graph_runtime::prelude::*;

/// The counts of one call.
#[derive(Clone, Copy)]
struct Call {
    kernels: u64,
    graph_launches: u64,
    copies: u64,
    waits: u64,
    bytes: u64,
}

/// Counts a call after some that record the program. The calls' results are dropped.
fn warm<R>(f: impl Fn() -> R) -> Call {
    for _ in 0..12 {
        f();
    }
    let before = control::counts();
    let result = f();
    let after = control::counts();
    drop(result);
    let of = |get: fn(&Counts) -> u64| get(&after) - get(&before);
    Call {
        kernels: of(|c| c.launches),
        graph_launches: of(|c| c.graph_launches),
        copies: of(|c| c.uploads) + of(|c| c.downloads),
        waits: of(|c| c.synchronizations),
        bytes: of(|c| c.bytes_read) + of(|c| c.bytes_written),
    }
}

fn numbers(shape: &[usize]) -> Tensor<f32> {
    let count: usize = shape.iter().product();
    let values = (0..count).map(|i| (i % 17) as f32 / 17.0 - 0.4).collect();
    Tensor::from_vec(shape, values).unwrap()
}

#[graph_fn]
fn chain(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    let z = (x * 2.0 + y).relu();
    (z * x + 1.0).tanh() / (y.exp() + 1.0)
}

#[graph_fn]
fn softmax(x: Tensor<f32>) -> Tensor<f32> {
    x.softmax(-1)
}

#[graph_fn]
fn layer_norm(x: Tensor<f32>, scale: Tensor<f32>, shift: Tensor<f32>) -> Tensor<f32> {
    let centred = x - x.mean_axes(&[1], true);
    let variance = centred.square().mean_axes(&[1], true);
    centred * (variance + 1e-5).rsqrt() * scale + shift
}

#[graph_fn]
fn rnn(
    xs: Tensor<f32>,
    h: Tensor<f32>,
    w: Tensor<f32>,
    u: Tensor<f32>,
    b: Tensor<f32>,
) -> Tensor<f32> {
    let mut h = h;
    for x in xs {
        h = (matmul(h, &w) + matmul(x, &u) + b).tanh();
    }
    h
}

#[derive(TraceType)]
struct State {
    parameters: Vec<Variable<f32>>,
    means: Vec<Variable<f32>>,
    variances: Vec<Variable<f32>>,
}

/// One step of Adam for a network with two hidden layers.
#[graph_fn]
fn train(x: Tensor<f32>, y: Tensor<i64>, state: &State, t: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let [w1, b1, w2, b2, w3, b3] = &state.parameters[..] else {
        panic!("six parameters")
    };
    let h = (matmul(x, w1) + b1).relu();
    let h = (matmul(h, w2) + b2).relu();
    let loss = (matmul(h, w3) + b3).sparse_softmax_cross_entropy(y).mean();
    let gradients = tape.gradient(&loss, &state.parameters);
    let rate = 1e-3 * (1.0 - tensor(0.999).pow(t)).sqrt() / (1.0 - tensor(0.9).pow(t));
    for (i, g) in gradients.into_iter().flatten().enumerate() {
        let (m, v) = (&state.means[i], &state.variances[i]);
        m.assign_add((&g - m.read()) * 0.1);
        v.assign_add((&g * &g - v.read()) * 0.001);
        state.parameters[i].assign_sub(&rate * m.read() / (v.read().sqrt() + 1e-7));
    }
    loss
}

fn state() -> State {
    let shapes = [
        vec![40, 32],
        vec![32],
        vec![32, 24],
        vec![24],
        vec![24, 10],
        vec![10],
    ];
    let variables =
        |f: fn(&[usize]) -> Tensor<f32>| shapes.iter().map(|s| Variable::new(f(s))).collect();
    State {
        parameters: variables(numbers),
        means: variables(|shape| zeros(shape)),
        variances: variables(|shape| zeros(shape)),
    }
}

/// A row of the table.
fn row(name: &str, call: Call, least: u64) {
    let Call {
        kernels,
        graph_launches,
        copies,
        waits,
        bytes,
    } = call;
    println!(
        "| {name} | {kernels} | {graph_launches} | {copies} | {waits} | {bytes} | {least} | {:.2} |",
        bytes as f64 / least as f64
    );
}

/// One test, since the driver counts what the whole process does.
#[test]
fn programs_ask_for_little() {
    graph_cuda_shim::use_functions(graph_cuda_fake::symbol);
    let gpu = graph_cuda::device(0).unwrap_or_else(|reason| panic!("{reason}"));
    let _scope = device::scope(gpu);

    let (x, y) = (numbers(&[64, 96]), numbers(&[64, 96]));
    let matrix = 4 * 64 * 96;
    let elementwise = warm(|| chain(&x, &y));
    row(
        "a chain of eight functions, two operands of 64 × 96",
        elementwise,
        3 * matrix,
    );
    let rows = warm(|| softmax(&x));
    row("softmax of 64 × 96", rows, 2 * matrix);
    let (scale, shift) = (numbers(&[96]), numbers(&[96]));
    let norm = warm(|| layer_norm(&x, &scale, &shift));
    row(
        "layer normalization of 64 × 96",
        norm,
        2 * matrix + 2 * 4 * 96,
    );

    let (xs, h) = (numbers(&[20, 1, 16]), numbers(&[1, 32]));
    let (w, u, b) = (numbers(&[32, 32]), numbers(&[16, 32]), numbers(&[32]));
    let recurrent = warm(|| rnn(&xs, &h, &w, &u, &b));
    row(
        "a recurrent network over 20 steps, state of 32",
        recurrent,
        4 * (20 * 16 + 20 * (32 * 32 + 16 * 32)),
    );

    let state = state();
    let batch = numbers(&[50, 40]);
    let labels = Tensor::from_vec(&[50], (0..50).map(|i| i % 10).collect()).unwrap();
    let t = tensor(vec![1.0f32; 64]).sum();
    let parameters: u64 = 40 * 32 + 32 + 32 * 24 + 24 + 24 * 10 + 10;
    let step = warm(|| train(&batch, &labels, &state, &t));
    row(
        "a step of Adam, 40 × 32 × 24 × 10, 50 examples",
        step,
        4 * (50 * 40 + 50 + 6 * parameters),
    );

    // The host learns later whether a label was out of range.
    for call in [elementwise, rows, norm, recurrent, step] {
        assert_eq!((call.graph_launches, call.copies, call.waits), (1, 0, 0));
    }
    // The three products forward, the loss beside the softmax, the mean beside the gradient of the scores, for each layer the gradients of weights and
    // biases beside the product that leads to the layer before, and the updates.
    assert!(step.kernels <= 9, "{}", step.kernels);
    // A row, and a product with what follows it.
    assert!(recurrent.kernels <= 41, "{}", recurrent.kernels);
    assert_eq!((elementwise.kernels, rows.kernels, norm.kernels), (1, 1, 1));
    // The operands are read once, and the result is written once.
    assert_eq!(elementwise.bytes, 3 * matrix);
    assert_eq!(rows.bytes, 2 * matrix);
}
