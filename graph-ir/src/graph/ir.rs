//! The graph: SSA values and nodes in program order. Control flow is a node with closed subgraphs, as in a
//! jaxpr or a TensorFlow `FuncGraph`: a subgraph reads only its own inputs. A variable isn't a value but a place; nodes refer
//! to it by its position in a table. Subgraphs use the table of the graph around them, called graphs have their own.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::error::Location;
use crate::graph::op::Op;
use crate::graph::shared::SharedGraph;
use crate::graph::steps;
use crate::types::TensorType;

/// A value of a graph: an input, or an output of one node. Ids are dense and in the order of definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

impl ValueId {
    /// The position of the value in [`Graph::values`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable that a graph reads or writes: a position in [`Graph::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

impl VariableId {
    /// The position of the variable in [`Graph::variables`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known about a value, or about every value that a variable can have.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Its dtype and static shape.
    pub ty: TensorType,
    /// A name for users: the parameter or variable that the value came from.
    pub name: Option<Arc<str>>,
}

/// A closed graph: it reads nothing from outside except its inputs and variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// All values, indexed by [`ValueId`].
    pub values: Vec<Value>,
    /// The nodes in program order; a node reads only inputs and outputs of earlier nodes.
    pub nodes: Vec<Node>,
    /// The parameters, in order.
    pub inputs: Vec<ValueId>,
    /// The results, in order; a value may be returned twice or be an input.
    pub outputs: Vec<ValueId>,
    /// The variables that its nodes refer to; no variable occurs twice. A subgraph has none of its own: it uses those of the graph around it.
    pub variables: Vec<Value>,
    /// How to differentiate a called graph, if not by its nodes.
    pub derivation: Option<Derivation>,
}

/// How to differentiate a called graph, if not by its nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Derivation {
    /// By a graph for the gradient. Its inputs are this graph's outputs after the first `results`, which are saved for the gradient, and then the
    /// gradients with respect to the results. Its outputs are the gradients with respect to this graph's first inputs.
    Custom {
        /// The graph of the gradient.
        gradient: SharedGraph,
        /// How many outputs are results.
        results: usize,
    },
    /// By its nodes, which run a second time for the gradient: their values aren't saved from the first run.
    Recompute,
}

/// One operation of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The operation.
    pub op: Op,
    /// The values it reads.
    pub inputs: Vec<ValueId>,
    /// The values it defines.
    pub outputs: Vec<ValueId>,
    /// The user's line that the node came from.
    pub location: Location,
}

impl Graph {
    /// Adds a value without a definition.
    pub fn add_value(&mut self, ty: TensorType, name: Option<Arc<str>>) -> ValueId {
        let id = ValueId(self.values.len() as u32);
        self.values.push(Value { ty, name });
        id
    }

    /// Adds a parameter.
    pub fn add_input(&mut self, ty: TensorType, name: Option<Arc<str>>) -> ValueId {
        let id = self.add_value(ty, name);
        self.inputs.push(id);
        id
    }

    /// Appends a node with new outputs of the given types, and returns these.
    pub fn add_node(
        &mut self,
        op: Op,
        inputs: Vec<ValueId>,
        types: Vec<TensorType>,
        location: Location,
    ) -> Vec<ValueId> {
        steps::count(1);
        let outputs: Vec<ValueId> = types
            .into_iter()
            .map(|ty| self.add_value(ty, None))
            .collect();
        self.nodes.push(Node {
            op,
            inputs,
            outputs: outputs.clone(),
            location,
        });
        outputs
    }

    /// The operations in program order, without those of their subgraphs.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn norm(x: Tensor<f32>) -> Tensor<f32> {
    ///     (&x * &x).sum().sqrt()
    /// }
    /// let concrete = norm::concrete(TensorSpec::new(&[None])).unwrap();
    /// let names: Vec<&str> = concrete.graph().nodes().iter().map(|node| node.op.name()).collect();
    /// assert_eq!(names, ["mul", "reduce_sum", "sqrt"]);
    /// ```
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The static type of a value.
    pub fn ty(&self, value: ValueId) -> &TensorType {
        &self.values[value.index()].ty
    }

    /// The static types of these values, in the same order.
    pub fn types(&self, values: &[ValueId]) -> Vec<TensorType> {
        values.iter().map(|value| self.ty(*value).clone()).collect()
    }
}

impl Graph {
    /// The graphs that this graph's own nodes call, and the graph of its gradient.
    pub fn named(&self) -> impl Iterator<Item = &SharedGraph> {
        let called = self.nodes.iter().filter_map(|node| match &node.op {
            Op::Call { graph, .. } => Some(graph),
            _ => None,
        });
        self.gradient().into_iter().chain(called)
    }

    /// True if the graph contains instructions for differentiation, such as a custom gradient or `stop_gradient`. Optimization would remove
    /// these, so such a graph must be differentiated first.
    pub fn directs_gradients(&self) -> bool {
        self.derivation.is_some() || self.nodes.iter().any(|node| node.op.directs_gradients())
    }

    /// The subgraphs and called graphs of the nodes, and the graph of a custom gradient.
    pub(crate) fn inner(&self) -> impl Iterator<Item = &SharedGraph> {
        let inner = self.nodes.iter().flat_map(|node| node.op.inner());
        self.gradient().into_iter().chain(inner)
    }

    /// The graph of the custom gradient.
    fn gradient(&self) -> Option<&SharedGraph> {
        match &self.derivation {
            Some(Derivation::Custom { gradient, .. }) => Some(gradient),
            _ => None,
        }
    }

    /// True if a node, or one in its subgraphs, is a call or a fusion.
    pub(crate) fn has_bodies(&self) -> bool {
        self.nodes.iter().any(|node| node.op.has_bodies())
    }

    /// The number of these nodes and all nodes inside them, called graphs included. A graph that several nodes hold is counted each time.
    pub(crate) fn size_of(nodes: &[Node]) -> usize {
        let inner = nodes.iter().flat_map(|node| node.op.inner());
        let sizes = inner.map(|graph| graph.facts().size);
        sizes.fold(nodes.len(), usize::saturating_add)
    }

    /// The number of levels of nested graphs; 1 for a graph whose nodes contain no graphs.
    pub fn depth(&self) -> usize {
        let depths = self.inner().map(|graph| graph.facts().depth);
        1 + depths.max().unwrap_or(0)
    }

    /// Takes the inner graphs out of the nodes of a graph that is no longer needed.
    pub(super) fn take_inner(&mut self) -> Vec<SharedGraph> {
        let gradient = match &mut self.derivation {
            Some(Derivation::Custom { gradient, .. }) => Some(gradient),
            _ => None,
        };
        let inner = self.nodes.iter_mut().flat_map(|node| node.op.inner_mut());
        let all = gradient.into_iter().chain(inner);
        all.map(std::mem::take).collect()
    }

    /// True if `is` is true for any op, including ops in subgraphs and called graphs ([`Op::any`]).
    pub fn any_op(&self, is: &impl Fn(&Op) -> bool) -> bool {
        let mut pending = vec![self];
        // A graph that several nodes share is visited once.
        let mut seen = FxHashSet::default();
        while let Some(graph) = pending.pop() {
            for node in &graph.nodes {
                if is(&node.op) {
                    return true;
                }
                let inner = node.op.inner().into_iter();
                pending.extend(
                    inner
                        .filter(|graph| seen.insert(graph.as_ptr()))
                        .map(|graph| &**graph),
                );
            }
        }
        false
    }

    /// True if any node has an effect ([`Op::has_effect`]).
    pub fn has_effect(&self) -> bool {
        self.nodes.iter().any(|n| n.op.has_effect())
    }

    /// True if any node may change a variable ([`Op::writes`]).
    pub fn writes(&self, variable: VariableId) -> bool {
        self.nodes.iter().any(|n| n.op.writes(variable))
    }
}
