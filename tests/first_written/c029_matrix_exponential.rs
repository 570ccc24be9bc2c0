//! exp(x) - 1 of a 4x4 matrix by its series, unrolled: seed1_costly_computation.
use graph_runtime::prelude::*;

#[graph_fn]
fn series(x: Tensor<f32>) -> Tensor<f32> {
    let mut aux = Tensor::<f32>::eye(4);
    let mut result = Tensor::<f32>::zeros([4]);
    for i in 1..100 {
        aux = x.matmul(&aux) / i as f32;
        result = result + aux;
    }
    result
}

fn main() {
    let x = tensor([
        [0.5, -0.5, 0.25, 0.0],
        [1.0, 0.0, -1.0, 0.5],
        [-0.25, 0.75, 0.5, -0.5],
        [0.0, 1.0, 0.0, -1.0],
    ]);
    let expected = [
        0.282822543, -0.457771093, 0.669317782, -0.189206243, 1.284176230, -0.441511959, -0.956263304, 0.442567647,
        0.067950718, 0.718001604, 0.201380372, -0.233805045, 0.449540406, 0.518109322, -0.367026031, -0.459581614,
    ];
    for (got, want) in series(x).to_vec().iter().zip(expected) {
        assert!((got - want).abs() < 1e-4);
    }
    assert_eq!(series(Tensor::zeros([4, 4])).to_vec(), [0.0; 16]);
}
