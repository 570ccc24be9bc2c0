//! **Viterbi**: the most likely path of hidden states behind what was observed. One loop goes forward and remembers where each state
//! was best reached from, another goes back over that.

use super::inputs;
use graph_runtime::prelude::*;

/// The path, and the logarithm of its probability. All tables hold logarithms: `transition[from, to]`, `emission[state, symbol]`.
#[graph_fn]
fn viterbi(
    start: &Tensor<f64>,
    transition: &Tensor<f64>,
    emission: &Tensor<f64>,
    observed: &Tensor<i64>,
) -> (Tensor<i64>, Tensor<f64>) {
    let steps = observed.len();
    let seen = emission.transpose().gather(observed); // [step, state]
    let mut score = start + &seen[0];
    let mut back = TensorArray::new(steps);
    for t in tensor(1)..steps as i32 {
        let through = score.expand_dims(1) + transition;
        back.write(t, through.argmax(0));
        score = through.max_axis(0) + &seen[t];
    }

    let mut state = score.argmax(0);
    let mut path = TensorArray::new(steps);
    path.write(steps - 1, state);
    for t in (tensor(1)..steps as i32).rev() {
        state = back.read(t)[state];
        path.write(t - 1, state);
    }
    (path.stack(), score.max())
}

/// A patient is healthy or has a fever, and feels normal, cold or dizzy: the example of Wikipedia's page.
fn patient() -> [Tensor<f64>; 3] {
    [
        tensor([0.6, 0.4]).log(),
        tensor([[0.7, 0.3], [0.4, 0.6]]).log(),
        tensor([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]).log(),
    ]
}

/// Logarithms of `rows` distributions over `columns` things.
fn table(rows: usize, columns: usize, seed: u32) -> Tensor<f64> {
    let weights = tensor(inputs::uniform(rows * columns, seed));
    let weights = weights.reshape([rows as isize, columns as isize]);
    (&weights / weights.sum_axes(&[1], true)).log()
}

/// 16 states, 8 symbols, and `steps` observations.
fn long(steps: usize) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>, Tensor<i64>) {
    let observed = tensor(inputs::uniform(steps, 8)) * 8.0;
    (
        table(1, 16, 5).get(0),
        table(16, 16, 6),
        table(16, 8, 7),
        observed.cast(),
    )
}

/// What is timed.
pub fn work() {
    let (start, transition, emission, observed) = long(1000);
    viterbi(&start, &transition, &emission, &observed);
}

/// The program.
pub fn main() {
    let [start, transition, emission] = patient();
    let (path, score) = viterbi(&start, &transition, &emission, &tensor([0i64, 1, 2]));
    println!(
        "healthy 0, fever 1: {path} with probability {}",
        score.exp()
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn the_patient_gets_a_fever_at_last() {
        let [start, transition, emission] = patient();
        let (path, score) = viterbi(&start, &transition, &emission, &tensor([0i64, 1, 2]));
        assert_eq!(path.to_vec(), [0, 0, 1]);
        close(&[score.exp().item()], &[0.01512], 1e-12);
    }

    #[test]
    fn a_long_path_is_numpys() {
        let (start, transition, emission, observed) = long(1000);
        let (path, score) = viterbi(&start, &transition, &emission, &observed);
        close(&[score.item()], &[-3697.0343416161973], 1e-12);
        assert_eq!(path.sum().item(), 6978);
        assert_eq!(path.get(..8).to_vec(), [5, 5, 5, 5, 7, 7, 11, 12]);
    }
}
