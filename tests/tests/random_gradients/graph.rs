//! A program over tensors: eager, or traced into the graph function that runs it.

use graph_runtime::autodiff::recompute;
use graph_runtime::prelude::*;
use graph_runtime::{cond, while_loop};

use super::program::{Block, Condition, Form, LEN, Operation, Statement};

/// The registers of a program.
pub type Registers = Vec<Tensor<f64>>;

/// The registers when the program ends.
pub fn run(program: &Block, registers: Registers, n: &Tensor<i32>) -> Registers {
    block(program, registers, n, &tensor(0))
}

/// A program as a graph function.
#[graph_fn]
pub fn called(program: Block, registers: Registers, n: &Tensor<i32>) -> Registers {
    run(&program, registers, n)
}

fn block(statements: &Block, registers: Registers, n: &Tensor<i32>, i: &Tensor<i32>) -> Registers {
    statements
        .iter()
        .fold(registers, |r, statement| step(statement, r, n, i))
}

fn step(statement: &Statement, mut r: Registers, n: &Tensor<i32>, i: &Tensor<i32>) -> Registers {
    match statement {
        Statement::Set(to, operation, a, b) => {
            r[*to] = apply(*operation, &r[*a], &r[*b]);
            r
        }
        Statement::If(Form::Rust, condition, yes, no) => {
            branch(*condition, yes.clone(), no.clone(), r, n, i)
        }
        Statement::If(Form::ByHand, condition, yes, no) => cond(
            holds(*condition, n, i),
            || block(yes, r.clone(), n, i),
            || block(no, r.clone(), n, i),
        ),
        Statement::For(Form::Rust, count, body, end) => repeated(*count, body.clone(), *end, r, n),
        Statement::For(Form::ByHand, count, body, end) => by_hand(*count, body, *end, r, n),
        Statement::Call([a, b, c, d], body) => {
            let again = [a, b, c, d].map(|k| r[*k].clone()).to_vec();
            inner(body.clone(), again, n, i)
        }
        Statement::Fold(of, body) => {
            let values = r[*of].clone();
            let step = |mut r: Registers, value: Tensor<f64>| {
                r[0] = value * tensor([1.0; LEN]);
                block(body, r, n, i)
            };
            fold(step, values, r)
        }
        Statement::Array(body) => {
            let rows = TensorArray::<f64>::new(2);
            let (_, mut r, rows) = while_loop(
                |(turn, _, _)| turn.lt(2),
                |(turn, r, mut rows)| {
                    let r = block(body, r, n, i);
                    let rows = rows.write(&turn, &r[0]);
                    (turn + 1, r, rows)
                },
                (tensor(0), r, rows),
            );
            r[0] = rows.stack().mean_axis(0);
            r
        }
        Statement::Recompute(body) => recompute(&r, |r: &Registers| block(body, r.clone(), n, i)),
    }
}

#[graph_fn]
fn inner(body: Block, registers: Registers, n: &Tensor<i32>, i: &Tensor<i32>) -> Registers {
    block(&body, registers, n, i)
}

#[graph_fn]
fn branch(
    condition: Condition,
    yes: Block,
    no: Block,
    registers: Registers,
    n: &Tensor<i32>,
    i: &Tensor<i32>,
) -> Registers {
    if holds(condition, n, i) {
        block(&yes, registers, n, i)
    } else {
        block(&no, registers, n, i)
    }
}

#[graph_fn]
fn repeated(
    count: Option<i32>,
    body: Block,
    end: Option<Condition>,
    mut registers: Registers,
    n: &Tensor<i32>,
) -> Registers {
    let count = match count {
        Some(count) => tensor(count),
        None => n.clone(),
    };
    for i in 0..count {
        registers = block(&body, registers, n, &i);
        if let Some(end) = end {
            if holds(end, n, &i) {
                break;
            }
        }
    }
    registers
}

fn by_hand(
    count: Option<i32>,
    body: &Block,
    end: Option<Condition>,
    registers: Registers,
    n: &Tensor<i32>,
) -> Registers {
    let count = count.map_or_else(|| n.clone(), tensor);
    let (_, _, registers) = while_loop(
        |(i, goes_on, _)| i.lt(&count).logical_and(goes_on),
        |(i, goes_on, registers)| {
            let registers = block(body, registers, n, &i);
            let goes_on = match end {
                Some(end) => holds(end, n, &i).logical_not(),
                None => goes_on,
            };
            (i + 1, goes_on, registers)
        },
        (tensor(0), tensor(true), registers),
    );
    registers
}

fn holds(condition: Condition, n: &Tensor<i32>, i: &Tensor<i32>) -> Tensor<bool> {
    match condition {
        Condition::More(k) => n.gt(k),
        Condition::Iteration(k) => i.equal(k),
        Condition::Even => ((n + i) % 2).equal(0),
    }
}

fn apply(operation: Operation, a: &Tensor<f64>, b: &Tensor<f64>) -> Tensor<f64> {
    match operation {
        Operation::Mean => (a + b) / 2.0,
        Operation::Difference => (a - b) / 2.0,
        Operation::Product => a * b,
        Operation::Sine => a.sin(),
        Operation::Tanh => a.tanh(),
        Operation::Copy => a.clone(),
        Operation::Constant => tensor([0.5; LEN]),
        Operation::Reduced => a.mean() * b,
        Operation::Reversed => a.reverse(&[0]),
        Operation::Taken => a.gather(tensor([1, 1])),
        Operation::Overwritten => a.scatter_update(tensor([[1], [1]]), b),
    }
}
