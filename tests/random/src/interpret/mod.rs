//! Runs a program over tensors: eagerly, or while tracing, where each op adds a node to the trace. `control` has the statements with
//! blocks, `rust_forms` those that are written as Rust's control flow under `#[graph_fn]`, `functions` calls and gradients.

mod control;
mod functions;
mod rust_forms;

use graph_runtime::autodiff::custom_gradient;
use graph_runtime::ops::Attrs;
use graph_runtime::prelude::*;
use graph_runtime::tensor::AnyTensor;
use graph_runtime::{DType, TraceType};

use crate::program::{Code, Custom, Expr, Jump, Program, Statement};
use crate::scope::Scope;
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
    let mut scope = Scope::new(names, inputs);
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
        Statement::Print(name) => print(scope.get(*name)),
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
        Statement::Call(callee, parameters, body, names) => {
            let given = functions::parameters(parameters, scope);
            let values = functions::call(context, *callee, given, body);
            names
                .iter()
                .zip(values)
                .for_each(|(n, v)| scope.declare(*n, v));
        }
        Statement::Gradient(mode, parameters, body, names) => {
            let given = functions::parameters(parameters, scope);
            let values = functions::gradient(context, *mode, given, body, scope);
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

/// Prints a value. Of floats, only their number is printed, because another test checks their text.
fn print(value: &Value) {
    match value.0.dtype() {
        DType::F64 => graph_print!("{} floats", value.typed::<f64>().size()),
        DType::F32 => graph_print!("{} floats", value.typed::<f32>().size()),
        dtype => crate::for_dtype!(dtype, T => graph_print!("{}", value.typed::<T>())),
    }
}
