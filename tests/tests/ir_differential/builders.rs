//! Programs that call `cond`, `while_loop` and `switch_case` by hand: inside a graph function they build a graph,
//! outside they run at once, and plain Rust defines their meaning.

use graph_runtime::prelude::*;
use graph_runtime::{cond, graph_print, switch_case, while_loop};
use proptest::prelude::*;

use super::choices::Choices;

/// A step of a program, whose state is a list of integers.
#[derive(Debug)]
enum Step {
    /// Appends the result of an operation on two integers of the list.
    Push(u8, usize, usize),
    /// Replaces one integer of the list by another.
    Move(usize, usize),
    Print(usize),
    /// Runs one of two programs, depending on whether one integer is less than another.
    Cond(usize, usize, Vec<Step>, Vec<Step>),
    /// Runs one of several programs, chosen by an integer.
    Switch(usize, Vec<Vec<Step>>),
    /// Runs a program several times: an integer modulo 4; not at all if it is negative.
    Loop(usize, Vec<Step>),
}

fn program(choices: &mut Choices<'_>, depth: usize) -> Vec<Step> {
    let count = 1 + choices.below(4);
    (0..count).map(|_| step(choices, depth)).collect()
}

fn step(choices: &mut Choices<'_>, depth: usize) -> Step {
    let kind = choices.below(if depth > 0 { 10 } else { 5 });
    let (a, b) = (choices.below(8), choices.below(8));
    match kind {
        0..=2 => Step::Push(kind as u8, a, b),
        3 => Step::Move(a, b),
        4 => Step::Print(a),
        5 | 6 => Step::Cond(
            a,
            b,
            program(choices, depth - 1),
            program(choices, depth - 1),
        ),
        7 => Step::Switch(
            a,
            (0..1 + b % 3)
                .map(|_| program(choices, depth - 1))
                .collect(),
        ),
        _ => Step::Loop(a, program(choices, depth - 1)),
    }
}

/// The meaning of a program. Integers that it appends inside of a branch or loop are removed at its end.
fn plain(steps: &[Step], values: &mut Vec<i32>, lines: &mut Vec<String>) {
    let inside = |steps: &[Step], values: &mut Vec<i32>, lines: &mut Vec<String>| {
        let count = values.len();
        plain(steps, values, lines);
        values.truncate(count);
    };
    for step in steps {
        let n = values.len();
        match step {
            Step::Push(op, a, b) => {
                let (a, b) = (values[a % n], values[b % n]);
                values.push(match op {
                    0 => a.wrapping_add(b),
                    1 => a.wrapping_sub(b),
                    _ => a.wrapping_mul(b),
                });
            }
            Step::Move(a, b) => values[a % n] = values[b % n],
            Step::Print(a) => lines.push(format!("value {}", values[a % n])),
            Step::Cond(a, b, yes, no) => {
                let taken = if values[a % n] < values[b % n] {
                    yes
                } else {
                    no
                };
                inside(taken, values, lines);
            }
            Step::Switch(a, branches) => {
                let last = branches.len() - 1;
                let index = usize::try_from(values[a % n]).map_or(last, |i| i.min(last));
                inside(&branches[index], values, lines);
            }
            Step::Loop(a, body) => {
                for _ in 0..values[a % n] % 4 {
                    inside(body, values, lines);
                }
            }
        }
    }
}

/// The same with the builders.
fn built(steps: &[Step], mut values: Vec<Tensor<i32>>) -> Vec<Tensor<i32>> {
    let inside = |steps: &[Step], values: Vec<Tensor<i32>>| {
        let count = values.len();
        let mut values = built(steps, values);
        values.truncate(count);
        values
    };
    for step in steps {
        let n = values.len();
        match step {
            Step::Push(op, a, b) => {
                let (a, b) = (&values[a % n], &values[b % n]);
                let value = match op {
                    0 => a + b,
                    1 => a - b,
                    _ => a * b,
                };
                values.push(value);
            }
            Step::Move(a, b) => values[a % n] = values[b % n].clone(),
            Step::Print(a) => {
                let value = &values[a % n];
                graph_print!("value {value}");
            }
            Step::Cond(a, b, yes, no) => {
                let condition = values[a % n].lt(&values[b % n]);
                values = cond(
                    condition,
                    || inside(yes, values.clone()),
                    || inside(no, values.clone()),
                );
            }
            Step::Switch(a, branches) => {
                let index = values[a % n].clone();
                let branches = branches.iter().map(|steps| {
                    let values = values.clone();
                    Box::new(move || inside(steps, values)) as Box<dyn FnOnce() -> Vec<Tensor<i32>>>
                });
                values = switch_case(index, branches.collect());
            }
            Step::Loop(a, body) => {
                let limit = &values[a % n] % 4;
                let state = (tensor(0), values);
                (_, values) = while_loop(
                    |(i, _)| i.lt(&limit),
                    |(i, values)| (i + 1, inside(body, values)),
                    state,
                );
            }
        }
    }
    values
}

/// Each program is a Rust value here, so it has its own trace.
#[graph_fn]
fn traced(x: Tensor<i32>, y: Tensor<i32>, bytes: Vec<u8>) -> Vec<Tensor<i32>> {
    built(&program(&mut Choices::new(&bytes), 3), vec![x, y])
}

pub fn check(bytes: &[u8], x: i32, y: i32) -> Result<(), TestCaseError> {
    let steps = program(&mut Choices::new(bytes), 3);
    let (mut values, mut lines) = (vec![x, y], Vec::new());
    plain(&steps, &mut values, &mut lines);
    let expected = (values, lines);
    let items = |values: Vec<Tensor<i32>>| values.iter().map(|v| v.item()).collect::<Vec<i32>>();
    let run_eagerly = || items(built(&steps, vec![tensor(x), tensor(y)]));
    prop_assert_eq!(
        &graph_runtime::collect_prints(run_eagerly),
        &expected,
        "eagerly: {:#?}",
        steps
    );
    for way in ["traced", "from the cache"] {
        let run = || items(traced(tensor(x), tensor(y), bytes.to_vec()));
        prop_assert_eq!(
            &graph_runtime::collect_prints(run),
            &expected,
            "{}: {:#?}",
            way,
            steps
        );
    }
    Ok(())
}
