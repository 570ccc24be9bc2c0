//! Control flow in a uniform form, for passes and derivatives: a node with closed subgraphs, and the mapping between its operands and outputs and
//! those of the subgraphs. Code that only passes values in and out uses this, and needs no case for each construct.

use std::ops::RangeFrom;

use super::ir::{Node, ValueId};
use super::op::Op;
use super::shared::SharedGraph;

/// How a control-flow node runs its subgraphs.
#[derive(Clone, Copy, Debug)]
pub enum Flow<'a> {
    /// One of the subgraphs runs once. The first operand chooses it; the other operands are its inputs, and its outputs are the results.
    Choice,
    /// A condition and a body run alternately while the condition is true. The operands are the inputs of both.
    Loop {
        /// Returns whether to run another iteration.
        cond: &'a SharedGraph,
        /// One iteration.
        body: &'a SharedGraph,
        /// The length of the state: the body's outputs replace that many first inputs, and in the end they are the results.
        state: usize,
    },
}

impl Flow<'_> {
    /// The position of the operand that is the first input of each subgraph. The other inputs follow it.
    pub fn first_operand(self) -> usize {
        match self {
            Flow::Choice => 1,
            Flow::Loop { .. } => 0,
        }
    }

    /// How many of the subgraphs' first inputs change between runs.
    pub fn state(self) -> usize {
        match self {
            Flow::Choice => 0,
            Flow::Loop { state, .. } => state,
        }
    }

    /// The positions of the operands that don't change between runs of a subgraph.
    pub fn captured(self) -> RangeFrom<usize> {
        self.first_operand() + self.state()..
    }

    /// True if the outputs of the subgraph at this position are the node's results; false for a condition.
    pub fn gives_results(self, subgraph: usize) -> bool {
        matches!(self, Flow::Choice) || subgraph > 0
    }
}

impl Node {
    /// How the node runs its subgraphs; `None` if it isn't control flow.
    pub fn flow(&self) -> Option<Flow<'_>> {
        match &self.op {
            Op::Cond { .. } | Op::SwitchCase { .. } => Some(Flow::Choice),
            Op::WhileLoop { cond, body } => Some(Flow::Loop {
                cond,
                body,
                state: self.outputs.len(),
            }),
            _ => None,
        }
    }

    /// The operands that are the inputs of the subgraphs or of the called graph, in their order.
    pub fn passed(&self) -> &[ValueId] {
        let first = self.flow().map_or(0, |flow| flow.first_operand());
        &self.inputs[first..]
    }
}
