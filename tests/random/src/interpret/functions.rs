//! Calls of graph functions, and gradients inside a program.

use graph_runtime::autodiff::{jvp, recompute, value_and_grad};
use graph_runtime::prelude::*;
use graph_runtime::{DType, Element};

use super::{Context, eval, run, values};
use crate::program::{Callee, Code, Expr, Mode, Name};
use crate::scope::Scope;
use crate::value::Value;

/// Parameters and their arguments.
pub struct Given {
    pub names: Vec<Name>,
    pub values: Vec<Value>,
}

/// Evaluates the arguments of parameters. A tensor that is passed twice stays one tensor.
pub fn parameters(parameters: &[(Name, Expr)], scope: &Scope) -> Given {
    Given {
        names: parameters.iter().map(|(name, _)| *name).collect(),
        values: parameters.iter().map(|(_, e)| eval(e, scope)).collect(),
    }
}

/// Calls a function. Returns the values of the parameters at its end.
pub fn call(context: Context, callee: Callee, given: Given, body: &Code) -> Vec<Value> {
    let Given { names, values } = given;
    match callee {
        Callee::Owned => owned(context, body.clone(), names, values),
        Callee::Borrowed => borrowed(context, body, &names, &values),
        Callee::Recompute => recompute(&values, |values: &Vec<Value>| {
            called(context, body, &names, values)
        }),
    }
}

#[graph_fn]
fn owned(context: Context, body: Code, names: Vec<Name>, values: Vec<Value>) -> Vec<Value> {
    called(context, &body, &names, &values)
}

#[graph_fn]
fn borrowed(context: Context, body: &Code, names: &[Name], values: &[Value]) -> Vec<Value> {
    called(context, body, names, values)
}

fn called(context: Context, body: &Code, names: &[Name], values: &[Value]) -> Vec<Value> {
    let mut scope = Scope::new(names.to_vec(), values.to_vec());
    run(context, body, &mut scope);
    scope.get_all(names)
}

/// The gradient of a block's value with respect to parameters of one float dtype, or its directional derivative by forward mode.
pub fn gradient(
    context: Context,
    mode: Mode,
    given: Given,
    body: &Code,
    scope: &Scope,
) -> Vec<Value> {
    match given.values[0].0.dtype() {
        DType::F32 => gradient_of::<f32>(context, mode, given, body, scope),
        _ => gradient_of::<f64>(context, mode, given, body, scope),
    }
}

fn gradient_of<T: Element + Float>(
    context: Context,
    mode: Mode,
    given: Given,
    body: &Code,
    scope: &Scope,
) -> Vec<Value> {
    let Given {
        names,
        values: given,
    } = given;
    let xs: Vec<Tensor<T>> = given.iter().map(Value::typed).collect();
    let y = |xs: &Vec<Tensor<T>>| -> Tensor<T> {
        let parameters = names.iter().copied().zip(xs.iter().cloned().map(Value::of));
        values(context, body, &scope.with(parameters))
            .remove(0)
            .typed()
    };
    match mode {
        Mode::Reverse => {
            let (_, gradients) = value_and_grad(y)(&xs);
            gradients.into_iter().map(Value::of).collect()
        }
        Mode::Forward => {
            let changes: Vec<Tensor<T>> = xs.iter().map(|x| x.ones_like()).collect();
            vec![Value::of(jvp(y, &xs, &changes).1)]
        }
    }
}
