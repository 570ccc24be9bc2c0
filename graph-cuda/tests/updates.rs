//! Updates of variables that stand side by side are one kernel, and leave what the CPU leaves.

mod common;

use graph_cuda_fake::control::counts;
use graph_runtime::device;
use graph_runtime::prelude::*;

use common::{alone, gpu, is_real};

#[derive(TraceType)]
struct State {
    weights: Vec<Variable<f32>>,
    velocities: Vec<Variable<f32>>,
    steps: Variable<i64>,
}

/// Variables of several shapes, of which only one has a multiple of four elements.
const SHAPES: [&[usize]; 3] = [&[5, 7], &[3], &[2, 3, 8]];

fn numbers(shape: &[usize], seed: usize) -> Tensor<f32> {
    let count: usize = shape.iter().product();
    let values = (0..count).map(|i| ((i * 7 + seed * 3) % 11) as f32 / 11.0 - 0.4);
    Tensor::from_vec(shape, values.collect()).unwrap()
}

fn state(shapes: &[&[usize]]) -> State {
    let variables = |seed| {
        let shapes = shapes.iter().enumerate();
        let variables = shapes.map(|(i, shape)| Variable::new(numbers(shape, seed + i)));
        variables.collect()
    };
    State {
        weights: variables(1),
        velocities: variables(5),
        steps: Variable::new(tensor(0i64)),
    }
}

#[graph_fn]
fn momentum(state: &State, gradients: Vec<Tensor<f32>>, rate: Tensor<f32>) {
    let rate = rate.sum();
    for (i, g) in gradients.into_iter().enumerate() {
        let v = &state.velocities[i];
        v.assign_add(g - v.read() * 0.125);
        state.weights[i].assign_sub(v.read() * &rate);
    }
    state.steps.assign_add(1);
}

/// A rate that only the GPU knows: few numbers would be added on the host.
fn rate() -> Tensor<f32> {
    tensor(vec![0.125f32 / 64.0; 64])
}

/// What some steps leave, and how many kernels the last one took.
fn left(shapes: &[&[usize]], steps: usize) -> (Vec<Vec<f32>>, i64, u64) {
    let state = state(shapes);
    let rate = rate();
    let mut kernels = 0;
    for step in 0..steps {
        let gradients = shapes.iter().map(|shape| numbers(shape, step));
        let gradients: Vec<Tensor<f32>> = gradients.collect();
        let before = counts().launches;
        momentum(&state, gradients, &rate);
        kernels = counts().launches - before;
    }
    let variables = state.weights.iter().chain(&state.velocities);
    let values = variables.map(|v| v.read().to_vec()).collect();
    (values, state.steps.read().item(), kernels)
}

fn assert_close(found: &[Vec<f32>], expected: &[Vec<f32>]) {
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() <= 1e-6, "{found} {expected}");
    }
}

#[test]
fn all_variables_of_a_step_are_one_kernel() {
    let _alone = alone();
    for steps in [1, 2, 9] {
        let expected = left(&SHAPES, steps);
        let found = {
            let _scope = device::scope(gpu());
            left(&SHAPES, steps)
        };
        assert_close(&found.0, &expected.0);
        assert_eq!(found.1, expected.1);
        // The sum of the rate, and the updates.
        assert!(is_real() || found.2 == 2, "{} in step {steps}", found.2);
    }
}

#[test]
fn a_variable_may_be_a_number() {
    let _alone = alone();
    let shapes = [&[5usize][..], &[], &[4]];
    let expected = left(&shapes, 5);
    let _scope = device::scope(gpu());
    assert_close(&left(&shapes, 5).0, &expected.0);
}

/// The parameters of a launch are limited, so many variables are several launches.
#[test]
fn many_variables_are_a_few_kernels() {
    let _alone = alone();
    let shapes = vec![&[3usize, 2][..]; 150];
    let expected = left(&shapes, 3);
    let _scope = device::scope(gpu());
    let found = left(&shapes, 3);
    assert_close(&found.0, &expected.0);
    let kernels = found.2;
    assert!(is_real() || (2..=5).contains(&kernels), "{kernels}");
}

#[graph_fn]
fn broadcast(v: &Variable<f32>, w: &Variable<f32>, row: Tensor<f32>) -> Tensor<f32> {
    let before = v.read();
    v.assign_add(&row);
    w.assign(w.read() * 0.5 + v.read() * &row);
    before
}

#[test]
fn operands_are_broadcast_and_old_values_stay() {
    let _alone = alone();
    let steps = || {
        let (v, w) = (
            Variable::new(numbers(&[6, 20], 1)),
            Variable::new(numbers(&[6, 20], 2)),
        );
        let row = numbers(&[20], 3);
        let mut all = Vec::new();
        for _ in 0..5 {
            all.push(broadcast(&v, &w, &row).to_vec());
        }
        all.extend([v.read().to_vec(), w.read().to_vec()]);
        all
    };
    let expected = steps();
    let _scope = device::scope(gpu());
    assert_close(&steps(), &expected);
}

#[graph_fn]
fn count_down(
    n: &Variable<i32>,
    flags: &Variable<bool>,
    halves: &Variable<f16>,
    by: Tensor<i32>,
    which: Tensor<bool>,
) {
    n.assign_sub(&by);
    flags.assign(flags.read().logical_xor(&which));
    halves.assign(halves.read() * f16::from_f32(0.5) + f16::from_f32(1.0));
}

#[test]
fn other_dtypes_are_updated_too() {
    let _alone = alone();
    let steps = || {
        let n = Variable::new(tensor((0..70).collect::<Vec<i32>>()));
        let flags: Vec<bool> = (0..70).map(|i| i % 3 == 0).collect();
        let flags = Variable::new(tensor(flags));
        let halves = Variable::new(tensor(vec![f16::from_f32(3.0); 70]));
        let by = tensor((0..70).map(|i| i % 7).collect::<Vec<i32>>());
        let which = tensor((0..70).map(|i| i % 2 == 0).collect::<Vec<bool>>());
        for _ in 0..5 {
            count_down(&n, &flags, &halves, &by, &which);
        }
        (
            n.read().to_vec(),
            flags.read().to_vec(),
            halves.read().to_vec(),
        )
    };
    let expected = steps();
    let _scope = device::scope(gpu());
    assert_eq!(steps(), expected);
}

/// Updates in a loop that only the GPU decides.
#[graph_fn]
fn settle(v: &Variable<f32>, w: &Variable<f32>, x: Tensor<f32>) -> Tensor<i32> {
    let mut turns = tensor(0);
    while v.read().square().sum() > 1e-3 {
        v.assign_sub(v.read() * &x);
        w.assign(w.read() + v.read() * &x);
        turns += 1;
    }
    turns
}

#[test]
fn updates_in_a_loop_are_recorded() {
    let _alone = alone();
    let runs = || {
        let x = numbers(&[40], 1) * 0.1 + 0.5;
        let mut all = Vec::new();
        for _ in 0..5 {
            let (v, w) = (Variable::new(numbers(&[40], 1)), Variable::new(zeros([40])));
            let turns = settle(&v, &w, &x).item() as f32;
            all.extend([vec![turns], v.read().to_vec(), w.read().to_vec()]);
        }
        all
    };
    let expected = runs();
    let _scope = device::scope(gpu());
    assert_close(&runs(), &expected);
}
