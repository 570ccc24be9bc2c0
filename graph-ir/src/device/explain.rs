//! What a device does with a graph: what the passes do to it, and which ops the device leaves to the CPU.

use std::fmt;

use super::Device;
use crate::error::Location;
use crate::graph::{Graph, Op};
use crate::passes::{Explanation, optimize};

/// What a device does with a graph, from [`Graph::explain_on`]. It is displayed as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplanationOn {
    /// What the passes do.
    pub passes: Explanation,
    /// The device.
    pub device: Device,
    /// The ops that the device leaves to the CPU.
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
    pub fn explain_on(&self, device: Device) -> ExplanationOn {
        let mut optimized = self.clone();
        optimize(&mut optimized);
        ExplanationOn {
            passes: self.explain(),
            device,
            on_cpu: left_to_cpu(&optimized, device),
        }
    }
}

/// The ops of a graph and its subgraphs that a device doesn't apply.
fn left_to_cpu(graph: &Graph, device: Device) -> Vec<OnCpu> {
    let mut left = Vec::new();
    let mut pending = vec![graph];
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

impl fmt::Display for ExplanationOn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.passes)?;
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
