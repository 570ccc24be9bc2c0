//! A filter of three taps with its history in an array (textbook: FIR filter).
use graph_runtime::prelude::*;

#[graph_fn]
fn fir(signal: Tensor<f32>, taps: Tensor<f32>) -> Tensor<f32> {
    let mut history = [tensor(0.0), tensor(0.0), tensor(0.0)];
    let mut out = signal.zeros_like();
    for i in 0..signal.size() {
        history = [signal[i], history[0], history[1]];
        let mut sum = tensor(0.0);
        for (k, past) in history.iter().enumerate() {
            sum += taps[k] * past;
        }
        out[i] = sum;
    }
    out
}

fn main() {
    let y = fir(tensor([0.0, 0.0, 4.0, 0.0, 0.0, 8.0]), tensor([0.25, 0.5, 0.25]));
    assert_eq!(y.to_vec(), [0.0, 0.0, 1.0, 2.0, 1.0, 2.0]);
}
