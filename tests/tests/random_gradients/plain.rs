//! The meaning of a program, in plain Rust.

use super::program::{Condition, LEN, Operation, REGISTERS, Statement};

/// The values of a register.
pub type Row = [f64; LEN];

/// The values of all registers.
pub type Rows = [Row; REGISTERS];

/// The registers when the program ends.
pub fn run(program: &[Statement], registers: Rows, n: i32) -> Rows {
    block(program, registers, n, 0)
}

fn block(statements: &[Statement], registers: Rows, n: i32, i: i32) -> Rows {
    statements
        .iter()
        .fold(registers, |r, statement| step(statement, r, n, i))
}

fn step(statement: &Statement, mut r: Rows, n: i32, i: i32) -> Rows {
    match statement {
        Statement::Set(to, operation, a, b) => {
            r[*to] = apply(*operation, r[*a], r[*b]);
            r
        }
        Statement::If(_, condition, yes, no) => match holds(*condition, n, i) {
            true => block(yes, r, n, i),
            false => block(no, r, n, i),
        },
        Statement::For(_, count, body, end) => {
            for i in 0..count.unwrap_or(n) {
                r = block(body, r, n, i);
                if end.is_some_and(|end| holds(end, n, i)) {
                    break;
                }
            }
            r
        }
        Statement::Call(from, body) => block(body, from.map(|k| r[k]), n, i),
        Statement::Fold(of, body) => {
            for value in r[*of] {
                r[0] = [value; LEN];
                r = block(body, r, n, i);
            }
            r
        }
        Statement::Array(body) => {
            let first = block(body, r, n, i);
            let second = block(body, first, n, i);
            let mut r = second;
            r[0] = std::array::from_fn(|k| (first[0][k] + second[0][k]) / 2.0);
            r
        }
        Statement::Recompute(body) => block(body, r, n, i),
    }
}

fn holds(condition: Condition, n: i32, i: i32) -> bool {
    match condition {
        Condition::More(k) => n > k,
        Condition::Iteration(k) => i == k,
        Condition::Even => (n + i) % 2 == 0,
    }
}

fn apply(operation: Operation, [a, c]: Row, [b, d]: Row) -> Row {
    match operation {
        Operation::Mean => [(a + b) / 2.0, (c + d) / 2.0],
        Operation::Difference => [(a - b) / 2.0, (c - d) / 2.0],
        Operation::Product => [a * b, c * d],
        Operation::Sine => [a.sin(), c.sin()],
        Operation::Tanh => [a.tanh(), c.tanh()],
        Operation::Copy => [a, c],
        Operation::Constant => [0.5; LEN],
        Operation::Reduced => [b, d].map(|v| (a + c) / 2.0 * v),
        Operation::Reversed => [c, a],
        Operation::Taken => [c, c],
        Operation::Overwritten => [a, d],
    }
}
