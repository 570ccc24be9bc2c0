//! Optimization: small passes over a graph, run in rounds until none changes anything. Between tracing, which
//! builds graphs as the user wrote them, and the plan, which takes a graph as it is.
//!
//! What a pass may do: results stay the same to the last bit, prints and assertions stay in their order. An op that
//! may fail but whose result nobody needs may be dropped (execution is non-strict).
//!
//! Each pass is a patch that applies whole or not at all: one whose result has types that don't fit is undone. That
//! is a program which must fail when it comes to that node, found out because its shapes are known better now; the
//! run says so in the user's terms.
//!
//! The environment variable `GRAPH_DISABLE_PASSES` names passes to skip, with commas between them.

mod common_subexpressions;
mod constant_folding;
mod dead_code;
mod inline_calls;
mod known_conditions;
mod loop_invariants;
mod rebuild;

use crate::graph::{Graph, Op, Violation, verify};

/// One pass.
pub struct Pass {
    /// Its name, for `GRAPH_DISABLE_PASSES`.
    pub name: &'static str,
    /// Changes one graph and the signatures of subgraphs in it, and says whether it did. Subgraphs come first, on
    /// their own.
    run: fn(&mut Graph) -> bool,
}

/// Every pass, in the order of a round.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "inline_calls",
        run: inline_calls::run,
    },
    Pass {
        name: "known_conditions",
        run: known_conditions::run,
    },
    Pass {
        name: "constant_folding",
        run: constant_folding::run,
    },
    Pass {
        name: "loop_invariants",
        run: loop_invariants::run,
    },
    Pass {
        name: "common_subexpressions",
        run: common_subexpressions::run,
    },
    Pass {
        name: "dead_code",
        run: dead_code::run,
    },
];

/// Rounds after which optimization ends even if the last one changed something.
const MAX_ROUNDS: usize = 16;

/// Runs all passes that `GRAPH_DISABLE_PASSES` doesn't name. The graph must [`verify`], and does afterwards.
pub fn optimize(graph: &mut Graph) {
    let disabled = std::env::var("GRAPH_DISABLE_PASSES").unwrap_or_default();
    optimize_without(graph, &disabled);
}

/// Like [`optimize`], with the passes to skip given, with commas between them.
pub fn optimize_without(graph: &mut Graph, disabled: &str) {
    let enabled = |pass: &&Pass| disabled.split(',').all(|name| name.trim() != pass.name);
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for pass in PASSES.iter().filter(enabled) {
            changed |= apply(pass, graph);
        }
        if !changed {
            return;
        }
    }
}

/// Runs one pass over a graph and its subgraphs, as a patch.
fn apply(pass: &Pass, graph: &mut Graph) -> bool {
    let mut patched = graph.clone();
    if !everywhere(pass.run, &mut patched) {
        return false;
    }
    match verify(&patched) {
        Ok(()) => {
            *graph = patched;
            true
        }
        Err(error) => {
            debug_assert!(
                error.violation == Violation::Type,
                "pass `{}`: {error}\n{patched}",
                pass.name
            );
            false
        }
    }
}

/// Runs a pass on a graph and its subgraphs, but for the bodies of fusions: those are finished.
fn everywhere(run: fn(&mut Graph) -> bool, graph: &mut Graph) -> bool {
    let mut changed = false;
    for node in &mut graph.nodes {
        if matches!(node.op, Op::Fusion { .. }) {
            continue;
        }
        for subgraph in node.op.subgraphs_mut() {
            changed |= everywhere(run, subgraph);
        }
    }
    run(graph) | changed
}

#[cfg(test)]
mod testing;
