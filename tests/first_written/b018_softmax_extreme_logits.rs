//! softmax and its logarithm for logits that are far apart. From: conformance softmax_extreme_logits.
use graph_runtime::prelude::*;

#[graph_fn]
fn softmaxes(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    (x.softmax(), x.log_softmax(), x.logsumexp_axis(1))
}

fn assert_close(got: &Tensor<f32>, expected: &[f32]) {
    for (g, e) in got.to_vec().iter().zip(expected) {
        assert!(g == e || (g - e).abs() <= 1e-5 * e.abs().max(1.0), "{g} is not {e}");
    }
}

fn main() {
    let (p, log_p, sum) = softmaxes(tensor([[1e4, 0.0, -1e4], [0.0, 0.0, 0.0]]));
    assert_close(&p, &[1.0, 0.0, 0.0, 0.3333333, 0.3333333, 0.3333333]);
    assert_close(&log_p, &[0.0, -1e4, -2e4, -1.0986123, -1.0986123, -1.0986123]);
    assert_close(&sum, &[1e4, 1.0986123]);

    let (p, log_p, sum) = softmaxes(tensor([[-1e4, -1e4, -1e4], [88.0, 89.0, f32::NEG_INFINITY]]));
    assert_close(&p, &[0.3333333, 0.3333333, 0.3333333, 0.26894143, 0.7310586, 0.0]);
    assert_close(&log_p, &[-1.0986123, -1.0986123, -1.0986123, -1.3132616, -0.31326166, f32::NEG_INFINITY]);
    assert_close(&sum, &[-9998.901, 89.31326]);
}
