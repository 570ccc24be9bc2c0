//! Statements with blocks, written as Rust's control flow under `#[graph_fn]`.

use graph_runtime::prelude::*;
use graph_runtime::{Element, TraceType};

use super::Context;
use super::control::{Block, Head, Left, way_of};
use crate::program::{Code, Jump, Name};
use crate::scope::{Scope, Variables};
use crate::value::Value;

/// How a block runs. It is part of the signature of a trace.
#[derive(Clone, TraceType)]
pub struct How {
    pub context: Context,
    pub names: Vec<Name>,
    pub carried: Vec<Name>,
    pub leaves: bool,
}

/// The values of all names in scope, and the variables, which the functions capture.
#[derive(Clone, TraceType)]
pub struct Locals {
    pub values: Vec<Value>,
    pub variables: Variables,
}

impl Locals {
    fn scope(self, how: &How) -> Scope {
        Scope::new(how.names.clone(), self.values, self.variables)
    }
}

impl How {
    /// How the body of a loop runs, and what the names in scope stand for.
    pub fn of_loop(
        context: Context,
        scope: &Scope,
        carried: &[Name],
        body: &Code,
    ) -> (How, Locals) {
        let (names, values, variables) = scope.clone().into_parts();
        let how = How {
            context,
            names,
            carried: carried.to_vec(),
            leaves: body.jumps().any(),
        };
        (how, Locals { values, variables })
    }

    fn block<'a>(&'a self, code: &'a Code, locals: Locals) -> Block<'a> {
        Block {
            context: self.context,
            code,
            scope: locals.scope(self),
            carried: &self.carried,
            leaves: self.leaves,
        }
    }

    /// The values that a loop leaves which ended by this jump.
    fn left(&self, mut state: Left, jump: i32) -> Left {
        if self.leaves {
            state.push(Value::of(tensor(jump)));
        }
        state
    }
}

/// `if`.
#[graph_fn]
pub fn if_else(how: How, condition: Tensor<bool>, yes: Code, no: Code, locals: Locals) -> Left {
    let state = locals.clone().scope(&how).get_all(&how.carried);
    if condition {
        how.block(&yes, locals.clone()).run(&state, [])
    } else {
        how.block(&no, locals.clone()).run(&state, [])
    }
}

/// `for i in 0..count`.
#[graph_fn]
pub fn for_loop(how: How, index: Name, count: Tensor<i32>, body: Code, locals: Locals) -> Left {
    let block = how.block(&body, locals);
    let mut state = block.state();
    for i in 0..count {
        let mut left = block.run(&state, [(index, Value::of(i))]);
        if how.leaves {
            let way = way_of(&left);
            left.truncate(how.carried.len());
            state = left;
            if way.equal(Jump::Break.number()) {
                break;
            }
            if way.equal(Jump::Return.number()) {
                return how.left(state, Jump::Return.number());
            }
            if way.equal(Jump::Continue.number()) {
                continue;
            }
        } else {
            state = left;
        }
    }
    how.left(state, 0)
}

/// `while`.
#[graph_fn]
pub fn while_loop(
    how: How,
    counter: Name,
    limit: i32,
    test: Code,
    body: Code,
    locals: Locals,
) -> Left {
    let block = how.block(&body, locals);
    let mut state = block.state();
    let mut i = tensor(0);
    while i.lt(limit) && holds(&block, (counter, limit), &test, &state, &i) {
        let mut left = block.run(&state, [(counter, Value::of(i.clone()))]);
        i += 1;
        if how.leaves {
            let way = way_of(&left);
            left.truncate(how.carried.len());
            state = left;
            if way.equal(Jump::Break.number()) {
                break;
            }
            if way.equal(Jump::Return.number()) {
                return how.left(state, Jump::Return.number());
            }
        } else {
            state = left;
        }
    }
    how.left(state, 0)
}

fn holds(
    block: &Block<'_>,
    (counter, limit): (Name, i32),
    test: &Code,
    state: &[Value],
    i: &Tensor<i32>,
) -> Tensor<bool> {
    let mut scope = block.scope.with([(counter, Value::of(i.clone()))]);
    scope.set_all(block.carried, state.iter().cloned());
    let head = Head {
        counter,
        limit,
        test,
    };
    head.holds(block.context, &scope)
}

/// Defines loops over rows.
macro_rules! loops_over_rows {
    ($($(#[$doc:meta])* $loop:ident: $rows:ty;)*) => { $(
        $(#[$doc])*
        #[graph_fn]
        pub fn $loop<T: Element>(
            how: How,
            name: Name,
            rows: $rows,
            body: Code,
            locals: Locals,
        ) -> Left {
            let block = how.block(&body, locals);
            let mut state = block.state();
            for row in rows {
                let mut left = block.run(&state, [(name, Value::of(row))]);
                if how.leaves {
                    let way = way_of(&left);
                    left.truncate(how.carried.len());
                    state = left;
                    if way.equal(Jump::Break.number()) {
                        break;
                    }
                    if way.equal(Jump::Return.number()) {
                        return how.left(state, Jump::Return.number());
                    }
                } else {
                    state = left;
                }
            }
            how.left(state, 0)
        }
    )* };
}
loops_over_rows! {
    /// `for row in rows`.
    for_rows: &Tensor<T>;
    /// `for row in dataset`.
    for_elements: Dataset<Tensor<T>>;
}
