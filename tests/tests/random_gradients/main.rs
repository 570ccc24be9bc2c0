//! Gradients of random programs: nested branches and loops that end early, calls with the same tensor as several arguments, loops over rows,
//! arrays of tensors. A tape inside of a graph function, a tape around it and an eager tape agree with differences of the values that plain
//! Rust computes; so do forward mode and second gradients.

mod graph;
mod plain;
mod program;

use graph_runtime::autodiff::{jvp, value_and_grad};
use graph_runtime::prelude::*;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

use graph::Registers;
use plain::Rows;
use program::{Block, LEN, REGISTERS};

/// The step of the differences.
const STEP: f64 = 1e-4;

/// The maximum distance of a gradient from a difference.
const NEAR: f64 = 1e-6;

/// The function that is differentiated: the weighted sum of all registers at the program's end.
fn weighted(rows: &Rows) -> f64 {
    let values = rows.iter().flatten();
    (1..)
        .zip(values)
        .map(|(weight, v)| f64::from(weight) * v)
        .sum()
}

fn weighted_tensors(registers: &Registers) -> Tensor<f64> {
    let mut sum = tensor(0.0);
    for (i, register) in registers.iter().enumerate() {
        let first = (i * LEN + 1) as f64;
        sum += (register * tensor([first, first + 1.0])).sum();
    }
    sum
}

/// Calls the program as a graph function.
fn around(program: &Block, registers: &Registers, n: &Tensor<i32>) -> Tensor<f64> {
    weighted_tensors(&graph::called(program.clone(), registers.clone(), n))
}

/// The gradient with a tape inside of a graph function.
#[graph_fn]
fn inside(program: Block, registers: Registers, n: &Tensor<i32>) -> Registers {
    let tape = GradientTape::new();
    tape.watch(&registers);
    let y = weighted_tensors(&graph::run(&program, registers.clone(), n));
    tape.gradient_or_zeros(&y, &registers)
}

/// The tangent of the result along a direction, in a graph function.
#[graph_fn]
fn forwards(
    program: Block,
    registers: Registers,
    changes: Registers,
    n: &Tensor<i32>,
) -> Tensor<f64> {
    jvp(
        |r: &Registers| weighted_tensors(&graph::run(&program, r.clone(), n)),
        &registers,
        &changes,
    )
    .1
}

/// The tangent of the gradient along a direction: a second derivative in reverse mode.
#[graph_fn]
fn second(program: Block, registers: Registers, changes: Registers, n: &Tensor<i32>) -> Registers {
    let outer = GradientTape::new();
    outer.watch(&registers);
    let gradient = inside(program, registers.clone(), n);
    let mut along = tensor(0.0);
    for (g, change) in gradient.iter().zip(&changes) {
        along += (g * change).sum();
    }
    outer.gradient_or_zeros(&along, &registers)
}

fn tensors(rows: &Rows) -> Registers {
    rows.iter().map(|row| tensor(*row)).collect()
}

fn values(registers: &Registers) -> Vec<f64> {
    registers.iter().flat_map(|r| r.to_vec()).collect()
}

/// The derivative of a function with respect to each value of the registers, by differences.
fn differences(x: &Rows, f: impl Fn(&Rows) -> f64) -> Vec<f64> {
    let at = |place: usize, by: f64| {
        let mut x = *x;
        x.as_flattened_mut()[place] += by;
        f(&x)
    };
    let slope = |place| (at(place, STEP) - at(place, -STEP)) / (2.0 * STEP);
    (0..REGISTERS * LEN).map(slope).collect()
}

fn near(way: &str, actual: &[f64], expected: &[f64]) -> Result<(), TestCaseError> {
    prop_assert_eq!(actual.len(), expected.len());
    let scale = expected.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
    let is_near = actual
        .iter()
        .zip(expected)
        .all(|(a, e)| (a - e).abs() <= NEAR * scale);
    prop_assert!(is_near, "{}: {:?} and not {:?}", way, actual, expected);
    Ok(())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Checks a program in all ways.
fn check(program: &Block, x: &Rows, direction: &Rows, n: i32) -> Result<(), TestCaseError> {
    let value = |x: &Rows| weighted(&plain::run(program, *x, n));
    let expected = differences(x, value);
    let (count, registers, changes) = (tensor(n), tensors(x), tensors(direction));
    let direction = direction.as_flattened();
    let eagerly = |f: &dyn Fn() -> Result<(), TestCaseError>| {
        let _scope = graph_runtime::debug::EAGER.scope(true);
        f()
    };
    let by_tape = || {
        let of = value_and_grad(|r: &Registers| around(program, r, &count));
        let (y, gradient) = of(&registers);
        near("the value", &[y.item()], &[value(x)])?;
        near("a tape around", &values(&gradient), &expected)
    };
    by_tape()?;
    eagerly(&by_tape)?;
    let own = inside(program.clone(), registers.clone(), &count);
    near("a tape inside", &values(&own), &expected)?;
    let change = [dot(direction, &expected)];
    let actual = forwards(program.clone(), registers.clone(), changes.clone(), &count);
    near("forward mode inside", &[actual.item()], &change)?;
    let of = |r: &Registers| around(program, r, &count);
    let (_, actual) = jvp(of, &registers, &changes);
    near("forward mode around", &[actual.item()], &change)?;
    let along = |x: &Rows| {
        let gradient = inside(program.clone(), tensors(x), &count);
        dot(direction, &values(&gradient))
    };
    let actual = second(program.clone(), registers, changes, &count);
    near(
        "the second gradient",
        &values(&actual),
        &differences(x, along),
    )
}

fn register() -> impl Strategy<Value = Rows> {
    proptest::array::uniform4(proptest::array::uniform2(-0.9..0.9f64))
}

/// The threads that share the programs.
const THREADS: u32 = 2;

/// The programs of a thread. They are the same in each run, unless `PROPTEST_RNG_SEED` asks for others; `PROPTEST_CASES` sets their number.
fn config(thread: u32) -> ProptestConfig {
    let given = ProptestConfig::default();
    let seed = match given.rng_seed {
        RngSeed::Random => 16,
        RngSeed::Fixed(seed) => seed,
    };
    ProptestConfig {
        cases: given.cases.div_ceil(THREADS),
        rng_seed: RngSeed::Fixed(seed.wrapping_add(thread.into())),
        failure_persistence: None,
        ..given
    }
}

/// Checks the programs of a thread.
fn check_all_of(thread: u32) {
    let cases = (program::any(), register(), register(), 0..4i32);
    let check = |(program, x, direction, n)| check(&program, &x, &direction, n);
    if let Err(failure) = TestRunner::new(config(thread)).run(&cases, check) {
        panic!("{failure}");
    }
}

#[test]
fn gradients_are_the_differences() {
    std::thread::scope(|threads| {
        for thread in 0..THREADS {
            threads.spawn(move || check_all_of(thread));
        }
    });
}
