//! Differentiation, in eager code and in graph functions: [`GradientTape`] and [`ForwardAccumulator`] record what a program computes;
//! [`grad`], [`jvp`], [`jacobian`] and their like differentiate functions; [`custom_gradient`](fn@custom_gradient) and
//! [`stop_gradient`] define gradients by hand. Gradients consist of ops like any other computation, so they can be differentiated again.
//!
//! [The guide](crate::guide::gradients) has a page on gradients.

// Each op has a gradient rule (`rules/`, written with `term` and `backward`).
//
// - `tape`: `GradientTape`, which defines what is differentiated with respect to what;
// - `functional`: gradients of functions; `jacobian`, and `outputs`, its structure; `custom`: custom gradients;
// - `witnesses`: the tapes and accumulators that see eager ops; `record`: the record of a tape, and the reverse pass over it;
//   `call`: the graph functions in a record;
// - `sweep`: the reverse pass over the nodes of a trace;
// - `branches`, `loops` and their `stacks`: control flow; `inline`, `directed`: calls; `reads`: variables that are read in loops and calls;
// - `split`, `residuals`, `undefined`: splits a closed graph and its gradient into a forward and a backward graph;
// - `accumulator`: forward mode; `tangent`: for one op, from its gradient rule; `forward`: for a graph; `changes`: for eager code.

mod accumulator;
mod active;
mod backward;
mod branches;
mod build;
mod call;
mod changes;
mod custom;
mod directed;
mod forward;
mod functional;
mod inline;
mod jacobian;
mod loops;
mod once_more;
mod outputs;
mod reads;
mod record;
mod residuals;
pub(crate) mod rules;
mod sources;
mod split;
mod stacks;
mod sweep;
mod tangent;
mod tape;
mod term;
mod through;
mod undefined;
mod witnesses;

pub use accumulator::ForwardAccumulator;
#[cfg(not(feature = "unstable"))]
use backward::Rule;
#[cfg(feature = "unstable")]
pub use backward::{Backward, Rule};
pub(crate) use call::{Flat, call};
pub use custom::{Differentiated, custom_gradient, recompute, stop_gradient};
pub use functional::{grad, hessian, jacobian, jvp, value_and_grad, vjp};
/// Gives a function a custom gradient. The annotated function returns its value, and a function that maps the gradient with respect
/// to the value to the gradient with respect to the parameter; for several parameters, to a tuple. Callers get a function that
/// returns only the value. Place the attribute above `#[graph_fn]`. The function [`custom_gradient`](fn@custom_gradient) does the
/// same for closures, which may also use values that have no gradient.
///
/// ```
/// # use graph_runtime::prelude::*;
/// use graph_runtime::autodiff::custom_gradient;
///
/// // log(1 + eˣ), whose gradient is NaN for large x if each operation is differentiated.
/// #[custom_gradient]
/// fn log1pexp(x: Tensor<f32>) -> (Tensor<f32>, impl FnOnce(Tensor<f32>) -> Tensor<f32>) {
///     let e = x.exp();
///     let y = (&e + 1.0).log();
///     (y, move |dy| dy * (1.0 - 1.0 / (1.0 + &e)))
/// }
/// let x = tensor(100.0);
/// let tape = GradientTape::new();
/// tape.watch(&x);
/// let y = log1pexp(x.clone());
/// assert_eq!(tape.gradient(&y, &x).unwrap().item(), 1.0);
/// ```
pub use graph_macros::custom_gradient;
pub use outputs::Outputs;
#[cfg(feature = "unstable")]
pub use rules::rule;
#[doc(hidden)]
pub use sources::of_struct;
pub(crate) use sources::set_apart;
pub use sources::{Source, Sources, Targets};
pub(crate) use sweep::is_differentiable;
pub use tape::{GradientTape, PersistentTape};
