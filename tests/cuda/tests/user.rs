//! What a user sees of a GPU: devices and what they are, values that move there and are computed there, variables, models and optimizers.

use graph_cuda_fake::control;
use graph_runtime::debug;
use graph_runtime::device::{self, Device};
use graph_runtime::nn::{Activation, Adam, Dense, Module, losses};
use graph_runtime::prelude::*;
use graph_tests_cuda::gpu;

#[test]
fn a_gpu_is_opened_once_and_says_what_it_is() {
    let gpu = gpu();
    assert_eq!(gpu.to_string(), "cuda:0");
    assert_eq!(Device::all(), [Device::cpu(), gpu]);
    for name in ["cuda", "cuda:0", "auto"] {
        assert_eq!(Device::named(name).unwrap(), gpu);
    }
    let description = gpu.description();
    assert_eq!(description.compute_capability, Some((9, 0)));
    assert_eq!(description.memory, Some(16 << 30));
    let (text, product) = (description.to_string(), description.product);
    assert_eq!(text, format!("{product}, 16.0 GiB, compute capability 9.0"));
    let missing = Device::cuda(7).unwrap_err();
    assert_eq!(
        missing.message(),
        "there is no GPU 7: the CUDA driver sees 1"
    );
}

#[test]
fn a_tensor_is_computed_where_it_was_moved() {
    let gpu = gpu();
    let x = tensor([1.0f32, 2.0, 3.0]).to(&gpu);
    let y = &x * 2.0 + tensor([1.0, 1.0, 1.0]);
    assert_eq!((x.device(), y.device()), (gpu, gpu));
    assert_eq!(y.to_vec(), [3.0, 5.0, 7.0]);
    assert_eq!(y.to_string(), "[3. 5. 7.]");
    assert_eq!(y.to(Device::cpu()).device(), Device::cpu());
    assert_eq!(tensor(["a"]).to(gpu).to_vec(), ["a"]);
}

#[test]
fn in_a_scope_tensors_and_variables_are_made_on_the_gpu() {
    let gpu = gpu();
    let (x, v) = {
        let _scope = device::scope(&gpu);
        (tensor([1i64, 2]), Variable::new(tensor([10i64, 20])))
    };
    v.assign_add(&x);
    assert_eq!((x.device(), v.device()), (gpu, gpu));
    assert_eq!(v.to(Device::cpu()).read().to_vec(), [11, 22]);
    assert_eq!(
        (v.device(), tensor(1).device()),
        (Device::cpu(), Device::cpu())
    );
}

#[derive(Module)]
struct Model {
    hidden: Dense,
    scores: Dense,
}

impl Model {
    fn new() -> Model {
        graph_runtime::random::set_seed(7);
        Model {
            hidden: Dense::new(2, 16).activation(Activation::Tanh),
            scores: Dense::new(16, 2),
        }
    }
}

#[graph_fn]
fn train(
    model: &Model,
    adam: &Adam,
    x: Tensor<f32>,
    y: Tensor<i64>,
    steps: Tensor<i32>,
) -> Tensor<f32> {
    let mut loss = tensor(0.0);
    for _ in 0..steps {
        let tape = GradientTape::new();
        let scores = model.scores.call(model.hidden.call(&x));
        loss = losses::sparse_categorical_crossentropy_from_logits(&y, scores).mean();
        adam.apply(&tape.gradient(&loss, model), model);
    }
    loss
}

/// Trains exclusive-or, after `place` has moved model and data; returns the loss and the bias.
fn trained(place: impl Fn(&Model, Tensor<f32>) -> Tensor<f32>) -> (Tensor<f32>, Vec<f32>) {
    let model = Model::new();
    let x = tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
    let x = place(&model, x);
    let adam = Adam::new(&model).learning_rate(0.05);
    let loss = train(&model, &adam, x, tensor([0i64, 1, 1, 0]), tensor(25));
    assert_eq!(adam.iterations().item(), 25);
    assert_eq!(adam.iterations().device(), loss.device());
    (loss, model.hidden.bias().unwrap().read().to_vec())
}

#[test]
fn a_training_on_the_gpu_gives_what_the_cpu_gives() {
    let gpu = gpu();
    let (here, bias) = trained(|_, x| x);
    let before = control::counts().launches;
    let (there, its_bias) = trained(|model, x| {
        model.to(&gpu);
        x.to(&gpu)
    });
    let launches = control::counts().launches - before;
    assert!(launches > 25 * 4, "{launches}: the CPU ran it");
    assert_eq!((here.device(), there.device()), (Device::cpu(), gpu));
    assert!((here.item() - there.item()).abs() < 1e-4, "{here} {there}");
    for (a, b) in bias.iter().zip(&its_bias) {
        assert!((a - b).abs() < 1e-4, "{bias:?} {its_bias:?}");
    }
}

#[graph_fn]
fn fit(model: &Model, adam: &Adam, x: Tensor<f32>, y: Tensor<f32>, steps: Tensor<i32>) {
    for _ in 0..steps {
        let tape = GradientTape::new();
        let scores = model.scores.call(model.hidden.call(&x));
        let loss = (scores - &y).square().mean();
        adam.apply(&tape.gradient(&loss, model), model);
    }
}

#[test]
fn a_profile_shows_that_the_steps_of_a_training_copy_nothing() {
    let gpu = gpu();
    let model = Model::new();
    model.to(gpu);
    let adam = Adam::new(&model);
    let (x, y) = (ones::<f32>([64, 2]), ones::<f32>([64, 2]).to(gpu));
    let copied = |steps: i32| {
        let (_, profile) = debug::profile(|| fit(&model, &adam, &x, &y, tensor(steps)));
        let rows = profile.transfers().iter();
        rows.map(|row| (row.to_device, row.bytes))
            .collect::<Vec<_>>()
    };
    // The GPU gets small variables when a kernel first needs them.
    copied(1);
    for steps in [1, 2, 10] {
        // Only `x`, once a call.
        assert_eq!(copied(steps), [(true, 64 * 2 * 4)]);
    }
}
