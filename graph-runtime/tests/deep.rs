//! Deeply nested programs, on threads with small stacks: they work, or end in an error that names the user's line. No stack overflows.

use std::sync::{PoisonError, RwLock};
use std::thread;

use graph_runtime::graph::Graph;
use graph_runtime::{Result, cond, prelude::*, recursion_limit, set_recursion_limit, while_loop};

/// Held for writing while the limit is changed.
static LIMIT: RwLock<()> = RwLock::new(());

/// Runs on a thread with a stack of this many megabytes, with the default limit.
fn on<R: Send + 'static>(megabytes: usize, run: fn() -> R) -> R {
    let _unchanged = LIMIT.read().unwrap_or_else(PoisonError::into_inner);
    let thread = thread::Builder::new().stack_size(megabytes << 20);
    thread.spawn(run).unwrap().join().unwrap()
}

/// The same with a higher limit.
fn raised<R: Send + 'static>(limit: usize, megabytes: usize, run: fn() -> R) -> R {
    let _alone = LIMIT.write().unwrap_or_else(PoisonError::into_inner);
    let before = recursion_limit();
    set_recursion_limit(limit);
    let thread = thread::Builder::new().stack_size(megabytes << 20);
    let result = thread.spawn(run).unwrap().join();
    set_recursion_limit(before);
    result.unwrap()
}

/// Checks an error of the default limit: it names this file, and the function that raises the limit.
fn names_this_file(error: &str) {
    assert!(error.contains("nest deeper than 256"), "{error}");
    assert!(error.contains("tests/deep.rs:"), "{error}");
    assert!(error.contains("set_recursion_limit"), "{error}");
}

/// Nested conditions, by a recursive function of plain Rust.
fn conditions(x: Tensor<f64>, depth: usize) -> Tensor<f64> {
    if depth == 0 {
        return x;
    }
    cond(
        x.gt(depth as f64),
        || x.clone(),
        || conditions(&x + 1.0, depth - 1) * 0.5,
    )
}

/// The same as `conditions` and `recursion`, over Rust numbers.
fn plain_conditions(x: f64, depth: usize) -> f64 {
    match depth {
        0 => x,
        _ if x > depth as f64 => x,
        _ => plain_conditions(x + 1.0, depth - 1) * 0.5,
    }
}

#[graph_fn]
fn nested(x: Tensor<f64>, depth: usize) -> Result<Tensor<f64>> {
    Ok(conditions(x, depth))
}

/// A graph function that calls itself, each time in a branch with a tensor condition.
#[graph_fn]
fn recursion(x: Tensor<f64>, depth: usize) -> Result<Tensor<f64>> {
    if depth == 0 {
        return Ok(x);
    }
    let mut y = x.clone() + 1.0;
    if x < 1000.0 {
        y = recursion(x + 1.0, depth - 1)? * 0.5;
    }
    Ok(y)
}

#[graph_fn]
fn nested_loops(x: Tensor<f64>, depth: usize) -> Result<Tensor<f64>> {
    fn at(x: Tensor<f64>, depth: usize) -> Tensor<f64> {
        if depth == 0 {
            return x + 1.0;
        }
        let (_, x) = while_loop(
            |(i, _)| i.lt(1),
            |(i, x)| (i + 1, at(x, depth - 1)),
            (tensor(0), x),
        );
        x
    }
    Ok(at(x, depth))
}

#[test]
fn what_nests_too_deep_is_an_error_with_the_line() {
    on(2, || {
        let x = || tensor(1.0);
        names_this_file(&nested(x(), 300).unwrap_err().to_string());
        names_this_file(&nested(x(), 100_000).unwrap_err().to_string());
        names_this_file(&recursion(x(), 500).unwrap_err().to_string());
        names_this_file(&nested_loops(x(), 1000).unwrap_err().to_string());
        // After these errors the functions still work.
        assert_eq!(nested(x(), 20).unwrap().item(), plain_conditions(1.0, 20));
        assert_eq!(recursion(x(), 3).unwrap().item(), 0.5);
    });
}

#[test]
fn what_the_limit_allows_works_on_a_thread_of_two_megabytes() {
    on(2, || {
        assert_eq!(
            nested(tensor(1.0), 250).unwrap().item(),
            plain_conditions(1.0, 250)
        );
        assert_eq!(
            recursion(tensor(0.0), 120).unwrap().item(),
            120.0 / 2f64.powi(120)
        );
        assert_eq!(nested_loops(tensor(0.0), 200).unwrap().item(), 1.0);
    });
}

#[test]
fn with_a_higher_limit_a_thread_of_eight_megabytes_goes_a_thousand_deep() {
    raised(2100, 8, || {
        assert_eq!(
            nested(tensor(1.0), 1000).unwrap().item(),
            plain_conditions(1.0, 1000)
        );
        assert_eq!(
            recursion(tensor(0.0), 1000).unwrap().item(),
            1000.0 / 2f64.powi(1000)
        );
        let trace = nested::concrete(tensor(1.0), 1000).unwrap();
        for graph in [trace.graph(), trace.optimized_graph()] {
            assert!(graph.to_string().len() > 1000 && graph.to_dot().len() > 1000);
            assert!(*graph == graph.clone());
        }
    });
}

/// The sum of the numbers from 1 to `n`, by recursion.
#[graph_fn]
fn sum(n: u64) -> u64 {
    if n == 0 { 0 } else { n + sum(n - 1) }
}

/// A depth-first search: recursion in a loop, with what has been visited in a `&mut` parameter.
#[graph_fn]
fn visit(node: usize, edges: &[Vec<usize>], order: &mut Vec<usize>) {
    for next in &edges[node] {
        if !order.contains(next) {
            visit(*next, edges, order);
        }
    }
    order.push(node);
}

#[graph_fn]
fn without_end(n: u64) -> Result<u64> {
    Ok(1 + without_end(n + 1)?)
}

#[test]
fn recursion_that_meets_no_tensor_goes_deeper_than_plain_rust() {
    on(2, || {
        // More than 48 bytes a call, the least that plain Rust takes, would leave room for.
        assert_eq!(sum(50_000), 50_000 * 50_001 / 2);
        let chain = (1..3000).map(|next| vec![next]).chain([vec![]]);
        let mut order = Vec::new();
        visit(0, &chain.collect::<Vec<_>>(), &mut order);
        assert!(order.into_iter().eq((0..3000).rev()));
    });
}

#[test]
fn recursion_without_an_end_is_an_error_with_the_line() {
    on(2, || {
        let error = without_end(0).unwrap_err().to_string();
        assert!(error.contains("`without_end` recurses"), "{error}");
        assert!(error.contains("tests/deep.rs:"), "{error}");
        // The stack is as it was.
        assert_eq!(sum(10_000), 10_000 * 10_001 / 2);
    });
}

/// Early returns one after the other: the graph is nested where the code isn't.
macro_rules! flat {
    ($($step:literal)*) => {
        #[graph_fn]
        fn leaves(mut x: Tensor<f64>) -> Tensor<f64> {
            $(
                x += $step;
                if x > 1000.0 {
                    return x;
                }
            )*
            -x
        }

        const RETURNS: usize = [$($step),*].len();
    };
}
flat! {
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
        0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5
}

#[test]
fn code_that_is_flat_has_no_limit() {
    assert_eq!(RETURNS, 360);
    on(2, || {
        assert_eq!(leaves(tensor(900.0)).item(), 1000.5);
        assert_eq!(leaves(tensor(0.0)).item(), -180.0);
    });
}

#[graph_fn]
fn slope(x: Tensor<f64>, depth: usize) -> Option<Tensor<f64>> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = conditions(x.clone(), depth);
    tape.gradient(&y, &x)
}

#[test]
fn deep_programs_are_differentiated() {
    on(2, || {
        let expected = 0.5f64.powi(200);
        assert_eq!(slope(tensor(-1e6), 200).unwrap().item(), expected);
        let (_, forward) = jvp(
            |x: &Tensor<f64>| conditions(x.clone(), 200),
            &tensor(-1e6),
            &tensor(1.0),
        );
        assert_eq!(forward.item(), expected);
        #[graph_fn]
        fn traced(x: Tensor<f64>) -> Tensor<f64> {
            jvp(
                |x: &Tensor<f64>| conditions(x.clone(), 200),
                &x,
                &tensor(1.0),
            )
            .1
        }
        assert_eq!(traced(tensor(-1e6)).item(), expected);
    });
}

#[test]
fn a_chain_of_datasets_has_the_limit() {
    let chained =
        |length: usize| (0..length).fold(Dataset::range(0..3), |dataset, _| dataset.take(2));
    let chain_of_all = || {
        let mut dataset = Dataset::range(0..3);
        for _ in 0..100_000 {
            dataset = dataset.map(|x| x + 1);
        }
        dataset.len()
    };
    let error = thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || std::panic::catch_unwind(chain_of_all).unwrap_err())
        .unwrap()
        .join()
        .unwrap();
    let error = error
        .downcast_ref::<String>()
        .expect("the error is the panic's text");
    names_this_file(error);
    assert_eq!(chained(250).iter().count(), 2);
    raised(1200, 8, || {
        let dataset = (0..1000).fold(Dataset::range(0..3), |dataset, _| dataset.map(|x| x + 1));
        let values: Vec<i64> = dataset.iter().map(|x| x.item()).collect();
        assert_eq!(values, [1000, 1001, 1002]);
    });
}

#[test]
fn a_tape_of_many_ops_has_no_depth() {
    on(2, || {
        let x = tensor(1.0);
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = (0..200_000).fold(x.clone(), |y, _| y + 1.0);
        assert_eq!(tape.gradient(&y, &x).unwrap().item(), 1.0);
    });
}

#[test]
fn text_that_nests_deep_is_an_error() {
    on(2, || {
        let deep = "p = constant true : bool[] cond p () { then () {".repeat(100_000);
        let error = format!("graph () -> () {{ {deep}")
            .parse::<Graph>()
            .unwrap_err();
        assert!(error.to_string().contains("nest deeper than 64"), "{error}");
    });
}

/// Nested loops whose bodies save values before and after the inner loop. The number of iterations depends on the outer loops.
fn saving(x: Tensor<f64>, weight: &Tensor<f64>, depth: usize, times: Tensor<i32>) -> Tensor<f64> {
    if depth == 0 {
        return (x * weight).sin();
    }
    let body = |(i, x): (Tensor<i32>, Tensor<f64>)| {
        let before = (&x * 1.1).cos();
        let inside = saving(before.clone(), weight, depth - 1, &i + 1);
        (i + 1, (inside + weight).tanh() * 0.3 + x * before.mean())
    };
    while_loop(|(i, _)| i.lt(times.clone()), body, (tensor(0), x)).1
}

#[graph_fn]
fn slopes(x: Tensor<f64>, weight: Tensor<f64>, depth: usize) -> (Tensor<f64>, Tensor<f64>) {
    let tape = GradientTape::new();
    tape.watch((&x, &weight));
    let y = saving(x.clone(), &weight, depth, times(depth)).sum();
    tape.gradient_or_zeros(&y, (&x, &weight))
}

#[test]
fn loops_in_loops_are_differentiated_as_eager_code_is() {
    for depth in [1, 2, 3, 4, 24] {
        let (x, weight) = (tensor([0.4, -0.2]), tensor([0.7, 0.1]));
        let tape = GradientTape::new();
        tape.watch((&x, &weight));
        let y = saving(x.clone(), &weight, depth, times(depth)).sum();
        let eagerly = tape.gradient_or_zeros(&y, (&x, &weight));
        let traced = slopes(x, weight, depth);
        for (a, b) in [(eagerly.0, traced.0), (eagerly.1, traced.1)] {
            for (a, b) in a.to_vec().into_iter().zip(b.to_vec()) {
                assert!(
                    (a - b).abs() <= 1e-12 * a.abs().max(1.0),
                    "{depth} deep: {a} and {b}"
                );
            }
        }
    }
}

/// The number of iterations: two, but one if the nesting is deep.
fn times(depth: usize) -> Tensor<i32> {
    tensor(if depth > 10 { 1 } else { 2 })
}
