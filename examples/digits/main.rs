//! Softmax regression on real handwritten digits, trained by a single graph function: the loop over steps, the decision when to stop, and
//! the progress lines are nodes of the graph.
//!
//! ```text
//! cargo run --release --example digits
//! ```

mod data;

use std::error::Error;
use std::time::Instant;

use graph_runtime::prelude::*;

use data::{CLASSES, Digits};

/// The learning rate.
const RATE: f32 = 0.5;
/// The share of its velocity that a parameter keeps from one step to the next.
const MOMENTUM: f32 = 0.9;
/// The weight of the penalty on large weights.
const PENALTY: f32 = 1e-4;
/// The number of steps between progress lines. At each line, training stops if the loss no longer falls.
const REPORT: i32 = 100;
/// The loss no longer falls if it has lost less than this share of its value since the last progress line.
const TOLERANCE: f32 = 1e-3;
/// The number of steps after which training ends even if the loss still falls.
const STEP_LIMIT: i32 = 5000;
/// If the model recognizes a smaller share of the test digits, the program fails. (scikit-learn's logistic regression reaches 0.906 to
/// 0.912.)
const EXPECTED_ACCURACY: f32 = 0.9;

/// The model: the scores of an image are `image · weights + bias`, and the highest score gives the digit.
type Model = (Tensor<f32>, Tensor<f32>);

/// Trains until the loss stops falling, or for `step_limit` steps. Returns the model, the number of steps and the loss.
#[graph_fn]
fn train(
    images: Tensor<f32>,
    labels: Tensor<i32>,
    step_limit: Tensor<i32>,
) -> (Model, Tensor<i32>, Tensor<f32>) {
    // Shapes are known while tracing, so these are Rust numbers, and the tensors below are constants of the graph.
    let (count, pixels) = (images.dim(0) as f32, images.dim(1));
    let mut weights = zeros::<f32>(&[pixels, CLASSES]);
    let mut bias = zeros::<f32>(&[CLASSES]);
    let mut weights_speed = weights.zeros_like();
    let mut bias_speed = bias.zeros_like();

    let targets = labels.one_hot::<f32>(CLASSES);
    let mut step = tensor(0);
    let mut loss = tensor(f32::INFINITY);
    let mut reported = tensor(f32::INFINITY);
    let mut falling = tensor(true);
    while falling && step < step_limit {
        let log_shares = (images.matmul(&weights) + bias).log_softmax(1);
        let cross_entropy = -(targets * log_shares).sum() / count;
        loss = cross_entropy + weights.square().sum() * (PENALTY / 2.0);

        // The gradient of the loss, derived by hand: for softmax with cross entropy it is (share - target) / n.
        let error = (log_shares.exp() - targets) / count;
        weights_speed = weights_speed * MOMENTUM + images.t_matmul(&error) + weights * PENALTY;
        bias_speed = bias_speed * MOMENTUM + error.sum_axis(0);
        weights -= weights_speed * RATE;
        bias -= bias_speed * RATE;

        step += 1;
        if step % REPORT == 0 {
            graph_print!("step {step}: loss {loss}");
            falling = loss < reported * (1.0 - TOLERANCE);
            reported = loss;
        }
    }
    ((weights, bias), step, loss)
}

/// The share of images whose digit has the highest score.
#[graph_fn]
fn accuracy(model: Model, images: Tensor<f32>, labels: Tensor<i32>) -> Tensor<f32> {
    let (weights, bias) = model;
    let named = (images.matmul(&weights) + bias).argmax(1);
    (named == labels.cast::<i64>()).cast::<f32>().mean()
}

fn main() -> Result<(), Box<dyn Error>> {
    let (training, test) = (Digits::read("train")?, Digits::read("test")?);
    println!(
        "{} digits to learn from, {} to be tested on",
        training.labels.dim(0),
        test.labels.dim(0)
    );

    let start = Instant::now();
    let (model, steps, loss) = train(
        training.images.clone(),
        training.labels.clone(),
        tensor(STEP_LIMIT),
    );
    let seconds = start.elapsed().as_secs_f64();

    println!(
        "stopped after {steps} steps at loss {loss}; tracing and training took {seconds:.2} s"
    );
    let learned = accuracy(model.clone(), training.images, training.labels).item();
    let unseen = accuracy(model, test.images, test.labels).item();
    println!("accuracy: {learned:.3} on the digits learned from, {unseen:.3} on the test digits");
    if unseen < EXPECTED_ACCURACY {
        return Err(format!("the model should name {EXPECTED_ACCURACY} of the test digits").into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Images of four pixels, followed by their labels.
    const IMAGES: [[f32; 4]; 3] = [
        [1.0, 0.5, 0.0, 0.25],
        [0.0, 0.75, 0.5, 0.0],
        [0.9, 0.1, 0.2, 1.0],
    ];
    const LABELS: [usize; 3] = [3, 7, 3];

    /// The same training in plain Rust: the weights, the bias and the loss before the last step.
    fn by_hand(steps: usize) -> ([[f64; CLASSES]; 4], [f64; CLASSES], f64) {
        let (rate, momentum, penalty) = (f64::from(RATE), f64::from(MOMENTUM), f64::from(PENALTY));
        let (mut weights, mut weights_speed) = ([[0.0; CLASSES]; 4], [[0.0; CLASSES]; 4]);
        let (mut bias, mut bias_speed) = ([0.0; CLASSES], [0.0; CLASSES]);
        let mut loss = f64::INFINITY;
        for _ in 0..steps {
            loss = weights.as_flattened().iter().map(|w| w * w).sum::<f64>() * penalty / 2.0;
            weights_speed
                .iter_mut()
                .zip(&weights)
                .for_each(|(speeds, row)| {
                    speeds
                        .iter_mut()
                        .zip(row)
                        .for_each(|(speed, w)| *speed = *speed * momentum + w * penalty);
                });
            bias_speed.iter_mut().for_each(|speed| *speed *= momentum);
            for (image, label) in IMAGES.iter().zip(LABELS) {
                let score = |class: usize| {
                    bias[class]
                        + (0..4)
                            .map(|p| f64::from(image[p]) * weights[p][class])
                            .sum::<f64>()
                };
                let all: f64 = (0..CLASSES).map(|class| score(class).exp()).sum();
                loss -= (score(label).exp() / all).ln() / 3.0;
                for class in 0..CLASSES {
                    let target = if class == label { 1.0 } else { 0.0 };
                    let error = (score(class).exp() / all - target) / 3.0;
                    bias_speed[class] += error;
                    (0..4).for_each(|p| weights_speed[p][class] += f64::from(image[p]) * error);
                }
            }
            for class in 0..CLASSES {
                bias[class] -= bias_speed[class] * rate;
                (0..4).for_each(|p| weights[p][class] -= weights_speed[p][class] * rate);
            }
        }
        (weights, bias, loss)
    }

    #[test]
    fn training_in_the_graph_is_training_in_plain_rust() {
        let labels = tensor(LABELS.map(|label| label as i32));
        let ((weights, bias), steps, loss) = train(tensor(IMAGES), labels, tensor(20));
        let (expected_weights, expected_bias, expected_loss) = by_hand(20);
        assert_eq!(steps.item(), 20);
        let found = weights
            .to_vec()
            .into_iter()
            .chain(bias.to_vec())
            .chain([loss.item()]);
        let expected = expected_weights
            .as_flattened()
            .iter()
            .chain(&expected_bias)
            .chain([&expected_loss]);
        for (found, expected) in found.zip(expected) {
            assert!(
                (f64::from(found) - expected).abs() < 1e-4,
                "{found} instead of {expected}"
            );
        }
    }

    #[test]
    fn training_stops_when_the_loss_does() {
        // The same image has two labels, so the best prediction is one half for each, with a loss of ln 2.
        let (_, steps, loss) = train(zeros(&[2, 4]), tensor([1, 2]), tensor(STEP_LIMIT));
        assert!(
            steps.item() % REPORT == 0 && steps.item() < STEP_LIMIT,
            "{steps} steps"
        );
        assert!(
            (loss.item() - std::f32::consts::LN_2).abs() < 0.01,
            "{loss}"
        );
    }

    #[test]
    fn a_step_limit_of_zero_leaves_the_model_untrained() {
        let ((weights, bias), steps, loss) = train(zeros(&[2, 4]), tensor([1, 1]), tensor(0));
        assert_eq!(
            (weights.to_vec(), bias.to_vec()),
            (vec![0.0; 40], vec![0.0; 10])
        );
        assert_eq!((steps.item(), loss.item()), (0, f32::INFINITY));
    }
}
