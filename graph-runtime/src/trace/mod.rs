//! Tracing: running a function's Rust code once on symbolic tensors, which adds nodes to a stack of graph
//! builders. Between the functions that users call (`function/`) and the graphs they become (`graph/`).
//!
//! - [`context`]: the stack of running graph functions of a thread, and what an op does in it;
//! - `builder`: one graph under construction;
//! - `outcome`: the ways a branch can end, and how two branches are merged into a `cond`;
//! - `branch`, `repeat`: the replay of branches and loops.

mod branch;
mod builder;
mod context;
mod decide;
mod outcome;
mod repeat;
mod switch;
mod vars;
mod while_loop;

pub(crate) use branch::Branching;
pub(crate) use context::{
    Symbol, Traced, active, apply, assert_that, begin, call, constant, end_error, fail, finish,
    is_symbolic, is_tracing, print, record, run_inline, type_of, value_of, with_trace,
};
pub(crate) use decide::Deciding;
pub(crate) use outcome::{Code, FrameId, Group, Outcome};
pub(crate) use repeat::{LoopKind, Looping};
pub(crate) use switch::switch;
pub(crate) use vars::{Vars, write_values};

/// Whether a construct goes on after its passes, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Run the code (again): this pass traces the next branch or iteration.
    Run,
    /// All passes are done and the code behind the construct is reached.
    Fall,
    /// All passes are done and every one left early: the code behind is never reached.
    Exit,
}
