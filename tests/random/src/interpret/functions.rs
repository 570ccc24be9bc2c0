//! Calls of graph functions, and gradients inside a program.

use graph_runtime::autodiff::{jvp, recompute, value_and_grad};
use graph_runtime::prelude::*;
use graph_runtime::{DType, Element, TraceType, Variable};

use super::{Context, eval, run, values};
use crate::program::{Callee, Code, Expr, Mode, Name};
use crate::scope::{Scope, Variables};
use crate::state::Handle;
use crate::value::Value;

/// Parameters and their arguments.
pub struct Given<T> {
    pub names: Vec<Name>,
    pub values: Vec<T>,
}

/// Evaluates the arguments of parameters. A tensor that is passed twice stays one tensor.
pub fn parameters(parameters: &[(Name, Expr)], scope: &Scope) -> Given<Value> {
    Given {
        names: parameters.iter().map(|(name, _)| *name).collect(),
        values: parameters.iter().map(|(_, e)| eval(e, scope)).collect(),
    }
}

/// Calls a function of tensors and variables, which captures more variables. Returns the values of the parameters at its end.
pub fn call(
    context: Context,
    callee: Callee,
    (given, variables, captured): (Given<Value>, Given<Handle>, Variables),
    body: &Code,
) -> Vec<Value> {
    let Given { names, values } = given;
    let head = Head {
        context,
        names,
        variables: variables.names,
    };
    let passed = variables.values;
    match callee {
        Callee::Owned => owned(head, captured, body.clone(), values, passed),
        Callee::Borrowed => borrowed(&head, captured, body, &values, &passed),
        Callee::Recompute => recompute(&values, |values: &Vec<Value>| {
            called(&head, captured, body, values, &passed)
        }),
    }
}

/// The names of a function's parameters. They are part of the signature of a trace.
#[derive(Clone, TraceType)]
struct Head {
    context: Context,
    names: Vec<Name>,
    variables: Vec<Name>,
}

#[graph_fn]
fn owned(
    head: Head,
    captured: Variables,
    body: Code,
    values: Vec<Value>,
    passed: Vec<Handle>,
) -> Vec<Value> {
    called(&head, captured, &body, &values, &passed)
}

#[graph_fn]
fn borrowed(
    head: &Head,
    captured: Variables,
    body: &Code,
    values: &[Value],
    passed: &[Handle],
) -> Vec<Value> {
    called(head, captured, body, values, passed)
}

fn called(
    head: &Head,
    captured: Variables,
    body: &Code,
    values: &[Value],
    passed: &[Handle],
) -> Vec<Value> {
    let variables = captured.with(&head.variables, passed);
    let mut scope = Scope::new(head.names.clone(), values.to_vec(), variables);
    run(head.context, body, &mut scope);
    scope.get_all(&head.names)
}

/// Parameters and variables of one float dtype, with respect to which a gradient is taken.
type Sources = (Given<Value>, Vec<Handle>);

/// The gradient of a block's value with respect to parameters and variables, or its directional derivative by forward mode.
pub fn gradient(
    context: Context,
    mode: Mode,
    sources: Sources,
    body: &Code,
    scope: &Scope,
) -> Vec<Value> {
    match sources.0.values[0].0.dtype() {
        DType::F32 => gradient_of::<f32>(context, mode, sources, body, scope),
        _ => gradient_of::<f64>(context, mode, sources, body, scope),
    }
}

fn gradient_of<T: Element + Float>(
    context: Context,
    mode: Mode,
    (given, variables): Sources,
    body: &Code,
    scope: &Scope,
) -> Vec<Value> {
    let Given {
        names,
        values: given,
    } = given;
    let xs: Vec<Tensor<T>> = given.iter().map(Value::typed).collect();
    let variables: Vec<Variable<T>> = variables.iter().filter_map(Handle::typed).collect();
    let y = |(xs, _): &(Vec<Tensor<T>>, Vec<Variable<T>>)| -> Tensor<T> {
        let parameters = names.iter().copied().zip(xs.iter().cloned().map(Value::of));
        values(context, body, &scope.with(parameters))
            .remove(0)
            .typed()
    };
    match mode {
        Mode::Reverse => {
            let (_, (of_xs, of_variables)) = value_and_grad(y)(&(xs, variables));
            of_xs
                .into_iter()
                .chain(of_variables)
                .map(Value::of)
                .collect()
        }
        Mode::Forward => {
            let changes: Vec<Tensor<T>> = xs.iter().map(|x| x.ones_like()).collect();
            let of_variables = variables.iter().map(|v| v.read().ones_like());
            let changes = (changes, of_variables.collect::<Vec<Tensor<T>>>());
            vec![Value::of(jvp(y, &(xs, variables), &changes).1)]
        }
    }
}
