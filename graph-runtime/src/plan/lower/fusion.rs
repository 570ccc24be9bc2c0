//! Elementwise chains become one instruction each.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{Lowering, read};
use crate::graph::{Graph, Node, ValueId};
use crate::plan::fused::{Chain, element};
use crate::plan::{Instruction, Source};

impl Lowering {
    /// Appends a chain whose last node is given, and gives its result.
    pub(super) fn chain(
        &mut self,
        graph: &Graph,
        last: &Node,
        chain: Chain,
        inputs: Vec<Source>,
    ) -> Source {
        let result = graph.ty(last.outputs[0]);
        let output = self.register(result);
        let fits = |value: &ValueId| chain.fused.may_overwrite(graph.ty(*value), result);
        let overwritable = chain.inputs.iter().map(fits).collect();
        let fused = Arc::new(chain.fused);
        self.emit(
            Instruction::Fused {
                fused,
                inputs,
                overwritable,
                output,
            },
            &last.location,
        );
        Source::Slot(output)
    }

    /// Appends the body of a fusion: its chain as one instruction, a product before it and a reduction behind it as others.
    /// Appends nothing and gives `None` if the chain makes no program.
    pub(super) fn fusion(&mut self, body: &Graph, inputs: &[Source]) -> Option<Source> {
        let is_element = |node: &&Node| element(body, node).is_some();
        let nodes: Vec<&Node> = body.nodes.iter().filter(is_element).collect();
        let (last, chain) = (*nodes.last()?, Chain::of(body, &nodes)?);
        // Only its last value is there for what follows.
        let hidden: FxHashSet<ValueId> = nodes[..nodes.len() - 1]
            .iter()
            .map(|n| n.outputs[0])
            .collect();
        let others = body.nodes.iter().filter(|node| !is_element(node));
        if others
            .flat_map(|node| &node.inputs)
            .any(|v| hidden.contains(v))
        {
            return None;
        }
        let mut sources = vec![None; body.values.len()];
        for (value, source) in body.inputs.iter().zip(inputs) {
            sources[value.index()] = Some(*source);
        }
        let mut chain = Some(chain);
        for node in &body.nodes {
            let output = match &node.op {
                _ if !is_element(&node) => self.node(body, node, &read(&sources, &node.inputs))[0],
                _ if !std::ptr::eq(node, last) => continue,
                _ => {
                    let chain = chain.take()?;
                    let operands = read(&sources, &chain.inputs);
                    self.chain(body, last, chain, operands)
                }
            };
            sources[node.outputs[0].index()] = Some(output);
        }
        sources[body.outputs[0].index()]
    }
}
