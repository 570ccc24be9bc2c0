//! Custom gradients: [`custom_gradient`] defines the gradient of a function, [`stop_gradient`] says that there is none, and
//! [`recompute`] that intermediate values are recomputed instead of kept. The function becomes a called graph with this information.

use std::sync::Arc;

use super::call::{Flat, call};
use super::directed::splice;
use super::once_more::seeds_as_inputs;
use super::reads;
use super::tangent::{build, parameter, transpose};
use super::term::Term;
use crate::error::{Location, Result};
use crate::executable::Executable;
use crate::graph::{Derivation, Graph, Op, SharedGraph, TensorType, ValueId, VariableId};
use crate::ops;
use crate::state::GraphState;
use crate::tensor::Tensor;
use crate::trace::{self, AnyTensor, Beginning, Parts, Traced, rebuild};

/// Calls `f`, which returns a value and a function that maps the gradient with respect to the value to the gradient with respect to
/// `x`. This second function may use intermediate results of `f`. Gradients flow only to `x`, not to anything else that `f` uses.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::autodiff::custom_gradient;
///
/// // log(1 + eˣ), whose gradient is NaN for large x if each operation is differentiated.
/// #[graph_fn]
/// fn log1pexp(x: Tensor<f32>) -> Tensor<f32> {
///     custom_gradient(x, |x| {
///         let e = x.exp();
///         let y = (&e + 1.0).log();
///         (y, move |dy: Tensor<f32>| dy * (1.0 - 1.0 / (1.0 + &e)))
///     })
/// }
/// let x = tensor(100.0);
/// let tape = GradientTape::new();
/// tape.watch(&x);
/// let y = log1pexp(x.clone());
/// assert_eq!(tape.gradient(&y, &x).unwrap().item(), 1.0);
/// ```
#[doc(alias("custom_vjp"))]
#[track_caller]
pub fn custom_gradient<X, Y, B>(x: X, f: impl FnOnce(X) -> (Y, B)) -> Y
where
    X: Differentiated,
    Y: GraphState,
    B: FnOnce(Y) -> X,
{
    let location = Location::caller();
    if !trace::is_tracing() && !trace::is_recording() {
        return f(x).0;
    }
    apply(&x, &location, |x: X| {
        let (y, back) = f(x);
        (y, Some(back))
    })
}

/// Values that a custom gradient can be taken with respect to: tensors, and structures of tensors.
#[diagnostic::on_unimplemented(
    message = "a gradient by hand with respect to `{Self}`, which isn't made of tensors alone",
    label = "this takes a value that is known while tracing and has no gradient",
    note = "the way back gives a gradient for each parameter. A closure sees what else it needs: `fn f(x: Tensor<f32>, k: f32) -> Tensor<f32> \
            {{ custom_gradient(x, |x| (x.clone(), move |dy: Tensor<f32>| dy * k)) }}`"
)]
pub trait Differentiated: GraphState + Clone {}

#[diagnostic::do_not_recommend]
impl<X: GraphState + Clone> Differentiated for X {}

/// Calls a function whose intermediate values aren't kept for its gradient, only `x`: the gradient runs the function a second time.
/// Variables and random numbers are then the same, and prints, assertions and writes to variables aren't repeated.
///
/// # Errors
/// When the gradient is requested, if the second run might give other results: if the function draws random seeds in a branch or
/// loop, or computes with a variable that it also changes.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::autodiff::recompute;
///
/// let x = tensor([0.5, 2.0]);
/// let tape = GradientTape::new();
/// tape.watch(&x);
/// let y = recompute(&x, |x| x.exp().sin().exp());
/// let dx = tape.gradient(&y, &x).unwrap();
/// # assert!((dx.to_vec()[0] - (0.5f32.exp().sin().exp() * 0.5f32.exp().cos() * 0.5f32.exp())).abs() < 1e-6);
/// ```
#[doc(alias("checkpoint", "remat", "recompute_grad"))]
#[track_caller]
pub fn recompute<X, Y>(x: &X, f: impl FnOnce(&X) -> Y) -> Y
where
    X: GraphState + Clone,
    Y: GraphState,
{
    let location = Location::caller();
    if !trace::is_tracing() && !trace::is_recording() {
        return f(x);
    }
    apply(x, &location, |x: X| (f(&x), None::<fn(Y) -> X>))
}

/// The same tensor, but no gradient flows through it.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::autodiff::stop_gradient;
///
/// let x = tensor(3.0);
/// let tape = GradientTape::new();
/// tape.watch(&x);
/// let y = &x * stop_gradient(&x);
/// assert_eq!(tape.gradient(&y, &x).unwrap().item(), 3.0);
/// ```
#[doc(alias("detach"))]
#[track_caller]
pub fn stop_gradient<T: crate::Element, S>(x: &Tensor<T, S>) -> Tensor<T, S> {
    let term = Term::new(x.as_any().clone(), &Location::caller());
    Tensor::from_any(term.map(&ops::STOP_GRADIENT).tensor)
}

/// Traces a function with its custom gradient and calls it. Without a custom gradient, the function is recomputed for its gradient.
#[track_caller]
fn apply<X, Y, B>(x: &X, location: &Location, f: impl FnOnce(X) -> (Y, Option<B>)) -> Y
where
    X: Differentiated,
    Y: GraphState,
    B: FnOnce(Y) -> X,
{
    let done = trace_function(x, location, f).and_then(|(parts, mut traced)| {
        let seeds = seeds_as_inputs(&mut traced.graph).into_iter();
        let seeds = seeds.map(|(stream, location)| trace::next_seed(stream, location));
        let seeds: Vec<AnyTensor> = seeds.collect();
        let read = match traced.graph.derivation {
            Some(Derivation::Recompute) => reads::as_inputs(&mut traced.graph),
            _ => Vec::new(),
        };
        let read = read.into_iter().map(|id| {
            let place = &traced.variables[id.index()];
            trace::read_variable(place, location.clone())
        });
        let operands = Parts::of(x).into_iter().flat_map(|parts| parts.leaves);
        let operands: Vec<AnyTensor> = operands
            .chain(traced.captures)
            .chain(seeds)
            .chain(read)
            .collect();
        let graph = SharedGraph::from(traced.graph);
        let name = Arc::from("custom");
        let places = &traced.variables;
        let outputs = match trace::is_tracing() {
            true => trace::call(name, graph, &operands, places.iter(), location.clone())?,
            false => call(&around(name, graph, location), &operands, places, location)?,
        };
        Ok(rebuild(&*parts.structure, outputs))
    });
    trace::or_fail(done)
}

/// A graph that consists of a single call of another one.
fn around(name: Arc<str>, graph: SharedGraph, location: &Location) -> Arc<Flat> {
    let mut whole = Graph {
        variables: graph.variables.clone(),
        ..Graph::default()
    };
    let types = |values: &[ValueId]| values.iter().map(|v| graph.ty(*v).clone()).collect();
    let inputs: Vec<TensorType> = types(&graph.inputs);
    let inputs = inputs
        .into_iter()
        .map(|ty| whole.add_input(ty, None))
        .collect();
    let outputs = types(&graph.outputs);
    let results = match &graph.derivation {
        Some(Derivation::Custom { results, .. }) => *results,
        _ => graph.outputs.len(),
    };
    let op = Op::Call {
        name: name.clone(),
        variables: (0..).map(VariableId).take(graph.variables.len()).collect(),
        graph,
    };
    whole.outputs = whole.add_node(op, inputs, outputs, location.clone());
    // The saved values are no results: they have no upstream gradients.
    whole.outputs.truncate(results);
    let executable = Executable::of_one_run(whole);
    let whole = executable.traced().clone();
    Arc::new(Flat::new(name, whole, Arc::new(executable)))
}

fn trace_function<X, Y, B>(
    x: &X,
    location: &Location,
    f: impl FnOnce(X) -> (Y, Option<B>),
) -> Result<(Parts, Traced)>
where
    X: Differentiated,
    Y: GraphState,
    B: FnOnce(Y) -> X,
{
    let parameters = Parts::of(x).into_iter().flat_map(|parts| parts.leaves);
    let parameters = parameters.map(|t| (t.clone(), t.ty(), Arc::from("x")));
    let count = Parts::of(x).map_or(0, |parts| parts.leaves.len());
    trace::check_depth(location);
    let _open = trace::begin(Beginning {
        parameters: parameters.collect(),
        variables: Vec::new(),
    });
    let (y, back) = f(x.clone());
    let parts = Parts::of(&y).unwrap_or_else(|| Parts {
        structure: Box::new(()),
        leaves: Default::default(),
    });
    let gradient = back.map(|back| trace_gradient(&parts, location, back));
    let mut outputs = parts.leaves.to_vec();
    let derivation = match gradient {
        None => Derivation::Recompute,
        Some(gradient) => {
            let gradient = gradient?;
            outputs.extend(gradient.captures);
            let mut gradient = gradient.graph;
            gradient.outputs.truncate(count);
            let results = parts.leaves.len();
            // The saved values come before the upstream gradients.
            gradient.inputs.rotate_left(results);
            Derivation::Custom {
                gradient: gradient.into(),
                results,
            }
        }
    };
    let values = trace::with_trace(|trace| trace.resolve_leaves(&outputs, location));
    let mut traced = trace::finish(&values)?;
    traced.graph.derivation = Some(derivation);
    Ok((parts, traced))
}

/// Traces a custom gradient; its parameters are the gradients with respect to the results.
fn trace_gradient<X: GraphState, Y: GraphState>(
    results: &Parts,
    location: &Location,
    back: impl FnOnce(Y) -> X,
) -> Result<Traced> {
    let types: Vec<TensorType> = results.leaves.iter().map(AnyTensor::ty).collect();
    let _open = trace::begin(Beginning {
        parameters: Vec::new(),
        variables: Vec::new(),
    });
    let upstream: Vec<AnyTensor> = types.into_iter().map(parameter).collect();
    let dx = back(results.rebuild(upstream));
    let leaves = Parts::of(&dx).map(|parts| parts.leaves).unwrap_or_default();
    let values = trace::with_trace(|trace| trace.resolve_leaves(&leaves, location));
    trace::finish(&values)
}

/// The tangents of results, from those of operands, as the transpose of the custom gradient. Inputs of the graph: the results, the
/// saved values, the tangents of the operands that have one. Outputs: the tangents of the requested results.
pub(super) fn change(
    gradient: &Graph,
    [results, saved, operands]: [Vec<TensorType>; 3],
    changing: &[bool],
    location: &Location,
) -> Result<(Graph, Vec<usize>)> {
    let mut connected = Vec::new();
    let graph = build(location, || {
        let results: Vec<AnyTensor> = results.into_iter().map(parameter).collect();
        let saved = saved.into_iter().map(parameter);
        let mut inputs: Vec<AnyTensor> = saved.collect();
        let changes = operands.into_iter().zip(changing);
        let changes = changes.map(|(ty, changes)| changes.then(|| parameter(ty)));
        let changes: Vec<Option<AnyTensor>> = changes.collect();
        let zeros = |y: &AnyTensor| Term::new(y.clone(), location).zeros_like().tensor;
        let upstream: Vec<AnyTensor> = results.iter().map(zeros).collect();
        inputs.extend(upstream.iter().cloned());
        let gradients = splice(gradient, &inputs, location).into_iter();
        let pairs = gradients.zip(changes).filter_map(|(g, dx)| Some((g, dx?)));
        let found = transpose(&upstream, pairs, location)?;
        let found = found.into_iter().enumerate();
        let found = found.filter_map(|(i, change)| Some((i, change?)));
        let (outputs, changes): (Vec<usize>, Vec<AnyTensor>) = found.unzip();
        connected = outputs;
        Ok(changes)
    })?;
    Ok((graph, connected))
}
