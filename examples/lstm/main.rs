//! An LSTM learns to add: each sequence has random numbers, of which two are marked, and the answer is the sum of these two (Hochreiter and
//! Schmidhuber's adding problem, 1997). Drawing the sequences, the recurrent loop over time, its gradients, the updates, the progress lines
//! and the decision when to stop are all in one graph.
//!
//! ```text
//! cargo run --release --example lstm
//! cargo run --release --example lstm -- --logdir DIR     # `tensorboard --logdir DIR` shows how it learns
//! ```

#[path = "../progress.rs"]
mod progress;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use graph_runtime::nn::{Adam, Dense, Lstm, Module, losses};
use graph_runtime::prelude::*;
use graph_runtime::summary::Writer;
use graph_runtime::{random, summary_scalar};

/// The length of a sequence.
const LENGTH: usize = 20;
/// The number of sequences in a step.
const BATCH: usize = 64;
/// The number of units of the LSTM.
const UNITS: usize = 32;
/// The number of steps between progress lines. At each line, training stops if the loss is good enough.
const REPORT: i32 = 100;
/// Training ends if the mean loss since the last progress line is below this. If the answer is always 1, the mean, the loss is 1/6.
const GOOD: f32 = 0.003;
/// The number of steps after which training ends in any case.
const STEP_LIMIT: i32 = 5000;

#[derive(Module)]
struct Model {
    lstm: Lstm,
    sum: Dense,
}

impl Model {
    fn new() -> Model {
        Model {
            lstm: Lstm::new(2, UNITS),
            sum: Dense::new(UNITS, 1),
        }
    }

    /// The answers `[batch, 1]` for sequences `[batch, time, 2]`.
    fn call(&self, x: &Tensor<f32>) -> Tensor<f32> {
        self.sum.call(self.lstm.call(x))
    }
}

/// Sequences `[batch, LENGTH, 2]` of numbers and marks, and the sums of the marked numbers, `[batch, 1]`.
fn sequences(batch: usize) -> (Tensor<f32>, Tensor<f32>) {
    let half = LENGTH as i32 / 2;
    let numbers = random::uniform::<f32>(&[batch, LENGTH]);
    // Each half of the sequence has one mark.
    let mark = |from| (random::integers(0, half, &[batch]) + from).one_hot::<f32>(LENGTH);
    let marks = mark(0) + mark(half);
    let sums = (&numbers * &marks).sum_axes(&[1], true);
    (stack([numbers, marks], 2), sums)
}

/// Trains until the loss is good enough, or for `step_limit` steps. Returns the number of steps and the mean loss of the last ones.
#[graph_fn]
fn train(model: &Model, adam: &Adam, step_limit: Tensor<i32>) -> (Tensor<i32>, Tensor<f32>) {
    let mut step = tensor(0);
    let mut total = tensor(0.0);
    let mut mean = tensor(f32::INFINITY);
    while mean > GOOD && step < step_limit {
        let (x, sums) = sequences(BATCH);
        let tape = GradientTape::new();
        let loss = losses::mean_squared_error(&sums, model.call(&x)).mean();
        adam.apply(&tape.gradient(&loss, model), model);

        total += loss;
        step += 1;
        graph_print!("{step} {loss}"; to = progress::STEP);
        if step % REPORT == 0 {
            mean = total / REPORT as f32;
            summary_scalar!("loss", mean, step);
            total = tensor(0.0);
            graph_print!("step {step}: loss {mean}"; to = progress::LINE);
        }
    }
    (step, mean)
}

/// The share of sequences whose answer differs from the sum by less than 0.2.
#[graph_fn]
fn accuracy(model: &Model) -> Tensor<f32> {
    let (x, sums) = sequences(1000);
    (model.call(&x) - sums).abs().lt(0.2).cast::<f32>().mean()
}

/// The folder after `--logdir`, if there is one.
fn logdir() -> Result<Option<PathBuf>, lexopt::Error> {
    let mut parser = lexopt::Parser::from_env();
    let mut folder = None;
    while let Some(argument) = parser.next()? {
        match argument {
            lexopt::Arg::Long("logdir") => folder = Some(parser.value()?.into()),
            other => return Err(other.unexpected()),
        }
    }
    Ok(folder)
}

fn main() -> Result<(), Box<dyn Error>> {
    let writer = logdir()?.map(|folder| Writer::new(folder.join("lstm")));
    let writer = writer.transpose()?;
    random::set_seed(0);
    let model = Model::new();
    let adam = Adam::new(&model).learning_rate(0.005).global_clip_norm(1.0);
    println!("{}", model.summary());
    let start = Instant::now();
    progress::begin(STEP_LIMIT as usize);
    let watching = writer.as_ref().map(Writer::as_default);
    let (steps, loss) = train(&model, &adam, tensor(STEP_LIMIT));
    progress::end();
    drop(watching);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "stopped after {steps} steps at loss {loss}; tracing and training took {seconds:.2} s"
    );
    println!(
        "{:.3} of new sequences are added up to within 0.2",
        accuracy(&model).item()
    );
    if let Some(writer) = writer {
        for parameter in model.parameters() {
            if let Some(variable) = parameter.variable::<f32>() {
                writer.histogram(parameter.name(), variable, steps.item().into())?;
            }
        }
        writer.graph(&train::function().concrete_functions()[0])?;
        writer.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_numbers_of_a_sequence_are_marked_and_added() {
        let (x, sums) = sequences(50);
        assert_eq!(x.shape().to_string(), format!("[50,{LENGTH},2]"));
        let (x, sums) = (x.to_vec(), sums.to_vec());
        for (sequence, sum) in x.chunks(2 * LENGTH).zip(sums) {
            let steps: Vec<&[f32]> = sequence.chunks(2).collect();
            let marked: Vec<f32> = steps
                .iter()
                .filter(|step| step[1] == 1.0)
                .map(|step| step[0])
                .collect();
            assert_eq!(marked.len(), 2);
            assert!((marked[0] + marked[1] - sum).abs() < 1e-6);
        }
    }

    #[test]
    fn a_few_steps_make_the_loss_smaller() {
        random::set_seed(0);
        let model = Model::new();
        let adam = Adam::new(&model).learning_rate(0.02);
        let (x, sums) = sequences(200);
        let loss = || {
            losses::mean_squared_error(&sums, model.call(&x))
                .mean()
                .item()
        };
        let before = loss();
        let (steps, mean) = train(&model, &adam, tensor(10));
        assert_eq!((steps.item(), mean.item()), (10, f32::INFINITY));
        assert_eq!(adam.iterations().item(), 10);
        assert!(loss() < 0.7 * before, "{before}, then {}", loss());
    }
}
