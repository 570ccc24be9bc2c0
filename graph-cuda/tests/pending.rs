//! Steps of a training whose operands may be wrong, on an emulated driver: the host doesn't wait for each, and what is wrong shows with the next call or
//! when a value is read. Nothing is lost.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use graph_cuda_fake::control::{self, counts};
use graph_runtime::prelude::*;
use graph_runtime::{Result, device};

use common::{alone, gpu, is_real};

/// A step that looks up rows, whose positions may be out of range.
#[graph_fn]
fn step(table: &Variable<f32>, total: &Variable<f32>, rows: Tensor<i64>) -> Result<Tensor<f32>> {
    let found = table.read().gather(&rows);
    total.assign_add(found.sum_axis(1).sum());
    table.assign_sub(table.read() * 0.125);
    Ok(found)
}

struct Model {
    table: Variable<f32>,
    total: Variable<f32>,
}

impl Model {
    fn new() -> Model {
        let numbers = (0..160).map(|i| (i % 9) as f32).collect();
        Model {
            table: Variable::new(Tensor::from_vec(&[16, 10], numbers).unwrap()),
            total: Variable::new(tensor(0.0)),
        }
    }

    fn step(&self, last: i64) -> Result<Tensor<f32>> {
        let mut rows: Vec<i64> = (0..20).map(|i| i % 16).collect();
        rows[19] = last;
        step(&self.table, &self.total, tensor(rows))
    }

    fn values(&self) -> Vec<f32> {
        let mut all = self.table.read().to_vec();
        all.push(self.total.read().item());
        all
    }
}

/// What the CPU has after right calls and a wrong one, and the error of that one.
fn on_cpu(before: usize, after: usize) -> (Vec<f32>, String) {
    let model = Model::new();
    (0..before).for_each(|_| drop(model.step(3).unwrap()));
    let error = model.step(99).unwrap_err().to_string();
    (0..after).for_each(|_| drop(model.step(3).unwrap()));
    (model.values(), error)
}

fn assert_close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let bound = 1e-5 * expected.abs().max(1.0);
        assert!((found - expected).abs() <= bound, "{found} {expected}");
    }
}

/// The message of a panic.
fn panicked<T>(f: impl FnOnce() -> T) -> String {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(_) => panic!("nothing failed"),
        Err(error) => error.downcast_ref::<String>().cloned().unwrap_or_default(),
    }
}

/// A model after so many steps that they are recorded, all of which but a few are right.
fn recorded(steps: usize) -> Model {
    let model = Model::new();
    (0..steps).for_each(|_| drop(model.step(3).unwrap()));
    model
}

#[test]
fn right_steps_are_not_waited_for() {
    let _alone = alone();
    let (expected, _) = on_cpu(0, 22);
    let _scope = device::scope(gpu());
    // A training makes three recordings, and the host waits while it makes one. Which steps make them depends on the addresses of the driver's memory.
    let model = recorded(16);
    let before = counts();
    (0..6).for_each(|_| drop(model.step(3).unwrap()));
    let after = counts();
    if !is_real() {
        assert_eq!(after.graph_launches - before.graph_launches, 6);
        assert_eq!(after.downloads - before.downloads, 0);
        assert_eq!(after.synchronizations - before.synchronizations, 0);
    }
    assert_close(&model.values(), &expected);
}

#[test]
fn the_next_call_gives_the_error_and_does_nothing() {
    let _alone = alone();
    let (expected, error) = on_cpu(12, 3);
    let _scope = device::scope(gpu());
    for defer in [false, true] {
        control::defer_work(defer);
        let model = recorded(12);
        let result = model.step(99);
        assert!(result.is_ok(), "it isn't known yet");
        assert_eq!(model.step(3).unwrap_err().to_string(), error);
        (0..3).for_each(|_| drop(model.step(3).unwrap()));
        assert_close(&model.values(), &expected);
        // There is no other value of the result.
        let message = panicked(|| result.map(|found| found.to_vec()));
        assert!(message.contains("99"), "{message}");
    }
    control::defer_work(false);
}

#[test]
fn a_result_that_is_read_gives_the_error_and_variables_are_as_on_the_cpu() {
    let _alone = alone();
    let (expected, error) = on_cpu(12, 2);
    let _scope = device::scope(gpu());
    let model = recorded(12);
    let found = model.step(99).unwrap();
    let message = panicked(|| found.to_vec());
    let line = error.lines().next().unwrap();
    assert!(message.contains(line), "{message}\n{error}");
    (0..2).for_each(|_| drop(model.step(3).unwrap()));
    assert_close(&model.values(), &expected);
}

#[test]
fn a_variable_that_is_read_gives_the_error_once() {
    let _alone = alone();
    let (expected, _) = on_cpu(12, 0);
    let _scope = device::scope(gpu());
    let model = recorded(12);
    model.step(99).unwrap();
    let message = panicked(|| model.table.read().to_vec());
    assert!(message.contains("99"), "{message}");
    assert_close(&model.values(), &expected);
}

/// Another program reads what may be wrong, and waits for the news.
#[graph_fn]
fn doubled(table: &Variable<f32>) -> Result<Tensor<f32>> {
    Ok(table.read() * 2.0)
}

#[test]
fn another_program_that_reads_a_variable_gives_the_error() {
    let _alone = alone();
    let (expected, error) = on_cpu(12, 0);
    let _scope = device::scope(gpu());
    let model = recorded(12);
    for _ in 0..4 {
        doubled(&model.table).unwrap();
    }
    model.step(99).unwrap();
    let found = doubled(&model.table).unwrap_err().to_string();
    assert_eq!(found.lines().next(), error.lines().next());
    let values: Vec<f32> = expected[..160].iter().map(|x| x * 2.0).collect();
    assert_close(&doubled(&model.table).unwrap().to_vec(), &values);
    assert_close(&model.values(), &expected);
}

/// Several wrong calls, with right ones in between and behind them.
#[test]
fn each_wrong_call_is_forgotten() {
    let _alone = alone();
    let cpu = Model::new();
    let mut pattern = vec![3; 10];
    pattern.extend([99, 3, 3, 99, 3, 3, 3, 3, 99, 3, 3]);
    let _scope = device::scope(gpu());
    let model = Model::new();
    let mut errors = 0;
    for last in pattern.clone() {
        if model.step(last).is_err() {
            errors += 1;
            // The call wasn't done, so it is done again.
            model.step(last).unwrap();
        }
    }
    assert_eq!(errors, 3);
    let found = model.values();
    {
        let _scope = device::scope(graph_runtime::device::Device::cpu());
        for last in pattern {
            let _ = cpu.step(last);
        }
    }
    assert_close(&found, &cpu.values());
}

#[test]
fn each_call_gives_its_own_error_if_asked_to() {
    let _alone = alone();
    let (expected, error) = on_cpu(12, 3);
    let _scope = device::scope(gpu());
    graph_cuda::check_each_call(true);
    let model = recorded(12);
    let found = model.step(99).unwrap_err().to_string();
    graph_cuda::check_each_call(false);
    assert_eq!(found, error);
    (0..3).for_each(|_| drop(model.step(3).unwrap()));
    assert_close(&model.values(), &expected);
}
