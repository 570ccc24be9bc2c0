//! The operation of a node: one variant per kind of node, and queries. All ops of the op table are one variant; the other variants hold
//! what a table can't describe, such as subgraphs, messages and variables.

use std::sync::Arc;

use graph_kernels::Array;
use smallvec::{SmallVec, smallvec};

use super::ir::{Graph, VariableId};
use crate::graph::message::{Message, Print};
use crate::graph::shared::{SharedGraph, Variables};
use crate::graph::summary::Summary;
use crate::ops::{self, Attrs, OpDef};
use crate::recipes::Recipe;

/// The operation of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// A constant array. No inputs, one output.
    Constant(Arc<Array>),
    /// An operation of the op table. The type of its output follows from its row.
    Primitive(&'static OpDef, Attrs),
    /// Prints a message that shows its inputs (an effect).
    Print(Box<Print>),
    /// Fails the run if its first input, a boolean scalar, is false (an effect). The message shows the other inputs.
    Assert(Box<Message>),
    /// Hands its first input to the writer of summaries, if there is one (an effect). The second input is the step, an `int64` scalar.
    Summary(Summary),
    /// Takes the next seed of a random stream (an effect: each execution takes another seed). No inputs, one output, `int64[2]`,
    /// which is the operand of random ops. With a number, it is the stream of the ops with that seed, otherwise the global
    /// stream.
    NextSeed(Option<i64>),
    /// A step of an iteration over a dataset.
    Iteration(IterationStep),
    /// Reads the value of a variable at this point of the program. No inputs, one output.
    ReadVariable(VariableId),
    /// Assigns its only input to a variable (an effect). No outputs.
    AssignVariable(VariableId),
    /// Replaces a variable's value by the result of the body (an effect), atomically for other threads. The body's first input is the
    /// variable's value, and the node's inputs are the others. No outputs.
    UpdateVariable {
        /// The variable.
        variable: VariableId,
        /// One primitive whose first operand is the variable's value, or elementwise primitives as in a fusion.
        body: SharedGraph,
    },
    /// Inputs: a boolean scalar, then the operands of both branches. Outputs: the outputs of the branch taken.
    Cond {
        /// Run when the predicate is true.
        then_branch: SharedGraph,
        /// Run when the predicate is false.
        else_branch: SharedGraph,
    },
    /// Inputs: an `int32` scalar, then the operands of all branches. An index out of range takes the last branch.
    SwitchCase {
        /// The branches, by index.
        branches: Vec<SharedGraph>,
    },
    /// Inputs: the loop state, then the loop-invariant operands. `cond` and `body` take all of them; `cond` gives a boolean scalar,
    /// `body` the next state. Outputs: the last state.
    WhileLoop {
        /// Returns whether to run another iteration.
        cond: SharedGraph,
        /// One iteration.
        body: SharedGraph,
    },
    /// Primitives that run as one chain, element by element, without arrays between them; [`fusion`](super::fusion) says what else
    /// a body may contain. Inputs and output: those of the body. Optimization makes these nodes.
    Fusion {
        /// The primitives.
        body: SharedGraph,
    },
    /// A call of another graph function. Inputs: its operands; outputs: its results.
    Call {
        /// The name of the function, for users.
        name: Arc<str>,
        /// The called graph, shared by its call nodes.
        graph: SharedGraph,
        /// For each variable of the called graph, the variable of the calling graph that it refers to.
        variables: Vec<VariableId>,
    },
}

/// A step of an iteration over a dataset (an effect: the steps are executed in program order). An iteration is identified by a
/// number, an `int64` scalar, which its first step returns.
#[derive(Clone, Debug, PartialEq)]
pub enum IterationStep {
    /// Begins an iteration. Inputs: the recipe's operands. One output: the number of the iteration.
    Begin(Recipe),
    /// Whether there is another element. Input: the number of the iteration; output: a boolean scalar.
    HasElement,
    /// Takes the next element. Input: the number of the iteration; outputs: the element's leaves.
    TakeElement,
}

impl Op {
    /// The subgraphs of a control-flow node or fusion (not of a call).
    pub fn subgraphs(&self) -> Vec<&Graph> {
        self.shared().into_iter().map(|graph| &**graph).collect()
    }

    /// Like [`subgraphs`](Self::subgraphs), as shared handles.
    pub(crate) fn shared(&self) -> SmallVec<[&SharedGraph; 2]> {
        match self {
            Op::Cond {
                then_branch,
                else_branch,
            } => smallvec![then_branch, else_branch],
            Op::SwitchCase { branches } => branches.iter().collect(),
            Op::WhileLoop { cond, body } => smallvec![cond, body],
            Op::Fusion { body } | Op::UpdateVariable { body, .. } => smallvec![body],
            _ => SmallVec::new(),
        }
    }

    /// The name in graph text and in messages; for a primitive, the op's name.
    pub fn name(&self) -> &'static str {
        match self {
            Op::Constant(_) => "constant",
            Op::Primitive(op, _) => op.name,
            Op::Print(_) => "print",
            Op::Assert(_) => "assert",
            Op::Summary(summary) => summary.kind.op_name(),
            Op::NextSeed(_) => "next_seed",
            Op::Iteration(IterationStep::Begin(_)) => "begin_iteration",
            Op::Iteration(IterationStep::HasElement) => "has_element",
            Op::Iteration(IterationStep::TakeElement) => "take_element",
            Op::ReadVariable(_) => "read_variable",
            Op::AssignVariable(_) => "assign_variable",
            Op::UpdateVariable { .. } => "update_variable",
            Op::Cond { .. } => "cond",
            Op::SwitchCase { .. } => "switch_case",
            Op::WhileLoop { .. } => "while_loop",
            Op::Fusion { .. } => "fusion",
            Op::Call { .. } => "call",
        }
    }

    /// The keyword in graph text for one of the [`subgraphs`](Self::subgraphs).
    pub fn subgraph_name(&self, index: usize) -> &'static str {
        match (self, index) {
            (Op::Cond { .. }, 0) => "then",
            (Op::Cond { .. }, _) => "else",
            (Op::WhileLoop { .. }, 0) => "cond",
            (Op::WhileLoop { .. } | Op::Fusion { .. } | Op::UpdateVariable { .. }, _) => "body",
            _ => "branch",
        }
    }

    /// The [`subgraphs`](Self::subgraphs), mutable.
    pub fn subgraphs_mut(&mut self) -> Vec<&mut Graph> {
        self.shared_mut()
            .into_iter()
            .map(|graph| &mut **graph)
            .collect()
    }

    /// Like [`subgraphs`](Self::subgraphs), as mutable handles.
    pub(crate) fn shared_mut(&mut self) -> SmallVec<[&mut SharedGraph; 2]> {
        match self {
            Op::Cond {
                then_branch,
                else_branch,
            } => smallvec![then_branch, else_branch],
            Op::SwitchCase { branches } => branches.iter_mut().collect(),
            Op::WhileLoop { cond, body } => smallvec![cond, body],
            Op::Fusion { body } | Op::UpdateVariable { body, .. } => smallvec![body],
            _ => SmallVec::new(),
        }
    }

    /// Like [`inner`](Self::inner), as mutable handles.
    pub(crate) fn inner_mut(&mut self) -> SmallVec<[&mut SharedGraph; 2]> {
        match self {
            Op::Call { graph, .. } => smallvec![graph],
            op => op.shared_mut(),
        }
    }

    /// The op with other subgraphs, in the order of [`subgraphs`](Self::subgraphs).
    pub fn with_subgraphs(&self, graphs: impl IntoIterator<Item = impl Into<SharedGraph>>) -> Op {
        let mut op = self.clone();
        for (own, graph) in op.shared_mut().into_iter().zip(graphs) {
            *own = graph.into();
        }
        op
    }

    /// True for an op whose only subgraph is a chain of primitives, without control flow or effects. Passes don't change such a subgraph.
    pub fn is_chain(&self) -> bool {
        matches!(self, Op::Fusion { .. } | Op::UpdateVariable { .. })
    }

    /// True if executing the node has an effect: it prints, asserts, hands on a summary, takes a seed, steps an iteration, changes a variable, or has a
    /// subgraph with an effect.
    pub fn has_effect(&self) -> bool {
        self.is_effect() || self.inner().iter().any(|graph| graph.facts().effect)
    }

    /// True if the op itself has an effect, apart from its subgraphs.
    pub(crate) fn is_effect(&self) -> bool {
        match self {
            Op::Print(_) | Op::Assert(_) | Op::Summary(_) => true,
            Op::NextSeed(_) | Op::Iteration(_) => true,
            Op::AssignVariable(_) | Op::UpdateVariable { .. } => true,
            Op::Constant(_) | Op::Primitive(..) | Op::ReadVariable(_) => false,
            Op::Cond { .. } | Op::SwitchCase { .. } | Op::WhileLoop { .. } => false,
            Op::Fusion { .. } | Op::Call { .. } => false,
        }
    }

    /// True if `is` is true for this op, or for an op in its subgraphs or called graph.
    pub fn any(&self, is: &impl Fn(&Op) -> bool) -> bool {
        is(self) || self.inner().into_iter().any(|graph| graph.any_op(is))
    }

    /// The subgraphs of a control-flow node or fusion, or the called graph.
    pub(crate) fn inner(&self) -> SmallVec<[&SharedGraph; 2]> {
        match self {
            Op::Call { graph, .. } => smallvec![graph],
            op => op.shared(),
        }
    }

    /// True if executing the node may change this variable of its graph.
    pub fn writes(&self, variable: VariableId) -> bool {
        let (mut reads, mut writes) = (Variables::new(), Variables::new());
        self.add_variables(&mut reads, &mut writes);
        writes.contains(&variable)
    }

    /// True if the node, or a node inside it, reads this variable of its graph.
    pub fn reads(&self, variable: VariableId) -> bool {
        let (mut reads, mut writes) = (Variables::new(), Variables::new());
        self.add_variables(&mut reads, &mut writes);
        reads.contains(&variable)
    }

    /// Adds the variables of its graph that the node, or nodes inside it, read and write.
    pub(super) fn add_variables(&self, reads: &mut Variables, writes: &mut Variables) {
        match self {
            Op::ReadVariable(id) => reads.push(*id),
            Op::AssignVariable(id) | Op::UpdateVariable { variable: id, .. } => writes.push(*id),
            Op::Call {
                graph, variables, ..
            } => {
                let outer = |inner: &VariableId| variables.get(inner.index()).copied();
                reads.extend(graph.facts().reads.iter().filter_map(outer));
                writes.extend(graph.facts().writes.iter().filter_map(outer));
            }
            op => {
                for graph in op.shared() {
                    reads.extend_from_slice(&graph.facts().reads);
                    writes.extend_from_slice(&graph.facts().writes);
                }
            }
        }
    }

    /// See [`SharedGraph::has_summaries`].
    pub(super) fn has_summaries(&self) -> bool {
        let mut inner = self.inner().into_iter();
        matches!(self, Op::Summary(_)) || inner.any(|graph| graph.facts().summaries)
    }

    /// See [`Graph::directs_gradients`].
    pub(super) fn directs_gradients(&self) -> bool {
        let mut inner = self.inner().into_iter();
        matches!(self, Op::Primitive(op, _) if *op == &ops::STOP_GRADIENT)
            || inner.any(|graph| graph.facts().directs_gradients)
    }

    /// See [`Graph::has_bodies`].
    pub(crate) fn has_bodies(&self) -> bool {
        match self {
            Op::Call { .. } | Op::Fusion { .. } => true,
            op => op.shared().iter().any(|graph| graph.facts().has_bodies),
        }
    }

    /// Calls `f` for every variable that the node and its subgraphs refer to; `f` may change it.
    pub fn visit_variables_mut(&mut self, f: &mut impl FnMut(&mut VariableId)) {
        match self {
            Op::ReadVariable(id) | Op::AssignVariable(id) => f(id),
            Op::UpdateVariable { variable, .. } => f(variable),
            Op::Call { variables, .. } => variables.iter_mut().for_each(f),
            op => {
                // A shared graph is copied only if it refers to variables.
                let names_some = |graph: &&mut SharedGraph| graph.names_variables();
                for graph in op.shared_mut().into_iter().filter(names_some) {
                    let nodes = graph.nodes.iter_mut();
                    nodes.for_each(|node| node.op.visit_variables_mut(f));
                }
            }
        }
    }
}
