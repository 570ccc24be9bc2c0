//! The likeliest path of hidden states: healthy or fever (textbook: Viterbi, Wikipedia's example).
use graph_runtime::prelude::*;

#[graph_fn]
fn viterbi(
    start: Tensor<f32>,
    transition: Tensor<f32>,
    emission: Tensor<f32>,
    observed: Tensor<i32>,
) -> (Tensor<i32>, Tensor<f32>) {
    let columns = emission.transpose();
    let n = observed.len();
    let mut delta = start * columns[observed[0]];
    let mut pointers = Vec::new();
    for t in 1..n {
        let scores = delta.expand_dims(1) * transition;
        pointers.push(scores.argmax(0).cast::<i32>());
        delta = scores.max_axis(0) * columns[observed[t]];
    }
    let mut state = delta.argmax(0).cast::<i32>();
    let mut path = vec![state];
    for pointer in pointers.iter().rev() {
        state = pointer[state];
        path.push(state);
    }
    path.reverse();
    (stack(path, 0), delta.max())
}

fn main() {
    let (path, probability) = viterbi(
        tensor([0.6, 0.4]),
        tensor([[0.7, 0.3], [0.4, 0.6]]),
        tensor([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]),
        tensor([0, 1, 2]),
    );
    assert_eq!(path.to_vec(), [0, 0, 1]);
    assert!((probability.item() - 0.01512).abs() < 1e-6);
}
