//! Loops over datasets: a graph gives the same as an eager run.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use graph_runtime::graph::Graph;
use graph_runtime::prelude::*;
use graph_runtime::{Error, collect_prints, random};

use crate::alone;

/// Runs `f` as a graph and eagerly, and compares the results.
fn both<R: PartialEq + std::fmt::Debug>(f: impl Fn() -> R) -> R {
    let traced = f();
    let eager = {
        let _eager = graph_runtime::debug::EAGER.scope(true);
        f()
    };
    assert_eq!(traced, eager, "graph and eager run");
    traced
}

#[graph_fn]
fn by_sign(xs: Tensor<f32>, ys: Tensor<i32>) -> (Tensor<f32>, Tensor<f32>) {
    let (mut pos, mut neg) = (tensor(0.0), tensor(0.0));
    for (x, y) in Dataset::from_slices((xs, ys)) {
        if y > 0 {
            pos += x;
        } else {
            neg += x;
        }
    }
    (pos, neg)
}

#[test]
fn elements_of_arguments_are_taken_apart() {
    let (pos, neg) = by_sign(tensor([1.0, 2.0, 3.0]), tensor([1, 0, 1]));
    assert_eq!((pos.item(), neg.item()), (4.0, 2.0));
    let (pos, neg) = by_sign(tensor([5.0, 7.0, 9.0]), tensor([0, 0, 1]));
    assert_eq!((pos.item(), neg.item()), (9.0, 12.0));
    assert_eq!(by_sign::function().trace_count(), 1);
}

#[graph_fn]
fn batches(xs: Tensor<i32>, size: usize) -> Tensor<i32> {
    let mut sum = tensor(0);
    for (i, x) in Dataset::from_slices(&xs).skip(1).batch(size).enumerate() {
        graph_print!("{} {}", i, x);
        sum += x.sum();
    }
    sum
}

#[test]
fn batches_are_printed_in_order() {
    let (sum, lines) = both(|| {
        let (sum, lines) = collect_prints(|| batches(tensor([9, 1, 2, 3, 4, 5]), 2));
        (sum.item(), lines)
    });
    assert_eq!(sum, 15);
    assert_eq!(lines, ["0 [1 2]", "1 [3 4]", "2 [5]"]);
}

#[graph_fn]
fn until(dataset: &Dataset<Tensor<i64>>, limit: Tensor<i64>) -> (Tensor<i64>, Tensor<i64>) {
    let (mut sum, mut odd) = (tensor(0i64), tensor(0i64));
    for n in dataset {
        if n > limit {
            break;
        }
        sum += n;
        if n % 2 == 0 {
            continue;
        }
        odd += n;
    }
    (sum, odd)
}

#[test]
fn a_loop_is_left_and_continued() {
    let numbers = Dataset::range(0..10);
    let (sum, odd) = both(|| {
        let (sum, odd) = until(&numbers, tensor(5i64));
        (sum.item(), odd.item())
    });
    assert_eq!((sum, odd), (15, 9));
    // An endless dataset, so that only `break` ends the loop.
    let (sum, _) = until(&numbers.repeat_forever().skip(8), tensor(8i64));
    assert_eq!(sum.item(), 8);
}

#[graph_fn]
fn first_above(dataset: &Dataset<Tensor<i64>>, limit: Tensor<i64>) -> Tensor<i64> {
    for n in dataset {
        if n > limit {
            return n;
        }
    }
    -1i64
}

#[test]
fn a_function_returns_out_of_a_loop() {
    let numbers = Dataset::range(0..10);
    assert_eq!(both(|| first_above(&numbers, tensor(6i64)).item()), 7);
    assert_eq!(both(|| first_above(&numbers, tensor(60i64)).item()), -1);
}

#[test]
fn one_trace_serves_datasets_that_differ_in_values() {
    #[graph_fn]
    fn total(rows: &Dataset<Tensor<f32>>) -> Tensor<f32> {
        let mut total = tensor(0.0);
        for row in rows {
            total += row.sum();
        }
        total
    }
    let of = |values: [[f32; 2]; 2]| Dataset::from_slices(tensor(values)).batch(1);
    assert_eq!(total(&of([[1.0, 2.0], [3.0, 4.0]])).item(), 10.0);
    assert_eq!(total(&of([[1.0, 2.0], [3.0, 5.0]])).item(), 11.0);
    assert_eq!(total::function().trace_count(), 1);
    assert_eq!(total(&of([[1.0, 2.0], [3.0, 5.0]]).take(1)).item(), 3.0);
    assert_eq!(total::function().trace_count(), 2);
}

#[test]
fn a_dataset_made_again_has_the_same_trace() {
    #[graph_fn]
    fn total(rows: &Dataset<Tensor<f32>>) -> Tensor<f32> {
        let mut total = tensor(0.0);
        for row in rows {
            total += row.sum();
        }
        total
    }
    let double = |xs: [f32; 3], factor: f32| {
        let factor = tensor(factor);
        Dataset::from_slices(tensor(xs))
            .map(|x| x * &factor)
            .batch(2)
    };
    assert_eq!(total(&double([1.0, 2.0, 3.0], 2.0)).item(), 12.0);
    assert_eq!(total(&double([1.0, 2.0, 4.0], 3.0)).item(), 21.0);
    assert_eq!(total::function().trace_count(), 1);
    let other = Dataset::from_slices(tensor([1.0f32, 2.0, 3.0]))
        .map(|x| x + 1.0)
        .batch(2);
    assert_eq!(total(&other).item(), 9.0);
    assert_eq!(total::function().trace_count(), 2);
}

#[graph_fn]
fn twice(xs: Tensor<f32>, ys: Tensor<i32>) -> Tensor<f32> {
    let more = xs + 1.0;
    let (pos, neg) = by_sign(xs, ys.clone());
    let (again, _) = by_sign(more, ys);
    pos * 100.0 + neg * 10.0 + again
}

#[test]
fn a_called_function_begins_anew_in_each_call() {
    // The sums are 4, 2, and 2 + 4.
    assert_eq!(
        both(|| twice(tensor([1.0, 2.0, 3.0]), tensor([1, 0, 1])).item()),
        426.0
    );
}

#[graph_fn]
fn nested(epochs: Tensor<i32>, xs: Tensor<i32>) -> Tensor<i32> {
    let pairs = Dataset::from_slices(xs);
    let mut sum = tensor(0);
    for epoch in 0..epochs {
        for a in &pairs {
            for b in &pairs {
                sum += a * b + epoch;
            }
        }
    }
    sum
}

#[test]
fn each_loop_begins_at_the_first_element() {
    // Each epoch adds (1 + 2 + 3)², and 9 times its number.
    assert_eq!(
        both(|| nested(tensor(3), tensor([1, 2, 3])).item()),
        3 * 36 + 27
    );
}

#[graph_fn]
fn in_a_branch(take: Tensor<bool>, xs: Tensor<i32>) -> Tensor<i32> {
    let mut last = tensor(-1);
    if take {
        for x in Dataset::from_slices(xs) {
            last = x;
        }
    }
    last
}

#[test]
fn a_loop_in_a_branch_runs_if_the_branch_does() {
    assert_eq!(in_a_branch(tensor(true), tensor([4, 5])).item(), 5);
    assert_eq!(in_a_branch(tensor(false), tensor([4, 5])).item(), -1);
}

#[graph_fn]
fn order(seed: i64) -> Tensor<i64> {
    let mut order = TensorArray::<i64>::new(40);
    let dataset = Dataset::range(0..20).shuffle_with(8, seed, true).repeat(2);
    for (i, n) in dataset.enumerate() {
        order = order.write(i.cast::<i32>(), n);
    }
    order.stack()
}

#[test]
fn graphs_shuffle_as_their_eager_runs() {
    let _alone = alone();
    // Each call draws from the seed's stream, so the numbers after `set_seed` are the same.
    let orders = both(|| {
        random::set_seed(5);
        [order(11).to_vec(), order(11).to_vec()]
    });
    assert_ne!(orders[0], orders[1]);
    for order in orders {
        let (first, second) = order.split_at(20);
        assert_ne!(first, second, "a repetition has an order of its own");
        for half in [first, second] {
            let mut sorted = half.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..20).collect::<Vec<i64>>());
            // An element can't be drawn before the buffer has reached it.
            assert!(half.iter().enumerate().all(|(i, n)| *n < i as i64 + 8));
        }
    }
}

#[graph_fn]
fn scaled(xs: Tensor<f32>, scale: Tensor<f32>) -> Tensor<f32> {
    let mut sum = tensor(0.0);
    let dataset = Dataset::from_slices(xs)
        .map(|x| x * &scale)
        .filter(|x| x.gt(1.0));
    for x in dataset.prefetch(2) {
        sum += x;
    }
    sum
}

#[test]
fn functions_over_elements_take_tensors_of_the_trace() {
    let run = |scale| both(|| scaled(tensor([0.5, 1.0, 1.5]), tensor(scale)).item());
    assert_eq!(run(2.0), 5.0);
    assert_eq!(run(1.0), 1.5);
}

#[test]
fn a_generator_is_rust_code_that_runs_with_the_graph() {
    #[graph_fn]
    fn sum(dataset: &Dataset<(Tensor<f32, S1<2>>, Tensor<i32>)>) -> Tensor<f32> {
        let mut sum = tensor(0.0);
        for (pair, factor) in dataset {
            sum += (pair * factor.cast::<f32>()).sum();
        }
        sum
    }
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = runs.clone();
    let dataset = Dataset::from_generator(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        (0..3i32).map(|n| (Tensor::<f32, S1<2>>::of([1.0, 2.0]), tensor(n).dynamic()))
    });
    assert_eq!(sum(&dataset).item(), 9.0);
    assert_eq!(sum(&dataset).item(), 9.0);
    assert_eq!(runs.load(Ordering::Relaxed), 2, "tracing runs no generator");
    assert_eq!(sum::function().trace_count(), 1);
}

#[graph_fn]
fn counted(count: &Variable<i64>, dataset: &Dataset<Tensor<i64>>) -> Tensor<i64> {
    for n in dataset {
        count.assign_add(n);
        graph_assert!(count.read() < 10, "too many");
    }
    count.read()
}

#[test]
fn errors_of_a_run_name_the_iteration() {
    let count = Variable::new(tensor(0i64));
    assert_eq!(counted(&count, &Dataset::range(1..4)).item(), 6);
    let panic =
        std::panic::catch_unwind(|| counted(&Variable::new(tensor(5i64)), &Dataset::range(1..4)));
    let panic = panic.unwrap_err();
    let message = panic.downcast_ref::<String>().expect("an error's text");
    assert!(
        message.contains("too many") && message.contains("in iteration 3 of the loop"),
        "{message}"
    );
}

#[graph_fn]
fn wrong_shapes(rows: &Dataset<Tensor<i64>>) -> Result<Tensor<i64>, Error> {
    let mut sum = tensor(0i64);
    for row in rows {
        sum += row.sum();
    }
    Ok(sum)
}

#[test]
fn an_element_that_fails_fails_the_call() {
    let ragged = Dataset::from_generator(|| (1..3usize).map(|n| zeros::<i64>(&[n])));
    assert_eq!(wrong_shapes(&ragged).unwrap().item(), 0);
    let error = wrong_shapes(&ragged.batch(2)).unwrap_err();
    assert!(
        error
            .message()
            .starts_with("Cannot batch tensors with different shapes in component 0."),
        "{error}"
    );
}

#[test]
fn graph_text_holds_the_recipe() {
    let graph = batches::concrete(tensor([1, 2, 3]), 2)
        .unwrap()
        .graph()
        .to_string();
    assert!(
        graph.contains("begin_iteration enumerate(batch(skip(slices(1), 1), 2)) (xs) : int64[]"),
        "{graph}"
    );
    let parsed: Graph = graph.parse().unwrap();
    assert_eq!(parsed.to_string(), graph);
    let windows = graph.replace(
        "batch(skip(slices(1), 1), 2)",
        "window(skip(slices(1), 1), 2, 1, 3)",
    );
    let parsed: Graph = windows.parse().unwrap();
    assert_eq!(parsed.to_string(), windows);
    for (from, to, message) in [
        (
            "batch(",
            "butch(",
            "`butch` with 1 datasets and 1 numbers makes no dataset",
        ),
        (", 2))", ", 0))", "`batch` takes a number that isn't 0"),
        (
            "batch(skip(slices(1), 1), 2)",
            "window(skip(slices(1), 1), 2, 0, 1)",
            "`window` takes a number that isn't 0",
        ),
        (
            "slices(1)",
            "map(slices(1), 3)",
            "`map` in a dataset holds Rust code, which can't be read from text",
        ),
        ("(xs) : int64[]", "() : int64[]", "operands"),
    ] {
        assert!(graph.contains(from), "{from}");
        let error = graph.replacen(from, to, 1).parse::<Graph>().unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[graph_fn]
fn gradient(w: &Variable<f32>, xs: &Dataset<Tensor<f32>>) -> Tensor<f32> {
    let mut tape = GradientTape::new();
    let mut loss = tensor(0.0);
    for x in xs {
        loss += (w.read() * x).square();
    }
    tape.gradient(&loss, w).unwrap()
}

#[test]
fn a_loop_over_a_dataset_is_differentiated() {
    // d/dw Σ (w x)² = 2 w Σ x².
    let w = Variable::new(tensor(3.0));
    let xs = Dataset::from_slices(tensor([1.0, 2.0, 3.0]));
    assert_eq!(both(|| gradient(&w, &xs).item()), 2.0 * 3.0 * 14.0);
}
