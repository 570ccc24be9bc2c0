//! A network with two hidden layers learns handwritten digits in one graph: it draws and shuffles batches, computes gradients, updates
//! parameters, counts the accuracy and prints lines until the data ends.
//!
//! ```text
//! cargo run --release --example mnist                        # the 1,797 digits in the repository
//! cargo run --release --example mnist -- --data FOLDER       # MNIST: a folder with its four IDX files, gzipped or not
//! cargo run --release --example mnist -- --resume FILE       # Ctrl-C saves and ends it, and it goes on when it is called again
//! cargo run --release --example mnist -- --logdir DIR        # `tensorboard --logdir DIR` shows how it learns
//! ```
//!
//! With the digits in the repository, 40 epochs with the seeds 0 to 4 reach a test accuracy of 0.909, 0.916, 0.916, 0.916 and 0.923.
//! scikit-learn's `MLPClassifier` with the same shape, optimizer and batches reaches 0.912 to 0.919.

mod arguments;
mod files;
#[path = "../progress.rs"]
mod progress;
mod stop;
mod training;
mod watch;

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use graph_runtime::nn::metrics::SparseCategoricalAccuracy;
use graph_runtime::nn::{Activation, Adam, Dense, Flatten, Module, losses};
use graph_runtime::prelude::*;
use graph_runtime::summary::Writer;
use graph_runtime::{random, summary_scalar};

use arguments::{Arguments, HELP, Request};
use files::Images;
use progress::say;
use training::{Course, Training};

/// The number of classes, one for each digit.
const CLASSES: usize = 10;
/// The size of a hidden layer.
const UNITS: usize = 100;
/// The number of images in an epoch.
const EXAMPLES: usize = 20_000;
/// The number of images in a step.
const BATCH: usize = 100;

/// Takes images to the scores of the digits.
#[derive(Module)]
struct Model {
    flatten: Flatten,
    first: Dense,
    second: Dense,
    scores: Dense,
}

impl Model {
    fn new(pixels: usize) -> Model {
        Model {
            flatten: Flatten,
            first: Dense::new(pixels, UNITS).activation(Activation::Relu),
            second: Dense::new(UNITS, UNITS).activation(Activation::Relu),
            scores: Dense::new(UNITS, CLASSES),
        }
    }

    fn call(&self, images: Tensor<f32>) -> Tensor<f32> {
        let x = self.flatten.call(images);
        self.scores.call(self.second.call(self.first.call(x)))
    }
}

/// Pixels between 0 and 1, and labels as class numbers.
fn prepare(image: Tensor<u8>, label: Tensor<u8>, ink: f32) -> (Tensor<f32>, Tensor<i64>) {
    (image.cast::<f32>() / ink, label.cast::<i64>())
}

/// Makes one step. Returns the loss before it.
fn train_one_step(
    model: &Model,
    adam: &Adam,
    accuracy: &SparseCategoricalAccuracy,
    x: Tensor<f32>,
    y: Tensor<i64>,
) -> Tensor<f32> {
    let tape = GradientTape::new();
    let logits = model.call(x);
    let loss = losses::sparse_categorical_crossentropy_from_logits(&y, &logits).mean();
    adam.apply(&tape.gradient(&loss, model), model);
    accuracy.update(&y, &logits);
    loss
}

/// Trains for `epochs` epochs. Returns the last loss.
#[graph_fn]
fn train(
    model: &Model,
    adam: &Adam,
    accuracy: &SparseCategoricalAccuracy,
    images: Tensor<u8>,
    labels: Tensor<u8>,
    ink: f32,
    epochs: usize,
) -> Tensor<f32> {
    let batches = Dataset::from_slices((images, labels))
        .map(|(image, label)| prepare(image, label, ink))
        .take(EXAMPLES)
        .shuffle(EXAMPLES)
        .repeat(epochs)
        .batch(BATCH);
    let (mut step, mut loss) = (adam.iterations().read(), tensor(0.0));
    for (x, y) in batches {
        step += 1;
        loss = train_one_step(model, adam, accuracy, x, y);
        graph_print!("{step} {loss}"; to = progress::STEP);
        if step % 10 == 0 {
            let sofar = accuracy.result();
            summary_scalar!("train/loss", loss, step);
            summary_scalar!("train/accuracy", sofar, step);
            graph_print!("Step {step} : loss {loss} ; accuracy {sofar}"; to = progress::LINE);
        }
    }
    loss
}

/// The share of images whose digit has the highest score.
#[graph_fn]
fn test(model: &Model, images: Tensor<u8>, labels: Tensor<u8>, ink: f32) -> Tensor<f32> {
    let (x, y) = prepare(images, labels, ink);
    let named = model.call(x).argmax(1);
    (named == y).cast::<f32>().mean()
}

fn main() -> ExitCode {
    let result = match Request::parse(std::env::args_os().skip(1)) {
        Ok(Request::Train(arguments)) => run(&arguments),
        Ok(Request::Help) => {
            say(HELP);
            Ok(())
        }
        Err(error) => {
            eprintln!("error: {error}\n\nTry `--help`.");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    arguments.prepare_folders()?;
    random::set_seed(arguments.seed);
    let Images {
        training: images,
        unseen,
        ink,
        epochs,
    } = Images::read(arguments.data.as_deref())?;
    let pixels = images.0.dim(1) * images.0.dim(2);
    let course = Course {
        images,
        ink,
        epochs: arguments.epochs.map_or(epochs, |epochs| epochs as usize),
        seed: arguments.seed,
    };
    let (count, tested) = (course.count(), unseen.0.dim(0));
    say(format_args!(
        "{count} images to learn from, {tested} to be tested on"
    ));

    let training = Training::new(pixels);
    let writer = watch::begin(arguments, &course)?;
    let watching = writer.as_ref().map(Writer::as_default);
    let start = Instant::now();
    progress::begin((count * course.epochs).div_ceil(BATCH));
    let loss = match &arguments.resume {
        Some(file) => {
            stop::on_ctrl_c()?;
            training.resume(&course, file)?
        }
        None => Some(training.run(&course)),
    };
    progress::end();
    drop(watching);
    if let Some(writer) = &writer {
        watch::end(writer, &training, &course)?;
    }
    if stop::is_wanted() {
        say("interrupted; the same command goes on");
        return Ok(());
    }
    let Training {
        model,
        adam,
        accuracy,
    } = training;
    if let Some(loss) = loss {
        say(format_args!(
            "Final step {} : loss {loss} ; accuracy {} ; {:.1} s",
            adam.iterations().item(),
            accuracy.result(),
            start.elapsed().as_secs_f64()
        ));
    }

    let unseen = test(&model, unseen.0, unseen.1, ink).item();
    say(format_args!(
        "accuracy on the images not seen before: {unseen:.3}"
    ));
    model.save(&arguments.model)?;
    say(format_args!(
        "the model is in {}",
        arguments.model.display()
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learn(seed: i64, epochs: usize) -> (f32, Vec<f32>) {
        random::set_seed(seed);
        let data = Images::read(None).unwrap();
        let (images, ink) = (data.training, data.ink);
        let training = Training::new(64);
        training.run(&Course {
            images,
            ink,
            epochs,
            seed,
        });
        let Training { model, adam, .. } = training;
        assert_eq!(adam.iterations().item(), 15 * epochs as i64);
        let (images, labels) = data.unseen;
        let unseen = test(&model, images, labels, ink).item();
        (unseen, model.scores.kernel().read().to_vec())
    }

    /// The random streams belong to the process, so one test checks all seeds.
    #[test]
    fn it_learns_and_the_same_seed_gives_the_same_bits() {
        graph_runtime::set_threads(1);
        let (unseen, weights) = learn(1, 3);
        assert!(unseen > 0.7, "{unseen}");
        graph_runtime::set_threads(2);
        assert_eq!(learn(1, 3), (unseen, weights.clone()));
        assert_ne!(learn(2, 1).1, weights);
    }
}
