//! Recurrent networks: a loop of the graph over the steps of a sequence.

use graph_runtime::prelude::*;

/// The last state of `tanh(h W + x U + b)` over a sequence.
#[graph_fn]
pub fn rnn(
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

/// One step: the new `h` and `c`. The columns of the kernels hold the gates in this order: input, forget, cell, output.
#[graph_fn]
pub fn lstm_cell(
    x: Tensor<f32>,
    h: Tensor<f32>,
    c: Tensor<f32>,
    kernel: Tensor<f32>,
    recurrent: Tensor<f32>,
    bias: Tensor<f32>,
) -> (Tensor<f32>, Tensor<f32>) {
    let z = matmul(x, kernel) + matmul(h, recurrent) + bias;
    let gates = z.split(4, 1);
    let c = gates[1].sigmoid() * c + gates[0].sigmoid() * gates[2].tanh();
    (gates[3].sigmoid() * c.tanh(), c)
}

/// An LSTM over a sequence.
#[graph_fn]
pub fn lstm_sequence(
    xs: Tensor<f32>,
    h: Tensor<f32>,
    c: Tensor<f32>,
    kernel: Tensor<f32>,
    recurrent: Tensor<f32>,
    bias: Tensor<f32>,
) -> (Tensor<f32>, Tensor<f32>) {
    let (mut h, mut c) = (h, c);
    for x in xs {
        (h, c) = lstm_cell(x, h, c, kernel.clone(), recurrent.clone(), bias.clone());
    }
    (h, c)
}

/// The sum of squares of the last `h` of an LSTM over a sequence, and its gradients with respect to the initial `h` and `c`, the kernels
/// and the bias.
#[graph_fn]
pub fn lstm_gradient(
    xs: Tensor<f32>,
    h: Tensor<f32>,
    c: Tensor<f32>,
    kernel: Tensor<f32>,
    recurrent: Tensor<f32>,
    bias: Tensor<f32>,
) -> Vec<Tensor<f32>> {
    let tape = GradientTape::new();
    let parameters = [h, c, kernel, recurrent, bias];
    tape.watch(&parameters);
    let [h, c, kernel, recurrent, bias] = parameters.clone();
    let (last, _) = lstm_sequence(xs, h, c, kernel, recurrent, bias);
    let loss = last.square().sum();
    let gradients = tape.gradient(&loss, &parameters);
    [Some(loss)]
        .into_iter()
        .chain(gradients)
        .flatten()
        .collect()
}
