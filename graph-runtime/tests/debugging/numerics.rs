//! Checked numerics: the op that first gives an infinity or NaN is named, wherever it runs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use graph_runtime::prelude::*;
use graph_runtime::{Error, debug};

use crate::logged;

#[graph_fn]
pub fn normalized(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let scaled = &x * 2.0 - 1.0;
    Ok(scaled.log() + 1.0)
}

pub const LOG_LINE: u32 = line!() - 3;

fn checked(x: &Tensor<f32>) -> Error {
    let _scope = debug::CHECK_NUMERICS.scope(true);
    normalized(x.clone()).unwrap_err()
}

#[test]
fn check_numerics_names_the_op_inside_a_fused_chain() {
    let x = tensor([1.0f32, 0.5, 0.0]);
    // mul, sub, log and add are one instruction, and an infinite result of it is no error without the check.
    assert!(!normalized(x.clone()).unwrap().to_vec()[1].is_finite());
    let error = checked(&x);
    assert_eq!(
        error.message(),
        "!!! Detected Infinity or NaN in output 0 of graph op \"log\" (# of outputs: 1) !!!\n  \
         dtype: float32\n  shape: (3,)\n  # of -Inf elements: 1\n  # of +NaN elements: 1\n\n  \
         Input tensor: float32[3], min -1, max 1, mean 0\n  Graph name: \"normalized\"\n\n : \
         Tensor had -Inf and NaN values"
    );
    assert_eq!(error.location().line, LOG_LINE);
    assert!(normalized(x).is_ok());
    assert_eq!(normalized::function().trace_count(), 1);
}

#[test]
fn check_numerics_is_for_eager_ops_too() {
    let _scopes = (debug::CHECK_NUMERICS.scope(true), debug::EAGER.scope(true));
    let error = normalized(tensor([0.5f32])).unwrap_err();
    let first = "!!! Detected Infinity or NaN in output 0 of eagerly-executing op \"log\" (# of outputs: 1) !!!";
    assert_eq!(error.message().lines().next(), Some(first));
    assert_eq!(error.location().line, LOG_LINE);
    assert_eq!(
        normalized(tensor([1.0f32])).unwrap().to_vec(),
        [1.0],
        "a finite result passes"
    );
}

#[graph_fn]
fn length(x: Tensor<f32>) -> Tensor<f32> {
    x.square().sum().sqrt()
}

#[test]
fn calls_that_a_tape_sees_and_their_gradients_are_checked() {
    let _scope = debug::CHECK_NUMERICS.scope(true);
    let x = tensor([1.0f32, 0.5, 0.0]);
    let tape = GradientTape::new();
    tape.watch(&x);
    let error = normalized(x.clone()).unwrap_err();
    let text = error.message();
    assert!(text.contains("graph op \"log\""), "{text}");
    assert!(text.contains("Graph name: \"normalized\""), "{text}");
    assert_eq!(error.location().line, LOG_LINE);

    let y = length(&x * 0.0);
    let failed = catch_unwind(AssertUnwindSafe(|| tape.gradient(&y, &x)));
    let text = *failed.unwrap_err().downcast::<String>().unwrap();
    assert!(
        text.contains("Graph name: \"gradient of length\""),
        "{text}"
    );
}

#[graph_fn]
fn unneeded(x: Tensor<f32>) -> Tensor<f32> {
    let _nobody_asks = x.log();
    x + 1.0
}

#[test]
fn an_op_that_nobody_needs_is_not_checked() {
    let _scope = debug::CHECK_NUMERICS.scope(true);
    assert_eq!(unneeded(tensor([0.0f32])).to_vec(), [1.0]);
}

#[graph_fn]
fn halved_down(x: Tensor<f32>, n: Tensor<i32>) -> Result<Tensor<f32>, Error> {
    let mut y = x.clone();
    for i in 0..n {
        if i > 0 {
            y = (1.0 / y).check_numerics("reciprocal");
        }
        y = y - 1.0;
    }
    (&y / 0.0).check_numerics("nobody needs it");
    Ok(y)
}

const RECIPROCAL_LINE: u32 = line!() - 8;

#[test]
fn a_value_is_checked_where_it_is_used() {
    assert_eq!(halved_down(tensor(3.0), tensor(2)).unwrap().item(), -0.5);
    // The operation with an infinite result isn't executed.
    assert_eq!(halved_down(tensor(1.0), tensor(1)).unwrap().item(), 0.0);
    let error = halved_down(tensor([1.0, 3.0]), tensor(2)).unwrap_err();
    let text = "reciprocal : Tensor had Inf values";
    assert!(error.message().starts_with(text), "{error}");
    assert_eq!(error.location().line, RECIPROCAL_LINE);
    let _scope = debug::EAGER.scope(true);
    let eager = halved_down(tensor([1.0, 3.0]), tensor(2)).unwrap_err();
    assert!(eager.message().starts_with(text), "{eager}");
}

#[graph_fn]
fn slope_of_root(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = x.check_numerics("radicand").sqrt();
    Ok(tape.gradient(&y, &x).unwrap())
}

#[test]
fn gradients_of_checked_values_are_checked() {
    assert_eq!(slope_of_root(tensor(4.0)).unwrap().item(), 0.25);
    // TensorFlow's `_CheckNumericsGrad`.
    let text = "Not a number (NaN) or infinity (Inf) values detected in gradient. radicand : Tensor had Inf values";
    let error = slope_of_root(tensor(0.0)).unwrap_err();
    assert!(error.message().starts_with(text), "{error}");
}

#[graph_fn]
fn add_logs(sum: &Variable<f32>, x: Tensor<f32>) {
    sum.assign_add(x.log());
    sum.assign_add(1.0);
}

#[test]
fn eager_updates_of_variables_are_looked_at() {
    let sum = Variable::new(tensor([f32::MAX, 1.0]));
    let scope = debug::CHECK_NUMERICS.scope(true);
    sum.assign_add(tensor([0.0, 1.0]));
    let failed = catch_unwind(AssertUnwindSafe(|| {
        sum.assign_add(tensor([f32::MAX, 1.0]));
    }));
    let text = failed
        .unwrap_err()
        .downcast_ref::<String>()
        .unwrap()
        .clone();
    let first = "!!! Detected Infinity or NaN in output 0 of eagerly-executing op \"add\" (# of outputs: 1) !!!";
    assert!(text.starts_with(first), "{text}");
    // The variable keeps its value.
    drop(scope);
    assert_eq!(sum.read().to_vec(), [f32::MAX, 2.0]);
    sum.assign_sub(tensor([f32::MAX, 2.0]));
    assert_eq!(sum.read().to_vec(), [0.0, 0.0]);
}

#[test]
fn updates_of_variables_are_looked_at() {
    let sum = Variable::new(tensor([f32::MAX]));
    let _scope = debug::CHECK_NUMERICS.scope(true);
    let lines = logged(|| {
        let _scope = debug::LOG_VALUES.scope(true);
        add_logs(&sum, tensor([1.0f32]));
    });
    assert!(
        lines.last().unwrap().starts_with("add_logs: add at "),
        "{lines:?}"
    );
    let failed = catch_unwind(AssertUnwindSafe(|| add_twice(&sum)));
    let message = *failed.unwrap_err().downcast::<String>().unwrap();
    assert!(
        message.contains("output 0 of graph op \"add\""),
        "{message}"
    );
}

#[graph_fn]
fn add_twice(sum: &Variable<f32>) {
    sum.assign_add(tensor([f32::MAX]));
}
