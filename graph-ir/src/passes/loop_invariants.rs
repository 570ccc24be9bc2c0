//! Loop state that never changes (the body returns its input) becomes a loop-invariant operand, which costs nothing
//! per iteration; the loop's output is replaced by the initial value.

use super::patch::Patch;
use super::rebuild::{Rebuild, kept, retain_outputs};
use crate::graph::{Flow, Graph, Node, ValueId};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    if !graph.nodes.iter().any(|n| changing(n).is_some()) {
        return None;
    }
    let mut rebuild = Rebuild::new(graph);
    for node in &graph.nodes {
        let Some(changing) = changing(node) else {
            rebuild.keep(node);
            continue;
        };
        let constant: Vec<bool> = changing.iter().map(|c| !c).collect();
        let mut op = node.op.clone();
        for (i, subgraph) in op.subgraphs_mut().into_iter().enumerate() {
            subgraph.inputs = reordered(&subgraph.inputs, &changing, &constant);
            if node.flow().is_some_and(|flow| flow.gives_results(i)) {
                retain_outputs(subgraph, &changing);
            }
        }
        let inputs = reordered(&node.inputs, &changing, &constant);
        rebuild.keep_as(node, op, &inputs, &kept(&node.outputs, &changing));
        let first = rebuild.all_new_of(&kept(&node.inputs, &constant));
        rebuild.replace_all(&kept(&node.outputs, &constant), first);
    }
    Some(rebuild.finish())
}

/// For a loop with state that never changes: for each state value, whether it changes.
fn changing(node: &Node) -> Option<Vec<bool>> {
    let Some(Flow::Loop { body, .. }) = node.flow() else {
        return None;
    };
    let changing: Vec<bool> = body
        .outputs
        .iter()
        .zip(&body.inputs)
        .map(|(out, input)| out != input)
        .collect();
    changing.contains(&false).then_some(changing)
}

/// The changing state, then the invariant operands, then the state that doesn't change.
fn reordered(values: &[ValueId], changing: &[bool], constant: &[bool]) -> Vec<ValueId> {
    let mut reordered = kept(values, changing);
    reordered.extend(&values[changing.len()..]);
    reordered.extend(kept(values, constant));
    reordered
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::check;

    #[test]
    fn unchanged_state_becomes_an_operand() {
        check(
            super::run,
            "graph (a: int32[], n: int32[], k: int32[]) -> (int32[], int32[]) {
              m, i = while_loop (n, a; k) : int32[], int32[] {
                cond (n: int32[], i: int32[], k: int32[]) { p = less(i, n) : bool[] return p }
                body (n: int32[], i: int32[], k: int32[]) { j = add(i, k) : int32[] return n, j }
              }
              return m, i
            }",
            "graph (a: int32[], n: int32[], k: int32[]) -> (int32[], int32[]) {
              i = while_loop (a; k, n) : int32[] {
                cond (i: int32[], k: int32[], n: int32[]) { p = less(i, n) : bool[] return p }
                body (i: int32[], k: int32[], n: int32[]) { j = add(i, k) : int32[] return j }
              }
              return n, i
            }",
        );
    }
}
