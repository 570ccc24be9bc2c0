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

mod arithmetic;
mod casts;
mod common_subexpressions;
mod constant_folding;
mod constant_sizes;
mod dead_code;
#[cfg(test)]
mod depth_tests;
mod driver;
mod elementwise_fusion;
mod equal_branches;
mod explain;
mod fuse;
mod groups;
mod hoisting;
mod inline_calls;
mod known_conditions;
mod known_shapes;
mod logic;
mod loop_invariants;
mod loop_products;
mod loop_transposes;
mod matmul_epilogue;
mod rebuild;
mod reduction_fusion;
mod reshapes;
mod rewrite;
mod row_fusion;
mod row_updates;
mod safety;
mod shared_orders;
mod slices_in_place;
#[cfg(test)]
mod testing;
mod transposes;
mod type_inference;
mod variable_reads;
mod variable_updates;

use crate::graph::Graph;

pub use driver::{
    Options, Step, called_with, drop_dead_code, inline, optimize, optimize_but_calls,
    optimize_with, optimized_for,
};
pub use explain::Explanation;
pub use rebuild::splice;
pub(crate) use safety::never_fails;

/// One pass.
pub struct Pass {
    /// Its name, for `GRAPH_DISABLE_PASSES`.
    pub name: &'static str,
    /// When it runs.
    phase: Phase,
    reach: Reach,
    /// The graph made of one, in which subgraphs may have other signatures, or `None` if there is nothing to do.
    run: fn(&Graph) -> Option<Graph>,
}

impl Pass {
    /// Its position among all.
    fn position(&self) -> Option<usize> {
        PASSES.iter().position(|pass| pass.name == self.name)
    }
}

/// How much of a graph a pass looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The nodes alone. It runs on each subgraph on its own, inner ones first.
    Each,
    /// The graph with everything in it, at once.
    Whole,
}

/// When a pass runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// In rounds with others.
    Simplify,
    /// Once, behind all rounds.
    Fuse,
}

/// One pass a line, in the order they run: its module, whose name it has, its phase and its reach.
macro_rules! passes {
    ($($name:ident $phase:ident $reach:ident;)*) => {
        /// Every pass, in the order of a round.
        pub const PASSES: &[Pass] = &[$(Pass {
            name: stringify!($name),
            phase: Phase::$phase,
            reach: Reach::$reach,
            run: $name::run,
        }),*];
    };
}

passes! {
    inline_calls Simplify Whole;
    type_inference Simplify Whole;
    known_conditions Simplify Each;
    equal_branches Simplify Each;
    constant_folding Simplify Each;
    loop_invariants Simplify Each;
    hoisting Simplify Each;
    loop_products Simplify Each;
    arithmetic Simplify Each;
    logic Simplify Each;
    casts Simplify Each;
    reshapes Simplify Each;
    transposes Simplify Each;
    known_shapes Simplify Each;
    constant_sizes Simplify Each;
    common_subexpressions Simplify Each;
    shared_orders Simplify Each;
    variable_reads Simplify Each;
    dead_code Simplify Whole;
    loop_transposes Fuse Each;
    row_fusion Fuse Each;
    elementwise_fusion Fuse Each;
    variable_updates Fuse Each;
    row_updates Fuse Each;
    reduction_fusion Fuse Each;
    matmul_epilogue Fuse Each;
    slices_in_place Fuse Each;
}
