//! The graph of a function that runs a second time for its gradient, as [`recompute`](super::recompute) requests. Prints,
//! assertions and changes of variables aren't repeated. The seeds are drawn and the variables are read before the call, and are passed as
//! operands, so that the second run gets the same random numbers and values.

use super::inline;
use crate::error::{Error, Location};
use crate::graph::{Graph, Op, VariableId};
use crate::nesting::with_stack_for;
use crate::passes;
use crate::trace;

/// Turns the seeds that a graph draws into additional inputs at the end, and returns their streams. Does nothing if some seeds are
/// drawn in branches or loops.
pub(super) fn seeds_as_inputs(graph: &mut Graph) -> Vec<(Option<i64>, Location)> {
    inline::calls(graph, &|op| op.any(&is_seed));
    let in_subgraphs = |op: &Op| !is_seed(op) && op.any(&is_seed);
    if graph.nodes.iter().any(|node| in_subgraphs(&node.op)) {
        return Vec::new();
    }
    let mut streams = Vec::new();
    let Graph { nodes, inputs, .. } = graph;
    nodes.retain(|node| match node.op {
        Op::NextSeed(stream) => {
            inputs.extend(&node.outputs);
            streams.push((stream, node.location.clone()));
            false
        }
        _ => true,
    });
    streams
}

fn is_seed(op: &Op) -> bool {
    matches!(op, Op::NextSeed(_))
}

/// The graph for the second run. `None`, with an error that is recorded, if it might give other results than the first run.
pub(super) fn repetition(graph: &Graph, location: &Location) -> Option<Graph> {
    let mut again = graph.clone();
    with_stack_for(again.depth(), || drop_effects(&mut again));
    passes::drop_dead_code(&mut again);
    let wrong = differs(graph, &again);
    let is_same = wrong.is_none();
    if let Some(text) = wrong {
        trace::record(Error::trace(text, location.clone()));
    }
    is_same.then_some(again)
}

/// Why a second run of a graph may give other results.
fn differs(graph: &Graph, again: &Graph) -> Option<String> {
    if again.any_op(&is_seed) {
        let text = "this gradient runs a function once more that takes random seeds in a branch or loop: they would be others. Draw before \
                    it, or from seeds of the program (`random::stateless`)";
        return Some(text.to_owned());
    }
    let reads = |id| again.nodes.iter().any(|node| node.op.reads(id));
    let mut variables = (0..).map(VariableId).zip(&graph.variables);
    let (_, changed) = variables.find(|(id, _)| graph.writes(*id) && reads(*id))?;
    let name = changed.name.as_deref().unwrap_or("?");
    Some(format!(
        "this gradient runs a function once more that calculates with the variable `{name}` and changes it: it would be another value. \
         Read it before, or change it behind"
    ))
}

/// Removes nodes that have only effects.
fn drop_effects(graph: &mut Graph) {
    graph.nodes.retain(|node| !only_has_effect(&node.op));
    for node in graph.nodes.iter_mut().filter(|node| node.op.has_effect()) {
        if let Op::Call { graph, .. } = &mut node.op {
            drop_effects(graph);
        }
        node.op.subgraphs_mut().into_iter().for_each(drop_effects);
    }
}

fn only_has_effect(op: &Op) -> bool {
    matches!(
        op,
        Op::Print(_)
            | Op::Assert(_)
            | Op::Summary(_)
            | Op::AssignVariable(_)
            | Op::UpdateVariable { .. }
    )
}
