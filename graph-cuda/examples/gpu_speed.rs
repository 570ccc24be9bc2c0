//! How fast graphs run on a GPU: bytes and operations per second of typical kernels, and the time of small calls. `scripts/gpu_check.sh` prints
//! PyTorch's numbers beside them.
//!
//! ```text
//! cargo run --release -p graph-cuda --example gpu_speed
//! ```

use std::time::Instant;

use graph_runtime::device;
use graph_runtime::prelude::*;

#[graph_fn]
fn chain(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    let z = (&x * 2.0 + &y).relu();
    &z * &x + 1.0
}

#[graph_fn]
fn heavy_chain(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    (&x.tanh() * y.sigmoid() + x.exp()) / (y.sin() + 2.0)
}

#[graph_fn]
fn add(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    x + y
}

#[graph_fn]
fn row_sums(x: Tensor<f32>) -> Tensor<f32> {
    x.sum_axis(1)
}

#[graph_fn]
fn column_sums(x: Tensor<f32>) -> Tensor<f32> {
    x.sum_axis(0)
}

#[graph_fn]
fn total(x: Tensor<f32>) -> Tensor<f32> {
    x.sum()
}

#[graph_fn]
fn transposed(x: Tensor<f32>) -> Tensor<f32> {
    x.transpose()
}

#[graph_fn]
fn softmax(x: Tensor<f32>) -> Tensor<f32> {
    x.softmax(1)
}

#[graph_fn]
fn product(x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    x.matmul(&y)
}

/// The sum is computed by the GPU, so only the GPU knows when the loop ends.
#[graph_fn]
fn collatz(n: Tensor<i32>) -> Tensor<i32> {
    let (mut n, mut count) = (n.sum(), tensor(0));
    while &n != 1 {
        if &n % 2 == 0 {
            n = &n / 2;
        } else {
            n = &n * 3 + 1;
        }
        count += 1;
    }
    count
}

#[graph_fn]
fn layer_norm(x: Tensor<f32>) -> Tensor<f32> {
    let centered = &x - x.mean_axis(1).expand_dims(1);
    let variance = centered.square().mean_axis(1).expand_dims(1);
    centered * (variance + 1e-5).rsqrt()
}

/// Two dense layers.
struct Mlp {
    w1: Variable<f32>,
    b1: Variable<f32>,
    w2: Variable<f32>,
    b2: Variable<f32>,
}

#[graph_fn]
fn train(
    w1: &Variable<f32>,
    b1: &Variable<f32>,
    w2: &Variable<f32>,
    b2: &Variable<f32>,
    x: Tensor<f32>,
    labels: Tensor<i32>,
) -> Tensor<f32> {
    let tape = GradientTape::new();
    let hidden = (x.matmul(w1) + b1).relu();
    let logits = hidden.matmul(w2) + b2;
    let loss = logits.sparse_softmax_cross_entropy(&labels).mean();
    let (g1, h1, g2, h2) = tape.gradient(&loss, (w1, b1, w2, b2));
    w1.assign_sub(g1.unwrap() * 0.1);
    b1.assign_sub(h1.unwrap() * 0.1);
    w2.assign_sub(g2.unwrap() * 0.1);
    b2.assign_sub(h2.unwrap() * 0.1);
    loss
}

/// The seconds that a call takes, of several after one to warm up. Waiting for a value of the last one waits for all.
fn seconds(times: usize, mut call: impl FnMut() -> Tensor<f32>) -> f64 {
    let wait = |y: Tensor<f32>| y.reshape([-1]).get(0).item();
    wait(call());
    let start = Instant::now();
    for _ in 1..times {
        drop(call());
    }
    wait(call());
    start.elapsed().as_secs_f64() / times as f64
}

fn bytes(name: &str, bytes: usize, seconds: f64) {
    println!(
        "{name:32} {:9.1} GB/s {:9.3} ms",
        bytes as f64 / seconds / 1e9,
        seconds * 1e3
    );
}

fn main() {
    let gpu = match graph_cuda::device(0) {
        Ok(device) => device,
        Err(reason) => return println!("{reason}"),
    };
    device::set_default(gpu);
    let large = std::env::args()
        .nth(1)
        .map_or(1 << 28, |n| n.parse().unwrap_or(1 << 20));
    let side = (large as f64).sqrt() as usize;
    let size = 4 * side * side;
    let x: Tensor<f32> = ones([side, side]);
    let y: Tensor<f32> = ones([side, side]) * 0.5;
    bytes("add", 3 * size, seconds(20, || add(&x, &y)));
    bytes("chain of 5", 3 * size, seconds(20, || chain(&x, &y)));
    bytes(
        "chain of functions",
        3 * size,
        seconds(20, || heavy_chain(&x, &y)),
    );
    bytes("sums of rows", size, seconds(20, || row_sums(&x)));
    bytes("sums of columns", size, seconds(20, || column_sums(&x)));
    bytes("sum of all", size, seconds(20, || total(&x)));
    bytes("transpose", 2 * size, seconds(20, || transposed(&x)));
    bytes(
        "softmax of rows (one read, write)",
        2 * size,
        seconds(20, || softmax(&x)),
    );
    bytes(
        "layer norm (one read, write)",
        2 * size,
        seconds(20, || layer_norm(&x)),
    );
    for n in [256, 1024, 4096] {
        let (a, b): (Tensor<f32>, Tensor<f32>) = (ones([n, n]), ones([n, n]));
        let time = seconds(20, || product(&a, &b));
        let rate = 2.0 * (n as f64).powi(3) / time / 1e12;
        println!(
            "product of {n:<21} {rate:9.2} TFLOP/s {:9.3} ms",
            time * 1e3
        );
    }
    let small: Tensor<f32> = ones([16]);
    let time = seconds(2000, || add(&small, &small));
    println!("a small call                     {:9.2} µs", time * 1e6);
    let mlp = Mlp {
        w1: Variable::new(ones([784, 128]) * 0.01),
        b1: Variable::new(zeros([128])),
        w2: Variable::new(ones([128, 10]) * 0.01),
        b2: Variable::new(zeros([10])),
    };
    let x: Tensor<f32> = ones([100, 784]);
    let labels: Tensor<i32> = zeros([100]);
    let time = seconds(1000, || {
        train(&mlp.w1, &mlp.b1, &mlp.w2, &mlp.b2, &x, &labels)
    });
    println!(
        "a training step, 784 × 128 × 10, batch of 100 {:9.2} µs",
        time * 1e6
    );
    // 77,031 = 77 · 1000 + 31.
    let parts: Tensor<i32> = tensor([77; 1000]) + 0;
    let start: Tensor<i32> = concat(&[parts, tensor([31])], 0);
    for call in 0..4 {
        let begin = Instant::now();
        let count = collatz(&start).item();
        let each = begin.elapsed().as_secs_f64() / f64::from(count);
        println!(
            "an iteration of collatz, call {call} {:9.2} µs ({count} iterations)",
            each * 1e6
        );
    }
}
