//! Random streams: eager and traced, in branches and loops, over several runs, and in several threads.

use std::sync::{Mutex, MutexGuard, PoisonError};

use graph_runtime::prelude::*;
use graph_runtime::random::{self, Generator, Rng};

/// The streams belong to the process, and so does the switch to eager runs: tests that use them run one after the other.
fn my_turn(seed: i64) -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    random::set_seed(seed);
    turn
}

#[graph_fn]
fn some_of_everything(n: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>, Tensor<f64>) {
    let mut sum = random::uniform::<f32>(&[2]);
    let mut last = tensor(0);
    let mut i = tensor(0);
    while i < n {
        if random::uniform::<f32>(&[]) < 0.5 {
            sum += random::normal::<f32>(&[2]);
        } else {
            last = random::integers(0, 100, &[]);
        }
        i += 1;
    }
    (sum, last, random::with_seed(5).uniform(&[]))
}

fn taken(n: i32) -> (Vec<f32>, i32, f64) {
    let (sum, last, seeded) = some_of_everything(tensor(n));
    (sum.to_vec(), last.item(), seeded.item())
}

#[test]
fn a_graph_draws_what_the_eager_function_draws_and_afresh_each_time() {
    let _turn = my_turn(1);
    let graph = [taken(9), taken(0), taken(9)];
    random::set_seed(1);
    run_functions_eagerly(true);
    let eager = [taken(9), taken(0), taken(9)];
    run_functions_eagerly(false);
    assert_eq!(graph, eager);
    assert_ne!(graph[0], graph[2]);
    random::set_seed(2);
    assert_ne!(taken(9), graph[0]);
}

#[test]
fn optimization_keeps_every_draw() {
    #[graph_fn]
    fn third() -> Tensor<f32> {
        let _unused = random::uniform::<f32>(&[4]);
        let a = random::uniform::<f32>(&[]);
        let b = random::uniform::<f32>(&[]);
        (a - &b) * 0.0 + b
    }
    let _turn = my_turn(3);
    let graph = [third().item(), third().item()];
    random::set_seed(3);
    let drawn: Vec<f32> = (0..6).map(|_| random::uniform::<f32>(&[]).item()).collect();
    assert_eq!(graph, [drawn[2], drawn[5]]);
}

#[test]
fn tracing_draws_nothing() {
    #[graph_fn]
    fn drawn(x: Tensor<f32>) -> Tensor<f32> {
        x + random::uniform::<f32>(&[])
    }
    let _turn = my_turn(4);
    let first = [drawn(tensor(0.0)).item(), drawn(tensor(0.0)).item()];
    random::set_seed(4);
    // Meanwhile the function is traced for another signature.
    let second = [drawn(tensor([0.0])).to_vec()[0], drawn(tensor(0.0)).item()];
    assert_eq!(first, second);
}

#[test]
fn a_seeded_stream_counts_for_itself() {
    let _turn = my_turn(5);
    let seeded = |n: i64| random::with_seed(n).uniform::<f32>(&[]).item();
    let (first, second) = (seeded(1), seeded(1));
    assert_ne!(first, second);
    random::set_seed(5);
    random::uniform::<f32>(&[]);
    assert_ne!(seeded(2), first);
    assert_eq!([seeded(1), seeded(1)], [first, second]);
}

#[test]
fn a_generator_is_carried_by_loops_and_branches() {
    #[graph_fn]
    fn drawn(n: Tensor<i32>, twice: Tensor<bool>) -> (Tensor<f32>, Tensor<f32>) {
        let mut generator = Generator::from_seed(9);
        let mut last = tensor(0.0f32);
        for _ in 0..n {
            last = generator.uniform(&[]);
        }
        if twice {
            last = generator.uniform(&[]);
        }
        (last, generator.uniform(&[]))
    }
    let _turn = my_turn(8);
    let mut generator = Generator::from_seed(9);
    let expected: Vec<f32> = (0..5)
        .map(|_| generator.uniform::<f32>(&[]).item())
        .collect();
    let drawn = |n, twice| {
        let (a, b) = drawn(tensor(n), tensor(twice));
        [a.item(), b.item()]
    };
    assert_eq!(drawn(3, true), expected[3..5]);
    assert_eq!(drawn(3, false), expected[2..4]);
    assert_eq!(drawn(3, false), expected[2..4], "each call begins anew");
}

#[test]
fn threads_share_the_streams_without_a_seed_given_twice() {
    let _turn = my_turn(6);
    let draw = || {
        (0..50)
            .map(|_| random::bits::<i64>(&[]).item())
            .collect::<Vec<_>>()
    };
    let mut drawn: Vec<i64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(draw)).collect();
        threads
            .into_iter()
            .flat_map(|t| t.join().unwrap())
            .collect()
    });
    drawn.sort_unstable();
    random::set_seed(6);
    let mut alone: Vec<i64> = (0..4).flat_map(|_| draw()).collect();
    alone.sort_unstable();
    assert_eq!(drawn, alone);
}

#[test]
fn dropout_keeps_shapes_that_are_known_when_run_and_the_expected_sum() {
    #[graph_fn]
    fn dropped(x: Tensor<f32>, keep: Tensor<bool>) -> Tensor<f32> {
        random::dropout(&x.boolean_mask(&keep), 0.25)
    }
    let _turn = my_turn(7);
    let (x, keep) = (ones::<f32>(&[20_000]), fill(&[20_000], true));
    let dropped = dropped(x, keep).to_vec();
    assert_eq!(dropped.len(), 20_000);
    let zeros = dropped.iter().filter(|v| **v == 0.0).count();
    assert!(dropped.iter().all(|v| *v == 0.0 || *v == 1.0 / 0.75));
    // Five standard deviations.
    assert!(zeros.abs_diff(5_000) < 5 * 62, "{zeros}");
}

#[test]
#[should_panic(expected = "in the range [0, 1). Received: rate=1")]
fn a_rate_of_one_is_refused() {
    random::dropout(&ones::<f32>(&[2]), 1.0);
}

#[test]
fn classes_come_as_often_as_their_logits_say() {
    let mut generator = Generator::from_seed(1);
    let logits = tensor([[0.2f64.ln(), 0.5f64.ln(), 0.3f64.ln()], [0.0, 0.0, -1e9]]);
    let classes = generator.categorical(&logits, 10_000);
    assert_eq!(classes.array().shape(), [2, 10_000]);
    let count = |row: i32, class: i64| {
        let row = classes.get(row).to_vec();
        row.iter().filter(|c| **c == class).count()
    };
    for (row, class, expected) in [
        (0, 0, 2000),
        (0, 1, 5000),
        (0, 2, 3000),
        (1, 1, 5000),
        (1, 2, 0),
    ] {
        let found = count(row, class);
        assert!(found.abs_diff(expected) < 250, "{class}: {found}");
    }
}

#[test]
fn uniform_numbers_between_bounds_fill_the_range() {
    let mut generator = Generator::from_seed(2);
    let x = generator
        .uniform_between::<f64>(-3.0, 1.0, &[10_000])
        .to_vec();
    let (low, high) = x
        .iter()
        .fold((1.0f64, -3.0f64), |(l, h), v| (l.min(*v), h.max(*v)));
    assert!((-3.0..-2.99).contains(&low) && (0.99..1.0).contains(&high));
    let heads = generator.bernoulli(0.3, &[10_000]).to_vec();
    let heads = heads.iter().filter(|b| **b).count();
    assert!(heads.abs_diff(3000) < 250, "{heads}");
}

#[test]
fn a_shape_may_be_known_only_when_run() {
    #[graph_fn]
    fn drawn(x: Tensor<i32>) -> (Tensor<f64>, Tensor<i32>, Tensor<bool>) {
        let rest = x.boolean_mask(&x.gt(0));
        let shape = stack([&rest.len_tensor(), &tensor(2)], 0);
        let mut stateless = random::stateless(&tensor([1i64, 2]));
        (
            stateless.uniform(&shape),
            stateless.integers(-3, 1000, rest.shape_tensor()),
            random::bernoulli(1.0, shape),
        )
    }
    for eager in [false, true] {
        let _turn = my_turn(4);
        run_functions_eagerly(eager);
        let (floats, integers, truth) = drawn(tensor([1, 0, 5]));
        run_functions_eagerly(false);
        assert_eq!(floats.array().shape(), [2, 2]);
        let known = random::stateless(&tensor([1i64, 2])).uniform::<f64>(&[2, 2]);
        assert_eq!(floats.to_vec(), known.to_vec());
        // These are TensorFlow's numbers for this seed.
        assert_eq!(integers.to_vec(), [97, 284]);
        assert_eq!(truth.to_vec(), [true; 4]);
    }
}
