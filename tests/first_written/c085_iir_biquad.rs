//! A recursive filter of second order, its state a tuple (textbook: direct form I biquad).
use graph_runtime::prelude::*;

#[graph_fn]
fn biquad(signal: Tensor<f32>, b: [f32; 3], a: [f32; 2]) -> Tensor<f32> {
    let mut inputs = (tensor(0.0), tensor(0.0));
    let mut outputs = (tensor(0.0), tensor(0.0));
    let mut filtered = TensorArray::new();
    for x in signal {
        let y = b[0] * x + b[1] * inputs.0 + b[2] * inputs.1 - a[0] * outputs.0 - a[1] * outputs.1;
        inputs = (x, inputs.0);
        outputs = (y, outputs.0);
        filtered.push(y);
    }
    filtered.stack()
}

fn main() {
    let y = biquad(tensor([1.0, 0.0, 0.0, 0.0, 1.0, 1.0]), [0.2, 0.3, 0.2], [-0.5, 0.2]);
    for (got, want) in y.to_vec().iter().zip([0.2, 0.4, 0.36, 0.1, 0.178, 0.569]) {
        assert!((got - want).abs() < 1e-6);
    }
}
