//! Programs with effects on an emulated driver: prints and assertions, and variables that change in loops and branches that only the GPU decides.
//! Such programs are recorded, so a call is one launch.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use graph_cuda_fake::control::counts;
use graph_runtime::autodiff::recompute;
use graph_runtime::device;
use graph_runtime::prelude::*;
use graph_runtime::switch_case;

use common::{alone, gpu, is_real};

#[derive(TraceType)]
struct Model {
    weights: Variable<f32>,
    best: Variable<f32>,
    since: Variable<i32>,
}

impl Model {
    fn new() -> Model {
        Model {
            weights: Variable::new(zeros([64])),
            best: Variable::new(tensor(1e9)),
            since: Variable::new(tensor(0)),
        }
    }
}

fn target() -> Tensor<f32> {
    tensor((0..64).map(|i| (i % 5) as f32).collect::<Vec<_>>())
}

/// A step of a training that remembers the best loss, and prints and checks the present one.
#[graph_fn]
fn step(model: &Model, rate: Tensor<f32>, file: &str) -> Tensor<f32> {
    let tape = GradientTape::new();
    let loss = (&model.weights - target()).square().mean();
    let gradient = tape.gradient(&loss, &model.weights).unwrap();
    model.weights.assign_sub(gradient * rate.sum());
    graph_print!("loss", loss; to = file);
    assert!(loss < 1e6, "the loss is {loss}");
    if loss < model.best {
        model.best.assign(loss);
        model.since.assign(tensor(0));
    } else {
        model.since.assign_add(1);
    }
    graph_print!("best", model.best, "since", model.since; to = file);
    loss
}

/// A rate that only the GPU knows: few numbers would be added on the host.
fn rate(rate: f32) -> Tensor<f32> {
    tensor(vec![rate / 128.0; 128])
}

/// Trains, with a rate that becomes too large; the losses, the model, and what was printed.
fn trained(name: &str) -> (Vec<f32>, Vec<f32>, String) {
    let file = std::env::temp_dir().join(format!("effects-{name}-{}", std::process::id()));
    let path = file.to_str().unwrap();
    let model = Model::new();
    let (good, bad) = (rate(8.0), rate(80.0));
    let mut losses: Vec<f32> = (0..8).map(|_| step(&model, &good, path).item()).collect();
    losses.extend((0..4).map(|_| step(&model, &bad, path).item()));
    let error = catch_unwind(AssertUnwindSafe(|| {
        (0..40).for_each(|_| drop(step(&model, &bad, path)));
    }));
    let error = error.expect_err("the loss becomes too large");
    let error = error.downcast_ref::<String>().cloned().unwrap_or_default();
    let printed = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let mut state = model.weights.read().to_vec();
    state.extend(model.best.read().to_vec());
    state.push(model.since.read().item() as f32);
    (losses, state, printed + &error)
}

#[test]
fn a_step_that_prints_and_checks_and_branches_is_recorded() {
    let _alone = alone();
    let expected = trained("cpu");
    assert!(expected.2.contains("the loss is"), "{}", expected.2);
    let _scope = device::scope(gpu());
    let before = counts();
    let found = trained("gpu");
    let launches = counts().graph_launches - before.graph_launches;
    assert_eq!(found.2.lines().count(), expected.2.lines().count());
    for (found, expected) in found.0.iter().zip(&expected.0) {
        assert!(
            (found - expected).abs() <= 1e-5 * expected,
            "{found} {expected}"
        );
    }
    for (found, expected) in found.1.iter().zip(&expected.1) {
        assert!(
            (found - expected).abs() <= 1e-5 * expected.abs(),
            "{found} {expected}"
        );
    }
    let last = |text: &str| text.lines().last().unwrap().to_owned();
    assert_eq!(last(&found.2), last(&expected.2));
    // All calls but the first ones, and the one that fails, whose launch is done again in the ordinary way.
    let calls = found
        .2
        .lines()
        .filter(|line| line.starts_with("best"))
        .count() as u64;
    assert!(
        is_real() || launches >= calls - 2,
        "{launches} launches of {calls} calls"
    );
}

/// A whole training as one call: it goes on until the loss is small, which only the GPU knows.
#[graph_fn]
fn fit(model: &Model, start: Tensor<f32>) -> Tensor<i32> {
    model.weights.assign(start);
    let mut steps = tensor(0);
    let mut loss = tensor(1e9);
    while loss > 0.01 {
        let tape = GradientTape::new();
        loss = (&model.weights - target()).square().mean();
        let gradient = tape.gradient(&loss, &model.weights).unwrap();
        model.weights.assign_sub(gradient * 8.0);
        if steps % 2 == 0 {
            model.since.assign_add(steps);
        }
        assert!(loss >= 0.0);
        steps += 1;
    }
    model.best.assign(loss);
    steps
}

#[test]
fn a_training_whose_end_only_the_gpu_knows_is_one_launch() {
    let _alone = alone();
    let all = || {
        let (model, start) = (Model::new(), ones([64]));
        let mut launches = 0;
        let mut downloads = 0;
        let runs: Vec<(i32, i32, f32, Vec<f32>)> = (0..6)
            .map(|_| {
                let before = counts();
                let steps = fit(&model, &start);
                let after = counts();
                launches = after.graph_launches - before.graph_launches;
                downloads = after.downloads - before.downloads;
                let (since, best) = (model.since.read().item(), model.best.read().item());
                (steps.item(), since, best, model.weights.read().to_vec())
            })
            .collect();
        (runs, launches, downloads)
    };
    let (expected, ..) = all();
    let _scope = device::scope(gpu());
    let (found, launches, downloads) = all();
    for ((steps, since, best, weights), expected) in found.iter().zip(&expected) {
        assert_eq!((steps, since), (&expected.0, &expected.1));
        assert!((best - expected.2).abs() < 1e-6, "{best} {}", expected.2);
        for (found, expected) in weights.iter().zip(&expected.3) {
            assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        }
    }
    // Whether an assertion failed is a word of the host's memory.
    assert!(is_real() || (launches, downloads) == (1, 0));
}

/// A walk in which each step chooses among four moves by what the last one gave. The moves of odd steps are chosen by a `match`, the others by
/// `switch_case`.
#[graph_fn]
fn walk(x: Tensor<f32>, n: Tensor<i32>, visits: &Variable<i32>) -> Tensor<f32> {
    let mut x = x;
    let mut state = n % 4;
    let mut left = n;
    while left > 0 {
        if left % 2 == 0 {
            x = switch_case(
                state,
                vec![
                    Box::new(|| &x - 1.0),
                    Box::new(|| {
                        visits.assign_add(100);
                        &x * 2.0
                    }),
                    Box::new(|| &x + x.mean()),
                ],
            );
        } else {
            match state {
                0 => x = &x + 1.0,
                1 => {
                    x = &x * 0.5;
                    visits.assign_add(1);
                }
                2 => x = x.roll(1, 0),
                _ => {
                    x = &x - x.mean();
                    visits.assign_add(10);
                }
            }
        }
        state = (state * 3 + left) % 5;
        left -= 1;
    }
    x
}

#[test]
fn a_match_or_switch_that_only_the_gpu_decides_is_recorded() {
    let _alone = alone();
    let all = || {
        let visits = Variable::new(tensor(0));
        let x = tensor((0..64).map(|i| i as f32).collect::<Vec<_>>());
        let n = tensor(vec![1; 64]).sum();
        let mut launches = 0;
        let runs: Vec<(Vec<f32>, i32)> = (0..5)
            .map(|_| {
                let before = counts().graph_launches;
                let y = walk(&x, &n, &visits);
                launches += counts().graph_launches - before;
                (y.to_vec(), visits.read().item())
            })
            .collect();
        (runs, launches)
    };
    let (expected, _) = all();
    let _scope = device::scope(gpu());
    let (found, launches) = all();
    for ((found, visits), (expected, expected_visits)) in found.iter().zip(&expected) {
        assert_eq!(visits, expected_visits);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
        }
    }
    assert!(is_real() || launches >= 3, "{launches} launches");
}

/// Doubles `x` as often as the count in `tests` is below a number: the condition itself counts.
#[graph_fn]
fn counted(tests: &Variable<i32>, x: Tensor<i32>, most: Tensor<i32>) -> Tensor<i32> {
    let mut x = x;
    while {
        tests.assign_add(1);
        tests.read() < most
    } {
        x = x * 2;
        tests.assign_add(10);
    }
    x
}

#[test]
fn what_the_condition_of_a_loop_writes_stays() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    // 1, 11 + 1, 22 + 1, 33 + 1: then the loop ends.
    let most = tensor(vec![1; 30]).to(gpu()).sum();
    let tests = Variable::new(tensor(0));
    let before = counts().graph_launches;
    for call in 0..6 {
        tests.assign(tensor(0));
        let x = counted(&tests, tensor(3), most.clone()).item();
        assert_eq!((x, tests.item()), (24, 34), "call {call}");
    }
    let recorded = is_real() || counts().graph_launches > before;
    assert!(recorded, "nothing is recorded");
}

/// Keeps a sum, and draws random numbers behind that, when memory that other kernels have used is free again.
#[graph_fn]
fn drawn(kept: &Variable<f32>, x: Tensor<f32>) -> Tensor<f32> {
    let mut x = x;
    for _ in 0..5 {
        x = x.cumsum(0) / 10.0;
    }
    kept.assign(x.sum());
    graph_runtime::random::uniform::<f32>(&[40]).sum()
}

#[test]
fn a_seed_lies_where_nothing_before_it_writes() {
    let _alone = alone();
    let sums = |x: &Tensor<f32>| -> Vec<f32> {
        graph_runtime::random::set_seed(3);
        let kept = Variable::new(tensor(0.0));
        (0..6).map(|_| drawn(&kept, x.clone()).item()).collect()
    };
    let x = ones::<f32>([30]);
    let expected = sums(&x);
    let _scope = device::scope(gpu());
    let before = counts().graph_launches;
    let found = sums(&x.to(gpu()));
    for (a, b) in expected.iter().zip(&found) {
        assert!((a - b).abs() < 1e-4, "{expected:?} {found:?}");
    }
    let recorded = is_real() || counts().graph_launches > before;
    assert!(recorded, "nothing is recorded");
}

/// Counts up while the decimal number has two digits.
#[graph_fn]
fn to_three_digits(x: Tensor<i32>) -> Tensor<i32> {
    let mut n = x.sum();
    while n.as_string().string_length().lt(3) {
        let text = n.as_string();
        n = n + text.string_length() / 2;
    }
    n
}

#[test]
fn strings_in_a_loop_are_left_to_the_cpu() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let x = tensor(vec![3; 32]).to(gpu());
    let trace = to_three_digits::concrete(x.clone()).unwrap();
    let refused = gpu().backend().compile(trace.graph(), &[]).err();
    assert!(refused.is_some_and(|reason| reason.contains("strings")));
    for call in 0..4 {
        assert_eq!(to_three_digits(x.clone()).item(), 100, "call {call}");
    }
}

/// The gradient is the number of digits, of a text in a function that is called.
#[graph_fn]
fn digits(x: Tensor<f32>) -> Option<Tensor<f32>> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = recompute(&x, |x| {
        let digits = x.cast::<i32>().as_string().string_length();
        x * digits.cast::<f32>()
    });
    tape.gradient(&y, &x)
}

#[test]
fn strings_in_a_called_function_are_left_to_the_cpu() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let x = tensor([7.0, 42.0, 100.0]).to(gpu());
    for call in 0..4 {
        let digits = digits(x.clone()).unwrap();
        assert_eq!(digits.to_vec(), [1.0, 2.0, 3.0], "call {call}");
    }
}
