//! What a program prints that panics while it is traced: the error that the trace recorded before the panic comes first; for a branch, a note
//! that its code runs while tracing.

use std::process::Command;

use graph_runtime::prelude::*;

const CHILD: &str = "PANICS_WHILE_TRACING";

#[graph_fn]
fn best_row(x: Tensor<f32>, rows: Tensor<i32>) -> Tensor<f32> {
    let mut best = None;
    for row in 0..rows {
        best = Some(x[row]);
    }
    best.unwrap()
}

#[graph_fn]
fn scaled(x: Tensor<f32>, factors: &[f32]) -> Tensor<f32> {
    if x > 0.0 { x * factors[3] } else { x }
}

#[graph_fn]
fn scaled_always(x: Tensor<f32>, factors: &[f32]) -> Tensor<f32> {
    x * factors[3]
}

/// Runs only as the program that another test starts.
#[test]
fn program() {
    match std::env::var(CHILD).as_deref() {
        Ok("best_row") => drop(best_row(tensor([1.0, 2.0]), tensor(2))),
        Ok("scaled") => drop(scaled(tensor(-1.0), &[2.0])),
        Ok("scaled_always") => drop(scaled_always(tensor(-1.0), &[2.0])),
        _ => {}
    }
}

/// What the program prints that calls one of these functions.
fn printed_by(function: &str) -> String {
    let tests = std::env::current_exe().expect("this program");
    let arguments = ["program", "--exact", "--nocapture"];
    let run = Command::new(tests)
        .args(arguments)
        .env(CHILD, function)
        .output();
    String::from_utf8(run.expect("it runs").stderr).expect("text")
}

#[test]
fn the_recorded_error_comes_before_the_panic_that_it_caused() {
    let printed = printed_by("best_row");
    let recorded = printed.find("'best' must have the same structure");
    let panicked = printed.find("called `Option::unwrap()` on a `None` value");
    assert!(recorded.is_some() && panicked.is_some(), "{printed}");
    assert!(recorded < panicked, "{printed}");
}

const NOTE: &str = "Rust code there runs while tracing";

#[test]
fn a_panic_in_a_branch_that_no_run_takes_says_why_it_ran() {
    let printed = printed_by("scaled");
    assert!(
        printed.contains("the len is 1 but the index is 3"),
        "{printed}"
    );
    assert!(printed.contains(NOTE), "{printed}");
}

#[test]
fn a_panic_outside_of_branches_needs_no_note() {
    for function in ["scaled_always", "best_row"] {
        let printed = printed_by(function);
        assert!(
            printed.contains("panicked at") && !printed.contains(NOTE),
            "{printed}"
        );
    }
}
