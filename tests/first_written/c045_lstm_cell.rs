//! One step of an LSTM by hand: seed3_lstm_cell.
use graph_runtime::prelude::*;

#[graph_fn]
fn lstm_cell(x: Tensor<f32>, h: Tensor<f32>, c: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let numbers = tensor((0..16).map(|i| i as f32).collect::<Vec<_>>()).reshape([2, 8]);
    let kernel = numbers / 16.0 - 0.4;
    let recurrent = numbers / 32.0 - 0.2;
    let bias = tensor([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    let z = x.matmul(kernel) + h.matmul(recurrent) + bias;
    let gates = z.split(4, 1);
    let (i, f, g, o) = (&gates[0], &gates[1], &gates[2], &gates[3]);
    let c = f.sigmoid() * c + i.sigmoid() * g.tanh();
    let h = o.sigmoid() * c.tanh();
    (h, c)
}

fn close(a: Tensor<f32>, b: [f32; 2]) -> bool {
    a.to_vec().iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5)
}

fn main() {
    let (h, c) = lstm_cell(tensor([[1.0, -1.0]]), tensor([[0.1, -0.2]]), tensor([[0.5, 0.0]]));
    assert!(close(h, [0.045024395, -0.066444889]));
    assert!(close(c, [0.123591036, -0.183871359]));
    let (h, c) = lstm_cell(tensor([[0.0, 0.0]]), tensor([[0.1, -0.2]]), tensor([[0.5, 0.0]]));
    assert!(close(h, [0.160191253, -0.010917061]));
    assert!(close(c, [0.341017336, -0.022419149]));
    let (h, c) = lstm_cell(tensor([[3.0, 0.5]]), tensor([[0.1, -0.2]]), tensor([[0.5, 0.0]]));
    assert!(close(h, [0.108868554, -0.016292924]));
    assert!(close(c, [0.209023535, -0.028020948]));
}
