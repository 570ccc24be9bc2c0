//! Elementwise chains become one instruction each.

use std::sync::Arc;

use super::{Lowering, read};
use crate::graph::fusion::FusionRole;
use crate::graph::{Graph, Node, Op, ValueId};
use crate::plan::fused::Chain;
use crate::plan::{Instruction, Register, Source};

impl Lowering {
    /// Appends a chain that ends in a given node, and returns its result.
    pub(super) fn chain(
        &mut self,
        graph: &Graph,
        last: &Node,
        chain: Chain,
        inputs: Vec<Source<Register>>,
    ) -> Source<Register> {
        let result = graph.ty(last.outputs[0]);
        let output = self.register(result);
        let fits = |value: &ValueId| chain.may_overwrite(graph, *value, result);
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
        Source::Computed(output)
    }

    /// Appends the body of a fusion: its chain as one instruction, and before it a product as another instruction unless it is
    /// part of the chain. Appends nothing and returns `None` if the chain can't be a block program.
    pub(super) fn fusion(
        &mut self,
        body: &Graph,
        inputs: &[Source<Register>],
    ) -> Option<Source<Register>> {
        let is_in_chain = |node: &&Node| {
            let part = FusionRole::of(body, node);
            let reduction = matches!(&node.op, Op::Primitive(op, _) if op.reduction.is_some());
            reduction
                || matches!(
                    part,
                    Some(
                        FusionRole::Element
                            | FusionRole::Slice
                            | FusionRole::Row
                            | FusionRole::Roll
                    )
                )
        };
        let nodes: Vec<&Node> = body.nodes.iter().filter(is_in_chain).collect();
        let is_product = |node: &&Node| FusionRole::of(body, node) == Some(FusionRole::Product);
        let before = body.nodes.iter().find(is_product);
        let (last, chain) = (*nodes.last()?, Chain::of(body, &nodes, before)?);
        let mut sources = vec![None; body.values.len()];
        for (value, source) in body.inputs.iter().zip(inputs) {
            sources[value.index()] = Some(*source);
        }
        for node in body.nodes.iter().filter(|node| !is_in_chain(node)) {
            if is_product(&node) && chain.follows_product() {
                continue;
            }
            let output = self.node(body, node, &read(&sources, &node.inputs))[0];
            sources[node.outputs[0].index()] = Some(output);
        }
        let operands = read(&sources, &chain.inputs);
        Some(self.chain(body, last, chain, operands))
    }
}
