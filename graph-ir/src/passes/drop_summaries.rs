//! Removes the summaries of a graph, for runs in which nothing writes them. It is no pass of a round: the graph with its summaries is kept
//! for the runs in which something does.

use rustc_hash::FxHashMap;

use crate::graph::{Graph, Op, SharedGraph};
use crate::nesting::with_stack_for;

/// Removes the summaries, at all depths and from called graphs. What only they need is dead code afterwards.
pub fn drop_summaries(graph: &mut Graph) {
    with_stack_for(graph.depth(), || Dropped::default().from(graph));
}

/// The graphs that were visited, with and without their summaries: a graph that several nodes hold is visited once, and shared again.
#[derive(Default)]
struct Dropped(FxHashMap<*const Graph, [SharedGraph; 2]>);

impl Dropped {
    fn from(&mut self, graph: &mut Graph) {
        let is_summary = |op: &Op| matches!(op, Op::Summary(_));
        graph.nodes.retain(|node| !is_summary(&node.op));
        for node in &mut graph.nodes {
            for inner in node.op.inner_mut() {
                if inner.has_summaries() {
                    *inner = self.without(inner);
                }
            }
        }
    }

    fn without(&mut self, graph: &SharedGraph) -> SharedGraph {
        if let Some([_, without]) = self.0.get(&graph.as_ptr()) {
            return without.clone();
        }
        let mut without = Graph::clone(graph);
        self.from(&mut without);
        let without = SharedGraph::from(without);
        // The graph itself is kept, so that no other one gets its address.
        self.0
            .insert(graph.as_ptr(), [graph.clone(), without.clone()]);
        without
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_go_at_all_depths_and_nothing_else_does() {
        let graph = |summary: &str| {
            format!(
                "fn f(x: float32[], s: int64[]) -> (float32[]) {{ {summary} print(x) return x }}
                graph (p: bool[], x: float32[], s: int64[]) -> (float32[]) {{
                    y = call f(x, s) : float32[]
                    z = call f(y, s) : float32[]
                    w = cond p (z, s) : float32[] {{
                        then (x: float32[], s: int64[]) {{ v = call f(x, s) : float32[] {summary} return v }}
                        else (x: float32[], s: int64[]) {{ return x }}
                    }}
                    return w
                }}"
            )
        };
        let parsed = |summary: &str| -> Graph { graph(summary).parse().unwrap() };
        let mut with = parsed("summary_scalar(\"x\", x, s)");
        assert!(SharedGraph::from(with.clone()).has_summaries());
        drop_summaries(&mut with);
        assert_eq!(with.to_string(), parsed("").to_string());
        assert!(!SharedGraph::from(with.clone()).has_summaries());
        // The calls still share one graph.
        let called = |node: usize| with.nodes[node].op.inner()[0].as_ptr();
        assert_eq!(called(0), called(1));
    }

    #[test]
    fn graphs_that_share_calls_are_visited_once() {
        let mut text = String::from(
            "fn f0(x: float32[], s: int64[]) -> (float32[]) { summary_scalar(\"x\", x, s) return x }\n",
        );
        for i in 1..=16 {
            let call = format!("call f{}", i - 1);
            text += &format!(
                "fn f{i}(x: float32[], s: int64[]) -> (float32[]) {{ y = {call}(x, s) : float32[] z = {call}(y, s) : float32[] return z }}\n"
            );
        }
        text += "graph (x: float32[], s: int64[]) -> (float32[]) { y = call f16(x, s) : float32[] return y }";
        let mut graph: Graph = text.parse().unwrap();
        drop_summaries(&mut graph);
        assert!(!graph.any_op(&|op| matches!(op, Op::Summary(_))));
        let mut level: &Graph = graph.nodes[0].op.inner()[0];
        while let [first, second] = &level.nodes[..] {
            let called = [first, second].map(|node| node.op.inner()[0]);
            assert!(called[0].is_same(called[1]));
            level = called[0];
        }
    }
}
