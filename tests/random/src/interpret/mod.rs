//! Runs a program over tensors: eagerly, or while tracing, where each op adds a node to the trace. `control` has the statements with
//! blocks, `rust_forms` those that are written as Rust's control flow under `#[graph_fn]`, `functions` calls and gradients, and `effects`
//! what changes variables, prints and asserts.

mod control;
mod effects;
mod functions;
mod rust_forms;

use graph_runtime::autodiff::custom_gradient;
use graph_runtime::ops::Attrs;
use graph_runtime::prelude::*;
use graph_runtime::random::{Global, Rng, with_seed};
use graph_runtime::tensor::AnyTensor;
use graph_runtime::{DType, TraceType};

use crate::program::{Code, Custom, Expr, Jump, Program, Statement};
use crate::scope::{Scope, Variables};
use crate::value::Value;

/// How a program is run. It is part of the signature of a trace.
#[derive(Clone, Copy, Debug, TraceType)]
pub struct Context {
    /// Whether sizes are open, so that loops must declare that the sizes of carried values may change.
    pub open: bool,
}

/// How a block ended: the number of a [`Jump`], or 0.
pub type Way = Tensor<i32>;

impl Jump {
    /// The number of the jump.
    pub fn number(self) -> i32 {
        match self {
            Jump::Continue => 1,
            Jump::Break => 2,
            Jump::Return => 3,
        }
    }
}

/// Runs a program and returns its results.
pub fn program(context: Context, program: &Program, inputs: Vec<Value>) -> Vec<Value> {
    let names = program.inputs.iter().map(|(name, _)| *name).collect();
    let variables = program.variables.iter();
    let variables = variables.map(|v| (v.name, v.handle.clone())).collect();
    let mut scope = Scope::new(names, inputs, Variables(variables));
    run(context, &program.body, &mut scope);
    scope.get_all(&program.results)
}

/// Runs the statements of a block, whose names stay in the scope. Returns the number of its jump, if it may jump.
pub fn run(context: Context, code: &Code, scope: &mut Scope) -> Option<Way> {
    statements(context, code.statements(), scope)
}

/// Runs a block and returns its values.
pub fn values(context: Context, code: &Code, scope: &Scope) -> Vec<Value> {
    let mut scope = scope.clone();
    run(context, code, &mut scope);
    let values = code.values().iter();
    values.map(|value| eval(value, &scope)).collect()
}

fn statements(context: Context, code: &[Statement], scope: &mut Scope) -> Option<Way> {
    for (at, statement) in code.iter().enumerate() {
        if let Some(way) = step(context, statement, scope) {
            let rest = &code[at + 1..];
            return Some(control::if_next(context, way, rest, scope));
        }
    }
    None
}

fn step(context: Context, statement: &Statement, scope: &mut Scope) -> Option<Way> {
    match statement {
        Statement::Let(name, value) => {
            let value = eval(value, scope);
            scope.declare(*name, value);
        }
        Statement::Assign(name, value) => {
            let value = eval(value, scope);
            scope.set(*name, value);
        }
        Statement::Print(name) => effects::print(scope.get(*name)),
        Statement::Write(write, name, operands) => {
            let operands: Vec<Value> = operands.iter().map(|o| eval(o, scope)).collect();
            scope.variables.get(*name).write(*write, &operands);
        }
        Statement::Assert(condition, shown) => {
            effects::assert(eval(condition, scope).typed(), scope.get(*shown));
        }
        Statement::Jump(jump) => return Some(tensor(jump.number())),
        Statement::If(form, condition, yes, no) => {
            let condition = eval(condition, scope).typed();
            return control::if_else(context, *form, condition, [yes, no], scope);
        }
        Statement::Switch(index, branches) => {
            let index = eval(index, scope).typed();
            return control::switch(context, index, branches, scope);
        }
        Statement::For(form, index, count, body) => {
            let count = eval(count, scope).typed();
            return control::for_loop(context, *form, (*index, count), body, scope);
        }
        Statement::While(form, counter, limit, test, body) => {
            let head = control::Head {
                counter: *counter,
                limit: *limit,
                test,
            };
            return control::while_loop(context, *form, &head, body, scope);
        }
        Statement::Rows(walk, row, rows, body) => {
            let rows = eval(rows, scope);
            return control::rows(context, *walk, (*row, rows), body, scope);
        }
        Statement::Map(name, row, rows, body) => {
            let rows = eval(rows, scope);
            let value = control::map(context, (*row, rows), body, scope);
            scope.declare(*name, value);
        }
        Statement::Gather(name, index, count, body) => {
            let value = control::gather(context, (*index, *count), body, scope);
            scope.declare(*name, value);
        }
        Statement::Call(callee, parameters, passed, body, names) => {
            let given = functions::parameters(parameters, scope);
            let variables = functions::Given {
                names: passed.iter().map(|(inside, _)| *inside).collect(),
                values: scope
                    .variables
                    .get_all(passed.iter().map(|(_, outside)| *outside)),
            };
            let captured = scope.variables.clone();
            let values = functions::call(context, *callee, (given, variables, captured), body);
            names
                .iter()
                .zip(values)
                .for_each(|(n, v)| scope.declare(*n, v));
        }
        Statement::Gradient(mode, parameters, variables, body, names) => {
            let given = functions::parameters(parameters, scope);
            let variables = scope.variables.get_all(variables.iter().copied());
            let values = functions::gradient(context, *mode, (given, variables), body, scope);
            names
                .iter()
                .zip(values)
                .for_each(|(n, v)| scope.declare(*n, v));
        }
    }
    None
}

/// The value of an expression.
pub fn eval(expr: &Expr, scope: &Scope) -> Value {
    match expr {
        Expr::Name(name) => scope.get(*name).clone(),
        Expr::Constant(array) => Value::constant(array),
        Expr::Read(name) => scope.variables.get(*name).read(),
        Expr::Seed(stream) => Value::of(match stream {
            None => Global.next_seed(),
            Some(stream) => with_seed(*stream).next_seed(),
        }),
        Expr::Failing(op, _) => eval(op, scope),
        Expr::Apply(op, attrs, operands) => {
            let operands: Vec<Value> = operands.iter().map(|o| eval(o, scope)).collect();
            let operands: Vec<&AnyTensor> = operands.iter().map(|v| &v.0).collect();
            Value(AnyTensor::apply(op, Attrs::clone(attrs), &operands))
        }
        Expr::Custom(custom, operand) => {
            let operand = eval(operand, scope);
            match operand.0.dtype() {
                DType::F32 => Value::of(by_hand::<f32>(*custom, operand.typed())),
                _ => Value::of(by_hand::<f64>(*custom, operand.typed())),
            }
        }
    }
}

/// A function with a custom gradient.
fn by_hand<T: Float>(custom: Custom, x: Tensor<T>) -> Tensor<T> {
    custom_gradient(x, |x: Tensor<T>| {
        let (y, slope) = match custom {
            Custom::Square => (x.square(), &x + &x),
            Custom::Sine => (x.sin(), x.cos()),
            Custom::Tanh => {
                let y = x.tanh();
                let slope = y.ones_like() - y.square();
                (y, slope)
            }
        };
        (y, move |dy: Tensor<T>| dy * slope)
    })
}
