//! The programs of `examples/`, made small, on the CPU and on a GPU: a few steps give the same losses and the same parameters, up to rounding.
//! An emulated GPU takes a second for what a CPU does in a millisecond, so models and batches have a few dozen numbers.

use std::sync::{Mutex, PoisonError};

use graph_cuda_fake::control::counts;
use graph_runtime::device;
use graph_runtime::nn::metrics::SparseCategoricalAccuracy;
use graph_runtime::nn::{
    Activation, Adam, Conv2D, Dense, Flatten, Lstm, MaxPool2D, Module, losses,
};
use graph_runtime::prelude::*;
use graph_runtime::{collect_prints, random};
use graph_tests_cuda::gpu;

/// What a training leaves: its losses and the parameters, and the lines that it printed.
struct Trained {
    numbers: Vec<f32>,
    lines: Vec<String>,
}

impl Trained {
    /// What a training of a new model leaves.
    fn of<M: Module>(model: impl Fn() -> M, train: impl Fn(&M) -> Vec<Tensor<f32>>) -> Trained {
        random::set_seed(3);
        let ((losses, model), lines) = collect_prints(|| {
            let model = model();
            (train(&model), model)
        });
        let parameters = model.parameters();
        let parameters = parameters.iter().filter_map(|p| p.variable::<f32>());
        let parameters = parameters.map(|variable| variable.read());
        let numbers = losses.into_iter().chain(parameters);
        Trained {
            numbers: numbers.flat_map(|x| x.to_vec()).collect(),
            lines,
        }
    }
}

/// Trains alone, because the streams of random numbers belong to the process: on the CPU and, a few times, on the GPU: its later runs may be launches of what the earlier ones recorded.
#[track_caller]
fn same_on_both<M: Module>(model: impl Fn() -> M, train: impl Fn(&M) -> Vec<Tensor<f32>>) {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let expected = Trained::of(&model, &train);
    assert!(expected.numbers.iter().all(|x| x.is_finite()));
    for run in 0..4 {
        let _scope = device::scope(gpu());
        let before = counts().launches;
        let found = Trained::of(&model, &train);
        assert!(counts().launches > before + 10, "the CPU ran it");
        assert_eq!(found.lines.len(), expected.lines.len(), "run {run}");
        assert_eq!(found.numbers.len(), expected.numbers.len(), "run {run}");
        for (a, b) in expected.numbers.iter().zip(&found.numbers) {
            assert!((a - b).abs() < 1e-4, "run {run}: {a} {b}");
        }
    }
}

/// `examples/lstm`: sequences are drawn in a loop that ends when the loss is small, and lines are printed on the way.
#[derive(Module)]
struct Adder {
    lstm: Lstm,
    sum: Dense,
}

fn sequences(batch: usize, length: usize) -> (Tensor<f32>, Tensor<f32>) {
    let half = length as i32 / 2;
    let numbers = random::uniform::<f32>(&[batch, length]);
    let mark = |from| (random::integers(0, half, &[batch]) + from).one_hot::<f32>(length);
    let marks = mark(0) + mark(half);
    let sums = (&numbers * &marks).sum_axes(&[1], true);
    (stack([numbers, marks], 2), sums)
}

#[graph_fn]
fn add_up(model: &Adder, adam: &Adam, steps: Tensor<i32>) -> Tensor<f32> {
    let (mut step, mut mean) = (tensor(0), tensor(f32::INFINITY));
    let mut total = tensor(0.0);
    while mean > 0.003 && step < steps {
        let (x, sums) = sequences(4, 6);
        let tape = GradientTape::new();
        let answers = model.sum.call(model.lstm.call(&x));
        let loss = losses::mean_squared_error(&sums, answers).mean();
        adam.apply(&tape.gradient(&loss, model), model);
        total += loss;
        step += 1;
        if step % 2 == 0 {
            mean = total / 2.0;
            total = tensor(0.0);
            graph_print!("step {step}: loss {mean}");
        }
    }
    mean
}

#[test]
fn an_lstm_adds_up_sequences() {
    let model = || Adder {
        lstm: Lstm::new(2, 5),
        sum: Dense::new(5, 1),
    };
    same_on_both(model, |model| {
        let adam = Adam::new(model).learning_rate(0.005).global_clip_norm(1.0);
        vec![add_up(model, &adam, tensor(4))]
    });
}

/// `examples/conv`: batches are gathered in a shuffled order, in two loops.
#[derive(Module)]
struct Seer {
    first: Conv2D,
    second: Conv2D,
    pool: MaxPool2D,
    scores: Dense,
}

#[graph_fn]
fn see(
    model: &Seer,
    adam: &Adam,
    accuracy: &SparseCategoricalAccuracy,
    images: Tensor<f32>,
    labels: Tensor<i32>,
    epochs: Tensor<i32>,
) -> Tensor<f32> {
    let mut last = tensor(0.0);
    for epoch in 0..epochs {
        let order = random::shuffle(&range(0, images.dim(0) as i32, 1)).reshape(&[-1, 3]);
        for batch in 0..tensor(2) {
            let chosen = order.row(&batch);
            let (x, y) = (images.gather(&chosen), labels.gather(&chosen));
            let tape = GradientTape::new();
            let small = model.pool.call(model.first.call(x));
            let smaller = model.pool.call(model.second.call(small));
            let scores = model.scores.call(Flatten.call(smaller));
            let loss = losses::sparse_categorical_crossentropy_from_logits(&y, &scores).mean();
            adam.apply(&tape.gradient(&loss, model), model);
            accuracy.update(y, scores);
            last = loss;
        }
        graph_print!("epoch {epoch}: loss {last}; accuracy {}", accuracy.result());
    }
    last
}

/// Six images of 4 × 4, and their labels.
fn images() -> (Tensor<f32>, Tensor<i32>) {
    let pixels = (0..96).map(|i| ((i * 37) % 17) as f32 / 17.0);
    let images = Tensor::from_vec(&[6, 4, 4, 1], pixels.collect());
    (images.unwrap(), tensor([0, 2, 1, 1, 0, 2]))
}

#[test]
fn a_convolutional_network_sees_images() {
    let conv = |channels, filters| {
        let conv = Conv2D::new(channels, filters, [3, 3]).same_padding();
        conv.activation(Activation::Relu)
    };
    let model = || Seer {
        first: conv(1, 2),
        second: conv(2, 3),
        pool: MaxPool2D::new([2, 2]),
        scores: Dense::new(3, 3),
    };
    same_on_both(model, |model| {
        let (images, labels) = images();
        let (adam, accuracy) = (Adam::new(model), SparseCategoricalAccuracy::new());
        let loss = see(model, &adam, &accuracy, images, labels, tensor(2));
        vec![loss, accuracy.result()]
    });
}

/// `examples/mnist`: the batches of a dataset, which the host prepares.
#[derive(Module)]
struct Reader {
    flatten: Flatten,
    hidden: Dense,
    scores: Dense,
}

#[graph_fn]
fn read(
    model: &Reader,
    adam: &Adam,
    accuracy: &SparseCategoricalAccuracy,
    images: Tensor<u8>,
    labels: Tensor<u8>,
) -> Tensor<f32> {
    let batches = Dataset::from_slices((images, labels))
        .map(|(image, label)| (image.cast::<f32>() / 255.0, label.cast::<i64>()))
        .shuffle(6)
        .repeat(3)
        .batch(2);
    let (mut step, mut loss) = (adam.iterations().read(), tensor(0.0));
    for (x, y) in batches {
        step += 1;
        let tape = GradientTape::new();
        let x = model.flatten.call(x);
        let scores = model.scores.call(model.hidden.call(x));
        loss = losses::sparse_categorical_crossentropy_from_logits(&y, &scores).mean();
        adam.apply(&tape.gradient(&loss, model), model);
        accuracy.update(&y, &scores);
        if step % 4 == 0 {
            graph_print!("step {step}: loss {loss}; accuracy {}", accuracy.result());
        }
    }
    loss
}

#[test]
fn a_network_reads_the_batches_of_a_dataset() {
    let model = || Reader {
        flatten: Flatten,
        hidden: Dense::new(16, 5).activation(Activation::Relu),
        scores: Dense::new(5, 3),
    };
    same_on_both(model, |model| {
        let (images, labels) = images();
        let images = (images * 255.0).cast::<u8>().reshape(&[6, 4, 4]);
        let (adam, accuracy) = (Adam::new(model), SparseCategoricalAccuracy::new());
        let loss = read(model, &adam, &accuracy, images, labels.cast::<u8>());
        vec![loss, accuracy.result()]
    });
}

/// `examples/newton`: the gradient of a loop whose end only the values decide.
#[graph_fn]
fn lambert_w(a: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    let (mut x, mut steps) = (a.log1p(), tensor(0));
    let mut change = tensor(f64::INFINITY);
    while change.abs() > 1e-12 {
        let power = x.exp();
        change = (x * power - a) / (power * (x + 1.0));
        x -= change;
        steps += 1;
    }
    (x, steps)
}

#[graph_fn]
fn with_slope(a: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>, Tensor<f64>) {
    let tape = GradientTape::new();
    tape.watch(&a);
    let (x, steps) = lambert_w(a.clone());
    let slope = tape.gradient(&x, &a).expect("x depends on a");
    (x, steps, slope)
}

#[test]
fn a_loop_that_values_end_has_a_slope() {
    for a in [0.3, 2.5] {
        for run in 0..4 {
            let (x, steps, slope) = with_slope(tensor(a).to(gpu()));
            let (x, slope) = (x.item(), slope.item());
            assert!((x * x.exp() / a - 1.0).abs() < 1e-12, "run {run}: {x}");
            let exact = 1.0 / (x.exp() * (1.0 + x));
            assert!((slope / exact - 1.0).abs() < 1e-9, "run {run}: {slope}");
            assert!((1..20).contains(&steps.item()), "run {run}: {steps}");
        }
    }
}
