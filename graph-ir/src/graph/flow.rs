//! Control flow as passes and derivatives see it: a node with closed subgraphs, and a map from its operands to their inputs and from their
//! outputs to its results. Who only hands values in and out asks here, and needn't know which construct it is.

use std::ops::RangeFrom;

use super::ir::{Node, ValueId};
use super::op::Op;
use super::shared::SharedGraph;

/// How a node of control flow runs its subgraphs.
#[derive(Clone, Copy, Debug)]
pub enum Flow<'a> {
    /// One of them, once. The first operand chooses it; the others are the inputs of each, and its outputs are the results.
    Choice,
    /// A condition and a body in turn, as long as the condition holds. The operands are the inputs of both.
    Loop {
        /// Whether to go on.
        cond: &'a SharedGraph,
        /// One iteration.
        body: &'a SharedGraph,
        /// How many of the inputs, the first ones, are replaced by the body's outputs. The last ones are the results.
        state: usize,
    },
}

impl Flow<'_> {
    /// The position of the operand that is the first input of each subgraph. The next ones follow it.
    pub fn first_operand(self) -> usize {
        match self {
            Flow::Choice => 1,
            Flow::Loop { .. } => 0,
        }
    }

    /// How many of the subgraphs' inputs, the first ones, change from one run of them to the next.
    pub fn state(self) -> usize {
        match self {
            Flow::Choice => 0,
            Flow::Loop { state, .. } => state,
        }
    }

    /// The positions of the operands that each run of a subgraph finds as they are.
    pub fn captured(self) -> RangeFrom<usize> {
        self.first_operand() + self.state()..
    }

    /// True if the outputs of the subgraph of this position are the node's results: not those of a condition.
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

    /// The operands that are the inputs of the subgraphs or of the graph called, in their order.
    pub fn passed(&self) -> &[ValueId] {
        let first = self.flow().map_or(0, |flow| flow.first_operand());
        &self.inputs[first..]
    }
}
