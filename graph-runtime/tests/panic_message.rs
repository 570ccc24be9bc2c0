//! What a program prints that panics while it is traced: the error that the trace recorded before the panic comes first.

use std::process::Command;

use graph_runtime::prelude::*;

const CHILD: &str = "PANICS_WHILE_TRACING";

#[graph_fn]
fn best_row(x: Tensor<f32>) -> Tensor<f32> {
    let mut best = None;
    for row in x {
        best = Some(row);
    }
    best.unwrap()
}

/// Runs only as the program that the other test starts.
#[test]
fn program() {
    if std::env::var_os(CHILD).is_some() {
        best_row(tensor([1.0, 2.0]));
    }
}

#[test]
fn the_recorded_error_comes_before_the_panic_that_it_caused() {
    let tests = std::env::current_exe().expect("this program");
    let arguments = ["program", "--exact", "--nocapture"];
    let run = Command::new(tests).args(arguments).env(CHILD, "1").output();
    let printed = String::from_utf8(run.expect("it runs").stderr).expect("text");
    let recorded = printed.find("'best' must have the same structure");
    let panicked = printed.find("called `Option::unwrap()` on a `None` value");
    assert!(recorded.is_some() && panicked.is_some(), "{printed}");
    assert!(recorded < panicked, "{printed}");
}
