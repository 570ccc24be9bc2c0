//! Tracing: running a function's Rust code once on symbolic tensors, which adds nodes to a stack of graph builders. It lies between
//! the functions that users call (`function/`) and their graphs (`graph/`).
//!
//! - [`any`]: the untyped tensor handle; `nest`: values that contain such handles;
//! - `panics`: what a panic in a traced body prints;
//! - `observer`: the interface through which gradient tapes see eager ops;
//! - [`context`]: the stack of running graph functions of a thread, and what a tensor means in them;
//! - `apply`: executes an op or adds its node;
//! - `builder`: one graph under construction;
//! - `outcome`: the ways a branch can end, and how two branches are merged into a `cond`;
//! - `branch`, `decide`, `repeat`: the replay of branches, of several decisions in a row, and of loops;
//! - `unknown`: what made a size unknown, for messages;
//! - `switch`, `while_loop`: branches and loops given as closures;
//! - `scalar`: the check that a tensor is one value;
//! - `vars`: the variables that a replayed construct changes;
//! - `iteration`: loops over datasets;
//! - `effects`: prints, assertions, seeds and calls; `message`: the texts of prints and assertions;
//! - `variables`, `initial`: reads and writes of variables, and their first values.

pub(crate) mod any;
mod apply;
mod branch;
mod builder;
mod context;
mod decide;
mod effects;
mod initial;
mod iteration;
mod message;
mod nest;
mod observer;
mod outcome;
mod panics;
mod repeat;
mod scalar;
mod switch;
mod unknown;
mod variables;
mod vars;
mod while_loop;

pub use any::AnyTensor;
pub(crate) use any::{Identity, Placeholder, Repr};
pub(crate) use apply::{apply, constant, latest_numbers, to, update};
pub(crate) use branch::Branching;
pub(crate) use context::{
    Beginning, Open, Symbol, Trace, Traced, active, array_of, begin, begin_eager, begin_rust,
    check_depth, end_error, fail, finish, is_conditional, is_entered, is_rust, is_symbolic,
    is_tracing, may_trace, or_fail, plain_value, record, too_deep, type_of, value_or_error,
    with_trace,
};
pub(crate) use decide::Deciding;
#[cfg(feature = "tensorboard")]
pub(crate) use effects::summary;
pub(crate) use effects::{assert_that, call, next_seed, print};
pub(crate) use initial::initial_value;
pub(crate) use iteration::{begin_iteration, take_element};
pub(crate) use message::{Style, gather, mark};
pub use nest::{GraphState, Nest};
pub(crate) use nest::{Parts, Structure, Variable, rebuild};
pub(crate) use observer::{Observer, is_recording, set_observer};
pub(crate) use outcome::{Code, ConstructId, Group, Outcome};
pub(crate) use repeat::{LoopKind, Looping};
pub(crate) use scalar::scalar;
pub(crate) use switch::switch;
pub(crate) use unknown::{asked_for_shape, why_unknown};
pub(crate) use variables::{
    SINGLETON, assign_variable, created, is_argument, move_variable, read_variable, update_variable,
};
pub(crate) use vars::{Vars, write_values};

/// What a construct does after a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterPass {
    /// Run the code (again): the next pass traces the next branch or iteration.
    Run,
    /// All passes are done and the code behind the construct is reached.
    Fall,
    /// All passes are done and every one left early: the code behind is never reached.
    Exit,
}
