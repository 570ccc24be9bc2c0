//! Optimization: small passes that rewrite a graph. Tracing builds graphs as the user wrote them; the passes run before planning,
//! which doesn't optimize graphs. Most passes run in rounds until none changes anything; the passes that fuse run once at the end,
//! because a fusion hides its ops from the others.
//!
//! Passes must keep results bitwise the same. Prints, assertions, summaries and writes of variables keep their order, and a read of a variable stays
//! between the writes around it. An op that may fail can be dropped if nobody needs its result (execution is
//! non-strict).
//!
//! What a pass does to a graph or subgraph is a patch, which is applied completely or not at all: if the types of its nodes don't fit,
//! it is dropped. That happens for a program that must fail at some node, and whose shapes are known more precisely now; then the run
//! reports the error in the user's terms. Only nodes that a patch changes are checked (`patch`); debug builds verify the whole graph.
//!
//! To find a faulty pass, [`Graph::explain`] lists what each pass did. The environment variable `GRAPH_DISABLE_PASSES` names passes
//! to skip, separated by commas. For bisection, `GRAPH_PASS_LIMIT` is the maximum number of patches.

mod arithmetic;
mod casts;
mod common_subexpressions;
mod constant_folding;
mod constant_sizes;
mod dead_code;
#[cfg(test)]
mod depth_tests;
mod driver;
mod drop_summaries;
mod elementwise_fusion;
mod equal_branches;
mod explain;
mod fuse;
mod groups;
mod hoisting;
mod inline_calls;
mod kept_axes;
mod known_conditions;
mod known_shapes;
mod late_transposes;
mod logic;
mod loop_invariants;
mod loop_products;
mod loop_transposes;
mod patch;
mod product_epilogue;
mod rebuild;
mod reduction_fusion;
mod reshapes;
mod rewrite;
mod row_fusion;
mod row_updates;
mod safety;
mod scalars_first;
mod shared_orders;
mod slices_in_place;
#[cfg(test)]
mod testing;
mod transposes;
mod type_inference;
mod variable_reads;
mod variable_updates;

use self::patch::Patch;
use crate::graph::Graph;

pub use driver::{
    AppliedPatch, Options, called_with, drop_dead_code, inline, optimize, optimize_for_callers,
    optimize_with, optimized_for,
};
pub use drop_summaries::drop_summaries;
pub use explain::Explanation;
pub use rebuild::splice;
pub(crate) use safety::never_fails;

/// One pass.
pub struct Pass {
    /// The name, for `GRAPH_DISABLE_PASSES`.
    pub name: &'static str,
    /// When it runs.
    phase: Phase,
    reach: Reach,
    /// Returns the patch, or `None` if the pass changes nothing. The signatures of subgraphs may change.
    run: fn(&Graph) -> Option<Patch>,
}

impl Pass {
    /// The position in [`PASSES`].
    fn position(&self) -> Option<usize> {
        PASSES.iter().position(|pass| pass.name == self.name)
    }
}

/// How much of a graph a pass gets at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// One graph without its subgraphs. The pass runs on each subgraph separately, inner ones first.
    Each,
    /// The graph with everything inside it.
    Whole,
}

/// When a pass runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// In rounds with others.
    Simplify,
    /// Once, after all rounds.
    Fuse,
}

/// One pass per line, in the order in which they run: the module, whose name is the pass's name, the phase and the reach.
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
    kept_axes Simplify Each;
    transposes Simplify Each;
    late_transposes Simplify Each;
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
    scalars_first Fuse Each;
    reduction_fusion Fuse Each;
    product_epilogue Fuse Each;
    slices_in_place Fuse Each;
}
