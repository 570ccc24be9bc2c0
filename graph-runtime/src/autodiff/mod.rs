//! Differentiation. An op's row names its gradient rule (`rules/`, written with `term` and `backward`). Beside the staircase: a
//! gradient is made of ops, as everything else, while a function is traced or at once.
//!
//! - `tape`: `GradientTape`, which says what is differentiated with respect to what;
//! - `functional`: gradients of functions; `jacobian`, and `outputs`, what it comes in; `custom`: gradients by hand;
//! - `witnesses`: the tapes and accumulators that see what runs at once; `record`: what a tape saw, and the way back through it;
//!   `call`: the graph functions among that;
//! - `sweep`: the way back through the nodes of a trace;
//! - `branches`, `loops` and their `stacks`: through control flow; `inline`, `directed`: through calls;
//! - `split`, `residuals`, `undefined`: a closed graph as a forward and a backward one;
//! - `accumulator`: forward mode; `tangent`: of one op, from its gradient rule; `forward`: of a graph; `changes`: of eager code.

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
/// Gives a function a gradient by hand. The function gives its value, and the function that takes the gradient with respect to the value
/// back to the gradient with respect to the parameters: of several, a tuple. What is called is a function of the value only. Stands
/// above `#[graph_fn]`. The function [`custom_gradient`](fn@custom_gradient) is the same for closures, which may also use values that
/// have no gradient.
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
pub use tape::{GradientTape, PersistentTape};
