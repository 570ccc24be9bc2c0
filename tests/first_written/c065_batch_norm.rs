//! Batch normalization with running statistics in variables (textbook: Ioffe and Szegedy).
use graph_runtime::prelude::*;

struct BatchNorm {
    mean: Variable<f32>,
    variance: Variable<f32>,
}

#[graph_fn]
fn normalize(x: Tensor<f32>, mean: &Variable<f32>, variance: &Variable<f32>, training: bool) -> Tensor<f32> {
    let (m, v) = if training {
        let m = x.mean_axis(0);
        let v = (x - m).square().mean_axis(0);
        mean.assign(0.5 * mean.read() + 0.5 * m);
        variance.assign(0.5 * variance.read() + 0.5 * v);
        (m, v)
    } else {
        (mean.read(), variance.read())
    };
    (x - m) / (v + 1e-3).sqrt()
}

fn main() {
    let bn = BatchNorm { mean: Variable::new(tensor([0.0, 0.0])), variance: Variable::new(tensor([1.0, 1.0])) };
    let x = tensor([[1.0, 10.0], [3.0, 20.0], [5.0, 60.0]]);
    let y = normalize(x, &bn.mean, &bn.variance, true).to_vec();
    for (got, want) in y.iter().zip([-1.2245153, -0.9258191, 0.0, -0.46290955, 1.2245153, 1.3887287]) {
        assert!((got - want).abs() < 1e-4);
    }
    assert_eq!(bn.mean.read().to_vec(), [1.5, 15.0]);
    let y = normalize(tensor([[1.5, 15.0]]), &bn.mean, &bn.variance, false);
    assert_eq!(y.to_vec(), [0.0, 0.0]);
}
