//! A walk through graph functions: when they are traced and when they run, what they keep, and how Rust's control flow becomes a graph.
//!
//! ```text
//! cargo run --release --example tour
//! ```

use graph_runtime::prelude::*;

fn main() {
    for (title, section) in [
        ("A first function", first_function as fn()),
        ("Signatures", signatures),
        ("The generated code", generated_code),
        ("The graph", graph),
        ("Control flow", control_flow),
        ("Rust values", rust_values),
        ("Without a graph", eagerly),
        ("Errors", errors),
    ] {
        println!("\n── {title} {}\n", "─".repeat(70 - title.len()));
        section();
    }
}

/// `println!` is Rust code and runs while the function is traced. `graph_print!` is part of the graph.
#[graph_fn]
fn mean_squared_error(truth: Tensor<f32>, guess: Tensor<f32>) -> Tensor<f32> {
    println!("  (the body runs with {truth:?})");
    let error = (truth - guess).square().mean();
    graph_print!("  the error is {error}");
    error
}

fn first_function() {
    println!("The first call traces the Rust code, which makes a graph, and runs the graph:");
    mean_squared_error(tensor([1.0, 2.0]), tensor([2.0, 4.0]));
    println!("The second one only runs the graph; `println!` stays silent:");
    let error: f32 = mean_squared_error(tensor([1.0, 2.0]), tensor([1.0, 3.0])).item();
    println!("As a Rust number it is {error}.");
}

/// There is one graph for each dtype and shape, and for each value of a Rust argument.
#[graph_fn]
fn scale(x: Tensor<f32>, times: usize) -> Tensor<f32> {
    x * times as f32
}

fn signatures() {
    scale(tensor(1.0), 2);
    scale(tensor(7.0), 2);
    println!(
        "Two calls with a scalar and 2: {} trace.",
        scale::function().trace_count()
    );
    scale(tensor([1.0, 2.0]), 2);
    println!(
        "A vector has another shape:    {} traces.",
        scale::function().trace_count()
    );
    scale(tensor([1.0, 2.0]), 3);
    println!(
        "3 is another Rust value:       {} traces.\n",
        scale::function().trace_count()
    );
    println!("{}", scale::function().pretty_signatures());
}

/// The type of the condition decides: an `if` over a `Tensor<bool>` becomes part of the graph.
#[graph_fn]
fn square_if_positive(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 { x * x } else { 0 }
}

fn generated_code() {
    println!(
        "The attribute leaves Rust code in which types choose between Rust's control flow and the graph's:\n"
    );
    println!("{}", square_if_positive::to_code());
    println!(
        "2 gives {}, -2 gives {}.",
        square_if_positive(tensor(2)),
        square_if_positive(tensor(-2))
    );
}

/// Computes more than it needs, so that the optimizer has something to do.
#[graph_fn]
fn wordy(x: Tensor<f32>) -> Tensor<f32> {
    let _unused = x.exp();
    let six = tensor(2.0) * tensor(3.0);
    if six > 5.0 { (x + 1.0) * (x + 1.0) } else { x }
}

fn graph() {
    println!("wordy(2) is {}. As it was traced:\n", wordy(tensor(2.0)));
    let concrete = wordy::concrete(tensor(2.0)).expect("it can be traced");
    println!("{}", concrete.graph());
    println!("As it runs, optimized:\n\n{}", concrete.optimized_graph());
}

/// `for` over the rows of a tensor, with `continue`: one loop of the graph, for any number of rows.
#[graph_fn]
fn sum_even(items: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for item in items {
        if item % 2 > 0 {
            continue;
        }
        sum += item;
    }
    sum
}

#[graph_fn]
fn next_collatz(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!("  {x}");
    if x % 2 == 0 { x / 2 } else { 3 * x + 1 }
}

/// `while`, and a call of another graph function.
#[graph_fn]
fn collatz_steps(start: Tensor<i32>) -> Tensor<i32> {
    let mut x = start;
    let mut steps = tensor(0);
    while x != 1 {
        x = next_collatz(x);
        steps += 1;
    }
    steps
}

fn control_flow() {
    println!(
        "The even ones of 10, 12, 15, 20 make {}.",
        sum_even(tensor([10, 12, 15, 20]))
    );
    println!("The numbers that lead from 6 to 1:");
    println!("That was {} steps.", collatz_steps(tensor(6)));
}

/// Control flow over Rust values runs while tracing: the loop is unrolled, and the graph has only one side of the `if`.
#[graph_fn]
fn power(x: Tensor<f32>, exponent: usize, inverse: bool) -> Tensor<f32> {
    let mut product = tensor(1.0);
    for _ in 0..exponent {
        product *= x;
    }
    if inverse { 1.0 / product } else { product }
}

fn rust_values() {
    println!(
        "2 to the power of 3 is {}, of -2 it is {}.\n",
        power(tensor(2.0), 3, false),
        power(tensor(2.0), 2, true)
    );
    let concrete = power::function().latest().expect("it has been called");
    println!(
        "The second one's graph knows neither loop nor branch:\n\n{}",
        concrete.optimized_graph()
    );
}

fn eagerly() {
    run_functions_eagerly(true);
    println!(
        "Now every function runs as plain Rust on tensors with values, so that `println!` shows them:"
    );
    mean_squared_error(tensor([1.0, 2.0]), tensor([1.0, 3.0]));
    run_functions_eagerly(false);
}

/// A function that returns a `Result` returns the errors of its graph; other functions panic with the same text.
#[graph_fn]
fn checked_root(x: Tensor<f32>) -> Result<Tensor<f32>, graph_runtime::Error> {
    assert!(x >= 0.0, "only positive numbers have a real root");
    Ok(x.sqrt())
}

#[graph_fn]
fn product(a: Tensor<f32>, b: Tensor<f32>) -> Result<Tensor<f32>, graph_runtime::Error> {
    Ok(a.matmul(&b))
}

fn errors() {
    println!("An error names what went wrong, and the line of the program:\n");
    let errors = [
        (
            "while tracing",
            product(tensor([[1.0, 2.0]]), tensor([[3.0, 4.0]])).err(),
        ),
        ("while running", checked_root(tensor(-4.0)).err()),
    ];
    for (when, error) in errors {
        println!("{when}: {}\n", error.expect("this call fails"));
    }
    let root = checked_root(tensor(4.0)).expect("a positive number");
    println!("Nothing is left behind by an error: the root of 4 is {root}.");
}
