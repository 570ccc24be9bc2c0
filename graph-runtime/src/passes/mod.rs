//! Optimization: small passes over a graph. Between tracing, which builds graphs as the user wrote them, and the plan,
//! which takes a graph as it is. Most passes run in rounds until none changes anything; those that fuse come last, once,
//! since they hide ops from the others.
//!
//! What a pass may do: results stay the same to the last bit; prints, assertions and writes of variables stay in their order, and a
//! read of a variable between the writes around it. An op that
//! may fail but whose result nobody needs may be dropped (execution is non-strict).
//!
//! Each pass is a patch that applies whole or not at all: one whose result has types that don't fit is undone. That
//! is a program which must fail when it comes to that node, found out because its shapes are known better now; the
//! run says so in the user's terms.
//!
//! To find a pass at fault: [`Graph::explain`] tells what each one did. The environment variable
//! `GRAPH_DISABLE_PASSES` names passes to skip, with commas between them, and `GRAPH_PASS_LIMIT` is the number of
//! patches after which nothing more is done, for bisecting.

mod driver;
mod explain;
mod fuse;
mod groups;
mod rebuild;
mod rewrite;
mod safety;

#[cfg(test)]
mod testing;

use crate::graph::Graph;

pub use driver::{Options, Step, optimize, optimize_with, optimized_for};
pub(crate) use driver::{drop_dead_code, inline};
pub use explain::Explanation;
pub(crate) use rebuild::splice;
pub(crate) use safety::never_fails;

/// One pass.
pub struct Pass {
    /// Its name, for `GRAPH_DISABLE_PASSES`.
    pub name: &'static str,
    /// When it runs.
    phase: Phase,
    /// Whether it goes into subgraphs by itself; the others are given subgraphs first, on their own.
    is_whole: bool,
    /// The graph made of one, in which subgraphs may have other signatures, or `None` if there is nothing to do.
    run: fn(&Graph) -> Option<Graph>,
}

/// When a pass runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// In rounds with others.
    Simplify,
    /// Once, behind all rounds.
    Fuse,
}

/// One pass a line, in the order they run: its module, whose name it has, its phase, and `whole` if it goes into subgraphs by itself.
macro_rules! passes {
    ($($name:ident $phase:ident $($whole:ident)?;)*) => {
        $(mod $name;)*

        /// Every pass, in the order of a round.
        pub const PASSES: &[Pass] = &[$(Pass {
            name: stringify!($name),
            phase: Phase::$phase,
            is_whole: !stringify!($($whole)?).is_empty(),
            run: $name::run,
        }),*];
    };
}

passes! {
    inline_calls Simplify;
    type_inference Simplify;
    known_conditions Simplify;
    equal_branches Simplify;
    constant_folding Simplify;
    loop_invariants Simplify;
    hoisting Simplify;
    loop_products Simplify;
    arithmetic Simplify;
    logic Simplify;
    casts Simplify;
    reshapes Simplify;
    transposes Simplify;
    known_shapes Simplify;
    constant_sizes Simplify;
    common_subexpressions Simplify;
    shared_orders Simplify;
    variable_reads Simplify;
    dead_code Simplify whole;
    loop_transposes Fuse;
    row_fusion Fuse;
    elementwise_fusion Fuse;
    variable_updates Fuse;
    reduction_fusion Fuse;
    matmul_epilogue Fuse;
    slices_in_place Fuse;
}
