//! Softmax regression on the handwritten digits by full-batch gradient descent: what one writes first in PyTorch.

use graph_runtime::data::read_idx;
use graph_runtime::prelude::*;

#[derive(Clone, GraphState, TraceType)]
struct Params {
    w: Tensor<f32>,
    b: Tensor<f32>,
}

fn scores(p: &Params, x: &Tensor<f32>) -> Tensor<f32> {
    x.matmul(&p.w) + &p.b
}

#[graph_fn]
fn loss(p: &Params, x: &Tensor<f32>, y: &Tensor<i64>) -> Tensor<f32> {
    let log_p = scores(p, x).log_softmax(-1);
    -log_p.take_along_axis(y.expand_dims(1), 1).mean()
}

#[graph_fn]
fn train(p: Params, x: &Tensor<f32>, y: &Tensor<i64>, steps: Tensor<i32>, rate: f32) -> (Params, Tensor<f32>) {
    let mut p = p;
    let mut last = tensor(0.0);
    for _ in 0..steps {
        let (value, slopes) = value_and_grad(|p: &Params| loss(p, x, y))(&p);
        p.w -= rate * slopes.w;
        p.b -= rate * slopes.b;
        last = value;
    }
    (p, last)
}

#[graph_fn]
fn accuracy(p: &Params, x: &Tensor<f32>, y: &Tensor<i64>) -> Tensor<f32> {
    let guess = scores(p, x).argmax(-1);
    (guess == y).cast::<f32>().mean()
}

fn load(name: &str) -> Result<(Tensor<f32>, Tensor<i64>), Box<dyn std::error::Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/digits");
    let images = read_idx::<u8>(format!("{folder}/{name}-images.idx3-ubyte"))?;
    let labels = read_idx::<u8>(format!("{folder}/{name}-labels.idx1-ubyte"))?;
    let n = images.dim(0);
    let x = images.cast::<f32>().reshape([n, 64]) / 16.0;
    Ok((x, labels.cast()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (x, y) = load("train")?;
    let (x_test, y_test) = load("test")?;
    let p = Params {
        w: zeros([64, 10]),
        b: zeros([10]),
    };
    assert!((loss(&p, &x, &y).item() - 10f32.ln()).abs() < 1e-5);
    let (p, last) = train(p, &x, &y, tensor(100), 0.5);
    println!("loss {last}, accuracy {}", accuracy(&p, &x_test, &y_test));
    assert!((last.item() - LOSS).abs() < 1e-4);
    assert!((accuracy(&p, &x_test, &y_test).item() - ACCURACY).abs() < 1e-3);
    Ok(())
}

// NumPy's, with the same formulas in float64.
const LOSS: f32 = 0.381_932_27;
const ACCURACY: f32 = 0.875_420_9;
