//! What goes wrong on a GPU: bad operands, too little memory, launches that fail. Errors are those of the CPU, and nothing is lost.

use std::sync::{Mutex, MutexGuard, PoisonError};

use graph_cuda_fake::control;
use graph_runtime::device::{self, Device};
use graph_runtime::prelude::*;

/// The emulated driver's switches are those of the whole process, so one test runs at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn gpu() -> Device {
    graph_cuda_shim::use_functions(graph_cuda_fake::symbol);
    graph_cuda::device(0).unwrap_or_else(|reason| panic!("{reason}"))
}

#[graph_fn]
fn quotients(x: Tensor<i32>, y: Tensor<i32>) -> graph_runtime::Result<Tensor<i32>> {
    let doubled = &x * 2;
    let quotient = doubled / y;
    Ok(quotient + 1)
}

#[graph_fn]
fn row(x: Tensor<f32>, i: Tensor<i64>) -> graph_runtime::Result<Tensor<f32>> {
    let found = x.gather(&i);
    Ok(found * 2.0)
}

#[graph_fn]
fn add_quotient(
    v: &Variable<i32>,
    x: Tensor<i32>,
    y: Tensor<i32>,
) -> graph_runtime::Result<Tensor<i32>> {
    v.assign_add(&x);
    let quotient = x / y;
    v.assign_add(&quotient);
    Ok(quotient)
}

/// Numbers that only the device knows, for they are too many to be kept on the host.
fn many(value: i32) -> Tensor<i32> {
    tensor(vec![value; 100])
}

/// The message and the line of an error.
fn shown<T>(result: graph_runtime::Result<T>) -> (String, u32) {
    match result {
        Ok(_) => panic!("nothing failed"),
        Err(error) => (error.message().to_owned(), error.location().line),
    }
}

#[test]
fn a_wrong_operand_gives_the_cpus_error_in_the_first_run_and_in_recorded_ones() {
    let _alone = alone();
    let zero_at_60 = || {
        let mut values = vec![3; 100];
        values[60] = 0;
        tensor(values)
    };
    let expected = shown(quotients(many(7), zero_at_60()));
    let outside = || tensor(vec![0i64, 1, 2, 3, 4, 5, 6, 7, 11]);
    let x = || tensor(vec![1.0f32; 70]).reshape([10, 7]);
    let expected_row = shown(row(x(), outside()));
    let _scope = device::scope(gpu());
    for call in 0..6 {
        // Every other call is right, so that the wrong ones meet a recorded program.
        let right = quotients(many(7), many(3)).unwrap();
        assert_eq!(right.to_vec(), [5; 100], "call {call}");
        assert_eq!(
            shown(quotients(many(7), zero_at_60())),
            expected,
            "call {call}"
        );
        assert_eq!(shown(row(x(), outside())), expected_row, "call {call}");
    }
}

#[test]
fn an_error_leaves_variables_as_the_assignments_before_it_made_them() {
    let _alone = alone();
    let calls = || {
        let v = Variable::new(many(1));
        let mut seen = Vec::new();
        for divisor in [2, 2, 2, 0, 2, 0] {
            let result = add_quotient(&v, many(10), many(divisor));
            seen.push((result.is_ok(), v.read().to_vec()[0]));
        }
        seen
    };
    let expected = calls();
    let _scope = device::scope(gpu());
    graph_cuda::check_each_call(true);
    let found = calls();
    graph_cuda::check_each_call(false);
    assert_eq!(found, expected);
}

#[test]
fn too_little_memory_is_an_error_and_the_next_call_works() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let x = many(5);
    control::set_memory(1 << 20);
    let large = std::panic::catch_unwind(|| many(1).broadcast_to([100_000, 100]));
    control::set_memory(1 << 34);
    let message = large
        .err()
        .and_then(|panic| panic.downcast_ref::<String>().cloned());
    let message = message.expect("a message");
    assert!(message.contains("out of memory"), "{message}");
    assert_eq!((x * 2).to_vec(), [10; 100]);
}

#[test]
fn the_memory_of_values_that_nobody_holds_is_freed() {
    let _alone = alone();
    let _scope = device::scope(gpu());
    let sum = || (many(1) + many(2)).to_vec();
    // The thread's word for faults is allocated with the first op.
    sum();
    let before = control::counts().live_allocations;
    for _ in 0..10 {
        sum();
    }
    assert_eq!(control::counts().live_allocations, before);
}
