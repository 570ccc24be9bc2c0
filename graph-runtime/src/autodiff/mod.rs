//! Differentiation. An op's row names its gradient rule (`rules/`, written with `term` and `backward`). Beside the staircase: a
//! gradient is made of ops, as everything else, while a function is traced or at once.
//!
//! - `tape`: `GradientTape`, which says what is differentiated with respect to what;
//! - `functional`: gradients of functions; `jacobian`; `custom`: gradients by hand;
//! - `witnesses`: the tapes and accumulators that see what runs at once; `record`: what a tape saw, and the way back through it;
//!   `call`: the graph functions among that;
//! - `sweep`: the way back through the nodes of a trace;
//! - `branches`, `loops` and their `stacks`: through control flow; `inline`, `directed`: through calls;
//! - `split`, `residuals`: a closed graph as a forward and a backward one;
//! - `accumulator`: forward mode; `tangent`: of one op, from its gradient rule; `forward`: of a graph; `changes`: of eager code.

mod accumulator;
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
mod witnesses;

pub use accumulator::ForwardAccumulator;
pub use backward::{Backward, Rule};
pub(crate) use call::{Flat, call};
pub use custom::{custom_gradient, recompute, stop_gradient};
pub use functional::{grad, hessian, jacobian, jvp, value_and_grad, vjp};
pub use sources::{Source, Sources, Targets};
pub use tape::{GradientTape, PersistentTape};
pub(crate) use witnesses::{is_recording, record_op, record_read};
