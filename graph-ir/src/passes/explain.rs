//! Reports what each pass did to a graph.

use std::fmt;

use super::driver::{AppliedPatch, Options, observe};
use crate::graph::Graph;

/// What each pass did to a graph, from [`Graph::explain`]. It is displayed as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The number of nodes of the graph, those in its subgraphs included.
    pub nodes: usize,
    /// Each patch, in order, and the number of nodes after it.
    pub steps: Vec<(AppliedPatch, usize)>,
}

impl Graph {
    /// What the optimizer does to the graph: its patches in each round, with the number of nodes before and after. The passes
    /// run on a copy, in the same way as after tracing.
    ///
    /// # Examples
    /// ```
    /// use graph_runtime::prelude::*;
    ///
    /// #[graph_fn]
    /// fn scaled(x: Tensor<f32>) -> Tensor<f32> {
    ///     let half = tensor(1.0) / 2.0;
    ///     (x * half).exp()
    /// }
    ///
    /// let trace = scaled::concrete(tensor([1.0, 2.0])).unwrap();
    /// assert_eq!(
    ///     trace.graph().explain().to_string(),
    ///     "\
    /// traced: 5 nodes
    /// round 1
    ///   constant_folding         5 -> 5 nodes
    ///   dead_code                5 -> 3 nodes
    /// then
    ///   elementwise_fusion       3 -> 4 nodes
    /// runs: 4 nodes"
    /// );
    /// ```
    pub fn explain(&self) -> Explanation {
        let mut graph = self.clone();
        let mut steps = Vec::new();
        observe(&mut graph, &Options::from_env(), &mut |step, graph| {
            steps.push((step, graph.size()));
        });
        Explanation {
            nodes: self.size(),
            steps,
        }
    }

    /// The number of nodes of the graph and its subgraphs, without called graphs.
    fn size(&self) -> usize {
        let mut size = 0;
        let mut pending = vec![self];
        while let Some(graph) = pending.pop() {
            size += graph.nodes.len();
            pending.extend(graph.nodes.iter().flat_map(|node| node.op.subgraphs()));
        }
        size
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "traced: {} nodes", self.nodes)?;
        let mut before = self.nodes;
        let mut round = Some(0);
        for (step, after) in &self.steps {
            if step.round != round {
                round = step.round;
                match round {
                    Some(round) => writeln!(f, "round {round}")?,
                    None => writeln!(f, "then")?,
                }
            }
            writeln!(f, "  {:<24} {before} -> {after} nodes", step.pass)?;
            before = *after;
        }
        write!(f, "runs: {before} nodes")
    }
}
