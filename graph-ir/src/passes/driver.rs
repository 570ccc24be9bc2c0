//! Runs the passes: their order, how often, and on which graphs. A patch whose types don't fit is dropped. Debug builds verify the whole
//! graph after each patch.

use smallvec::SmallVec;

use super::patch::Patch;
use super::{PASSES, Pass, Phase, Reach, type_inference};
use crate::graph::{Graph, Node, SharedGraph, TensorType, steps, verify};
use crate::nesting::with_stack_for;

/// The number of rounds after which optimization stops even if the last round changed something.
const MAX_ROUNDS: usize = 16;

/// Which passes run, and how many patches are applied.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The names of passes to skip, separated by commas.
    pub disabled: String,
    /// The maximum number of patches; `None` is no limit.
    pub limit: Option<usize>,
}

impl Options {
    /// The options in the environment variables `GRAPH_DISABLE_PASSES` and `GRAPH_PASS_LIMIT`.
    pub fn from_env() -> Options {
        Options {
            disabled: std::env::var("GRAPH_DISABLE_PASSES").unwrap_or_default(),
            limit: std::env::var("GRAPH_PASS_LIMIT")
                .ok()
                .and_then(|text| text.trim().parse().ok()),
        }
    }

    /// All passes except these, without a limit.
    pub fn without(disabled: &[&str]) -> Options {
        Options {
            disabled: disabled.join(","),
            limit: None,
        }
    }

    /// Whether the pass with this name isn't skipped.
    pub fn enables(&self, pass: &str) -> bool {
        self.disabled.split(',').all(|name| name.trim() != pass)
    }
}

/// A patch that was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AppliedPatch {
    /// The pass that made it.
    pub pass: &'static str,
    /// The round, from 1; `None` for passes that run once after all rounds.
    pub round: Option<usize>,
}

/// Runs all passes that the environment doesn't disable. The graph must [`verify`] before, and does afterwards.
pub fn optimize(graph: &mut Graph) {
    optimize_with(graph, &Options::from_env());
}

/// The graph specialized to more precise input types and optimized. `None` if the graph always fails for inputs of these types, or if type
/// inference is disabled.
pub fn optimized_for(graph: &Graph, inputs: &[TensorType]) -> Option<Graph> {
    let options = Options::from_env();
    let inference = PASSES.iter().find(|pass| pass.name == "type_inference")?;
    if !options.enables(inference.name) {
        return None;
    }
    let mut graph = with_stack_for(graph.depth(), || type_inference::for_inputs(graph, inputs))?;
    optimize_with(&mut graph, &options);
    Some(graph)
}

/// A copy of a called graph that is specialized to these operand types; the graph itself if they aren't more precise or always fail.
pub fn called_with(graph: SharedGraph, operands: &[TensorType]) -> SharedGraph {
    // A custom gradient fits only the types that the graph has.
    if graph.derivation.is_some() || graph.types(&graph.inputs) == operands {
        return graph;
    }
    let sharpened = with_stack_for(graph.depth(), || {
        type_inference::for_inputs(&graph, operands)
    });
    sharpened.map_or(graph, SharedGraph::from)
}

/// Like [`optimize`], with these options.
pub fn optimize_with(graph: &mut Graph, options: &Options) {
    observe(graph, options, &mut |_, _| {});
}

/// Like [`optimize`], for a graph that is inlined or differentiated. Calls aren't inlined. A variable is read where it was assigned before,
/// because no gradient flows through an assignment: with what was assigned in place of the read, one would.
pub fn optimize_for_callers(graph: &mut Graph) {
    let mut options = Options::from_env();
    options.disabled.push_str(",inline_calls,variable_reads");
    optimize_with(graph, &options);
}

/// Only removes nodes that no result and no effect needs.
pub fn drop_dead_code(graph: &mut Graph) {
    optimize_only(graph, &["dead_code"]);
}

/// Only inlines calls.
pub fn inline(graph: &mut Graph) {
    optimize_only(graph, &["inline_calls", "dead_code"]);
}

fn optimize_only(graph: &mut Graph, passes: &[&str]) {
    let others = PASSES.iter().map(|pass| pass.name);
    let others: Vec<&str> = others.filter(|name| !passes.contains(name)).collect();
    optimize_with(graph, &Options::without(&others));
}

/// Like [`optimize_with`]; `observer` is called after each patch with the resulting graph.
pub(super) fn observe(
    graph: &mut Graph,
    options: &Options,
    observer: &mut (dyn FnMut(AppliedPatch, &Graph) + Send),
) {
    with_stack_for(graph.depth(), || run_passes(graph, options, observer));
}

fn run_passes(
    graph: &mut Graph,
    options: &Options,
    observer: &mut (dyn FnMut(AppliedPatch, &Graph) + Send),
) {
    let mut run = Run {
        is_nested: is_nested(graph),
        graph,
        left: options.limit.unwrap_or(usize::MAX),
        observer,
    };
    let of = |phase: Phase| {
        let passes = PASSES.iter().filter(move |pass| pass.phase == phase);
        passes.filter(|pass| options.enables(pass.name))
    };
    let simplifying: Vec<&Pass> = of(Phase::Simplify).collect();
    run.until_fixed(&simplifying);
    for pass in of(Phase::Fuse) {
        run.apply(pass, None);
    }
}

struct Run<'a> {
    graph: &'a mut Graph,
    /// Whether the graph has subgraphs that passes run on.
    is_nested: bool,
    /// How many patches may still be applied.
    left: usize,
    observer: &'a mut (dyn FnMut(AppliedPatch, &Graph) + Send),
}

impl Run<'_> {
    /// Runs the passes in rounds until none of them changes anything.
    fn until_fixed(&mut self, passes: &[&'static Pass]) {
        let mut idle = 0;
        for round in 1..=MAX_ROUNDS {
            for pass in passes {
                idle = if self.apply(pass, Some(round)) {
                    0
                } else {
                    idle + 1
                };
                if idle >= passes.len() {
                    return;
                }
            }
        }
    }

    /// Runs one pass on the graph and its subgraphs, as a patch. Returns whether it changed the graph.
    fn apply(&mut self, pass: &'static Pass, round: Option<usize>) -> bool {
        if self.left == 0 {
            return false;
        }
        let patched = match pass.reach {
            Reach::Each if self.is_nested => each(pass.run, pass.position(), self.graph),
            Reach::Each | Reach::Whole => applied(pass.run, self.graph),
        };
        let Some(patched) = patched else {
            return false;
        };
        if cfg!(debug_assertions)
            && let Err(error) = verify(&patched)
        {
            panic!("pass `{}`: {error}\n{patched}", pass.name);
        }
        self.is_nested = is_nested(&patched);
        *self.graph = patched;
        self.left -= 1;
        (self.observer)(
            AppliedPatch {
                pass: pass.name,
                round,
            },
            self.graph,
        );
        true
    }
}

/// The subgraphs of a node on which passes run: not the finished body of a fusion or an update.
fn open_subgraphs(node: &Node) -> SmallVec<[&SharedGraph; 2]> {
    match node.op.is_chain() {
        true => SmallVec::new(),
        false => node.op.shared(),
    }
}

/// Whether a graph has subgraphs on which passes run.
fn is_nested(graph: &Graph) -> bool {
    let nodes = graph.nodes.iter();
    nodes.map(open_subgraphs).any(|open| !open.is_empty())
}

/// Runs a pass on the subgraphs of a graph, except the finished bodies of fusions and updates, and then on the graph itself. Returns
/// the rewritten graph, or `None` if nothing changed.
#[cfg(test)]
pub(super) fn everywhere(run: fn(&Graph) -> Option<Patch>, graph: &Graph) -> Option<Graph> {
    each(run, None, graph)
}

/// Runs a pass on a graph. `None` if nothing changes, or if the types don't fit afterwards.
fn applied(run: fn(&Graph) -> Option<Patch>, graph: &Graph) -> Option<Graph> {
    run(graph).filter(Patch::fits).map(Patch::into_graph)
}

/// Like [`everywhere`], but skips subgraphs in which this pass, by its position, has found nothing to do before.
fn each(run: fn(&Graph) -> Option<Patch>, pass: Option<usize>, graph: &Graph) -> Option<Graph> {
    let inside = inside(run, pass, graph);
    applied(run, inside.as_ref().unwrap_or(graph)).or(inside)
}

/// Runs a pass on the subgraphs of a graph.
fn inside(run: fn(&Graph) -> Option<Patch>, pass: Option<usize>, graph: &Graph) -> Option<Graph> {
    steps::count(graph.nodes.len());
    let mut patched: Option<Graph> = None;
    let mut changed = Vec::new();
    for (i, node) in graph.nodes.iter().enumerate() {
        for (j, subgraph) in open_subgraphs(node).into_iter().enumerate() {
            if pass.is_some_and(|pass| subgraph.is_settled(pass)) {
                continue;
            }
            if let Some(new) = each(run, pass, subgraph) {
                let patched = patched.get_or_insert_with(|| graph.clone());
                let new = SharedGraph::from(new);
                new.note_fits();
                *patched.nodes[i].op.shared_mut()[j] = new;
                changed.push(i);
            } else if let Some(pass) = pass {
                subgraph.settle(pass);
            }
        }
    }
    let patch = Patch::new(patched?, changed);
    patch.fits().then(|| patch.into_graph())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Runs in a child process, because environment variables belong to the whole process.
    #[test]
    fn the_environment_says_which_passes_run_and_how_often() {
        let child = "GRAPH_TEST_OPTIONS";
        if std::env::var_os(child).is_some() {
            let options = Options::from_env();
            let enabled = PASSES.iter().filter(|pass| options.enables(pass.name));
            assert_eq!(enabled.count(), PASSES.len() - 2);
            return assert_eq!(options.limit, Some(7));
        }
        let name = "passes::driver::tests::the_environment_says_which_passes_run_and_how_often";
        let process = Command::new(std::env::current_exe().expect("this program"))
            .args([name, "--exact"])
            .env("GRAPH_DISABLE_PASSES", "dead_code, casts")
            .env("GRAPH_PASS_LIMIT", " 7")
            .env(child, "1")
            .output()
            .expect("a process");
        let text = String::from_utf8_lossy(&process.stdout);
        assert!(
            process.status.success() && text.contains("1 passed"),
            "{text}"
        );
    }
}
