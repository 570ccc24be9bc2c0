//! Reports what each pass did to a graph, and what a device leaves to the CPU.

use std::fmt;

use super::driver::{AppliedPatch, Options, observe};
use crate::device::Device;
use crate::error::Location;
use crate::graph::{Graph, Op};

/// What each pass did to a graph, from [`Graph::explain`]. It is displayed as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The number of nodes of the graph, those in its subgraphs included.
    pub nodes: usize,
    /// Each patch, in order, and the number of nodes after it.
    pub steps: Vec<(AppliedPatch, usize)>,
    /// The device that it is about, and the ops that the device leaves to the CPU.
    pub device: Device,
    /// See `device`.
    pub on_cpu: Vec<OnCpu>,
}

/// An op that a device leaves to the CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnCpu {
    /// The op's name.
    pub op: &'static str,
    /// The user's line.
    pub location: Location,
    /// Why the device doesn't apply it.
    pub reason: String,
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
        self.explain_on(Device::cpu())
    }

    /// Like [`explain`](Self::explain), and lists the ops that a device leaves to the CPU. They are copied to the host and back, so it is worth
    /// knowing them. With `GRAPH_DEVICE_FALLBACK=error` in the environment they fail instead.
    ///
    /// ```
    /// use graph_runtime::device::Device;
    /// use graph_runtime::prelude::*;
    ///
    /// #[graph_fn]
    /// fn different(x: Tensor<i32>) -> Tensor<i32> {
    ///     x.unique().0 * 2
    /// }
    ///
    /// let trace = different::concrete(tensor([1, 2, 1])).unwrap();
    /// if let Ok(gpu) = Device::cuda(0) {
    ///     // on cuda:0, the CPU runs
    ///     //   unique (src/main.rs:6): the order of first occurrences is made by a walk over all values
    ///     println!("{}", trace.graph().explain_on(gpu));
    /// }
    /// assert!(trace.graph().explain_on(Device::cpu()).on_cpu.is_empty());
    /// ```
    pub fn explain_on(&self, device: Device) -> Explanation {
        let mut graph = self.clone();
        let mut steps = Vec::new();
        observe(&mut graph, &Options::from_env(), &mut |step, graph| {
            steps.push((step, graph.size()));
        });
        Explanation {
            nodes: self.size(),
            steps,
            device,
            on_cpu: graph.left_to_cpu_by(device),
        }
    }

    /// The ops of the graph and its subgraphs that a device doesn't apply.
    fn left_to_cpu_by(&self, device: Device) -> Vec<OnCpu> {
        let mut left = Vec::new();
        let mut pending = vec![self];
        while let Some(graph) = pending.pop() {
            for node in &graph.nodes {
                let inner = node.op.inner();
                pending.extend(inner.into_iter().map(|graph| &**graph));
                let Op::Primitive(op, attrs) = &node.op else {
                    continue;
                };
                let types = graph.types(&node.inputs);
                let reason = device.backend().refuses(op, attrs, &types);
                left.extend(reason.map(|reason| OnCpu {
                    op: op.name,
                    location: node.location.clone(),
                    reason,
                }));
            }
        }
        left
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
        write!(f, "runs: {before} nodes")?;
        if !self.on_cpu.is_empty() {
            write!(f, "\non {}, the CPU runs", self.device)?;
        }
        for OnCpu {
            op,
            location,
            reason,
        } in &self.on_cpu
        {
            write!(f, "\n  {op} ({location}): {reason}")?;
        }
        Ok(())
    }
}
