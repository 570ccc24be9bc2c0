//! `map_fn`, `fold`, `scan`, `reduce` and `accumulate`, as graphs and eagerly.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use graph_runtime::prelude::*;
use graph_runtime::{
    accumulate, accumulate_right, collect_prints, fold_right, reduce, reduce_right, scan_right,
};

/// The switch to eager runs belongs to the process: tests that use it run one after the other.
fn my_turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of `f`, as a graph and eagerly.
fn both<R>(f: impl Fn() -> R) -> [R; 2] {
    let _turn = my_turn();
    let graph = f();
    run_functions_eagerly(true);
    let eager = f();
    run_functions_eagerly(false);
    [graph, eager]
}

/// The message of the panic with which `f` ends.
fn message<R>(f: impl FnOnce() -> R) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).err().expect("it panics");
    payload
        .downcast_ref::<String>()
        .cloned()
        .unwrap_or_default()
}

#[test]
fn a_function_is_mapped_over_rows_of_several_tensors_to_several_dtypes() {
    #[graph_fn]
    fn mapped(x: Tensor<i32>, y: Tensor<f32>) -> (Tensor<f32>, Tensor<bool>) {
        map_fn(
            |(x, y)| {
                let small = y.lt(1.0);
                (x.cast::<f32>() * y, small)
            },
            &(x, y),
        )
    }
    let x = tensor([[1, 2], [3, 4], [5, 6]]);
    let y = tensor([0.5f32, 1.0, 2.0]);
    for (products, small) in both(|| mapped(x.clone(), y.clone())) {
        assert_eq!(products.array().shape(), [3, 2]);
        assert_eq!(products.to_vec(), [0.5, 1.0, 3.0, 4.0, 10.0, 12.0]);
        assert_eq!(small.to_vec(), [true, false, false]);
    }
    let graph = mapped::function().latest().unwrap().graph().to_string();
    assert!(graph.contains("-> (float32[3,2], bool[3]) {"), "{graph}");
}

#[test]
fn a_mapped_function_has_control_flow_and_effects_of_its_own() {
    #[graph_fn]
    fn steps(x: Tensor<i32>) -> Tensor<i32> {
        map_fn(
            |x| {
                let mut steps = tensor(0);
                let mut n = x.clone();
                while n > 1 {
                    n = if n % 2 == 0 { &n / 2 } else { &n * 3 + 1 };
                    steps += 1;
                }
                graph_print!("{} takes {}", x, steps);
                steps
            },
            &x,
        )
    }
    let run = || collect_prints(|| steps(tensor([6, 1, 7])).to_vec());
    for (steps, lines) in both(run) {
        assert_eq!(steps, [8, 0, 16]);
        assert_eq!(lines, ["6 takes 8", "1 takes 0", "7 takes 16"]);
    }
}

#[test]
fn no_rows_give_no_rows_and_run_nothing() {
    #[graph_fn]
    fn doubled(x: Tensor<f32>) -> Tensor<f32> {
        map_fn(
            |row| {
                graph_print!("a row");
                row * 2.0
            },
            &x,
        )
    }
    let run = || collect_prints(|| doubled(zeros(&[0, 3])));
    let [(graph, lines), (eager, eager_lines)] = both(run);
    assert_eq!(
        (graph.array().shape(), eager.array().shape()),
        (&[0, 3][..], &[0][..])
    );
    assert!(lines.is_empty() && eager_lines.is_empty());
}

#[test]
fn states_are_folded_and_scanned_in_both_directions() {
    #[graph_fn]
    fn digits(x: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>) {
        let step = |number: Tensor<i32>, digit: Tensor<i32>| number * 10 + digit;
        (
            fold(step, &x, tensor(4)),
            fold_right(step, &x, tensor(4)),
            scan(step, &x, tensor(4)),
            scan_right(step, &x, tensor(4)),
        )
    }
    for (left, right, scanned, backwards) in both(|| digits(tensor([1, 2, 3]))) {
        assert_eq!((left.item(), right.item()), (4123, 4321));
        assert_eq!(scanned.to_vec(), [41, 412, 4123]);
        assert_eq!(backwards.to_vec(), [4321, 432, 43]);
    }
    for (left, right, scanned, _) in both(|| digits(zeros(&[0]))) {
        assert_eq!((left.item(), right.item()), (4, 4));
        assert_eq!(scanned.array().shape(), [0]);
    }
}

#[test]
fn the_number_of_rows_may_be_known_only_when_run() {
    #[graph_fn]
    fn fibonacci(n: Tensor<i32>) -> Tensor<i32> {
        let (numbers, _) = scan(
            |(a, b), _| (b.clone(), a + b),
            &range(0, n, 1),
            (tensor(0), tensor(1)),
        );
        numbers
    }
    for n in [7, 0, 1] {
        for numbers in both(|| fibonacci(tensor(n))) {
            assert_eq!(numbers.to_vec(), [1, 1, 2, 3, 5, 8, 13][..n as usize]);
        }
    }
}

#[test]
fn mistakes_are_named() {
    #[graph_fn]
    fn scalar(x: Tensor<i32>) -> Tensor<i32> {
        map_fn(|x| x, &x)
    }
    #[graph_fn]
    fn pairs(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
        map_fn(|(x, y)| x + y, &(x, y))
    }
    #[graph_fn]
    fn ranges(x: Tensor<i32>) -> Tensor<i32> {
        map_fn(|n| range(0, n, 1), &x)
    }
    #[graph_fn]
    fn growing(x: Tensor<i32>) -> Tensor<i32> {
        fold(|s, x| concat([s, x.reshape(&[1])], 0), &x, tensor([0]))
    }
    let scalars = both(|| message(|| scalar(tensor(1))));
    assert!(scalars[0].contains("must be 1+ dimensional Tensors, not scalars"));
    assert!(scalars[1].contains("must be 1+ dimensional Tensors, not scalars"));
    for message in both(|| message(|| pairs(tensor([1, 2]), tensor([3, 4, 5])))) {
        assert!(
            message.contains("Dimensions 2 and 3 are not compatible"),
            "{message}"
        );
    }
    for message in both(|| message(|| ranges(tensor([1, 2])).to_vec())) {
        assert!(
            message.contains("shapes: saw [2]")
                || message.contains("Item element shape: [2] list shape: [1]"),
            "{message}"
        );
    }
    let message = message(|| growing(tensor([1, 2])));
    assert!(
        message.contains("'state' has shape [1] before the loop, but shape [2] after"),
        "{message}"
    );
}

#[test]
fn without_an_initial_state_the_first_row_is_the_state() {
    #[graph_fn]
    fn reduced(x: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>) {
        // The number of the remaining rows is known only in the run.
        let x = x.boolean_mask(&x.ge(0));
        let digits = |number: Tensor<i32>, digit: Tensor<i32>| number * 10 + digit;
        (
            reduce(digits, &x),
            reduce_right(digits, &x),
            accumulate(digits, &x),
            accumulate_right(digits, &x),
        )
    }
    for (first, last, all, back) in both(|| reduced(tensor([1, -1, 2, 3]))) {
        assert_eq!((first.item(), last.item()), (123, 321));
        assert_eq!(all.to_vec(), [1, 12, 123]);
        assert_eq!(back.to_vec(), [321, 32, 3]);
    }
    for (first, last, all, back) in both(|| reduced(tensor([7, -1]))) {
        assert_eq!((first.item(), last.item()), (7, 7));
        assert_eq!((all.to_vec(), back.to_vec()), (vec![7], vec![7]));
    }
    for text in both(|| message(|| reduced(tensor([-1])))) {
        assert!(
            text.contains("slice index 0 of dimension 0 out of bounds."),
            "{text}"
        );
    }
}

#[test]
fn rows_of_several_tensors_are_accumulated() {
    let pairs = (tensor([1, 2, 3]), tensor([[1.0], [2.0], [4.0]]));
    let (sums, products) = both(|| accumulate(|(a, b), (x, y)| (a + x, b * y), &pairs))[0].clone();
    assert_eq!(sums.to_vec(), [1, 3, 6]);
    assert_eq!(products.array().shape(), [3, 1]);
    assert_eq!(products.to_vec(), [1.0, 2.0, 8.0]);
}
