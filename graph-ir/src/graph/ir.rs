//! The graph: SSA values and nodes in program order. Control flow is a node with closed subgraphs, as in a
//! jaxpr or a TensorFlow `FuncGraph`: a subgraph reads nothing but its own inputs. A variable is no value but a place, which
//! nodes name by its position in a table: subgraphs use the table of the graph around them, called graphs have their own.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::error::Location;
use crate::graph::op::Op;
use crate::graph::shared::SharedGraph;
use crate::graph::steps;
use crate::types::TensorType;

/// A value of a graph: an input, or an output of one node. Dense, in order of definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

impl ValueId {
    /// The position of the value in [`Graph::values`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable that a graph reads and writes: a position in [`Graph::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

impl VariableId {
    /// The position of the variable in [`Graph::variables`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known of a value, or of all that a variable ever holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Its dtype and static shape.
    pub ty: TensorType,
    /// A name for people: the parameter or variable it came from.
    pub name: Option<Arc<str>>,
}

/// A closed graph: everything it reads is an input.
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
    /// The variables that its nodes name, each another one. A subgraph has none of its own: it uses those of the graph around it.
    pub variables: Vec<Value>,
    /// How a called graph is differentiated, if not by its nodes.
    pub derivation: Option<Derivation>,
}

/// How a called graph is differentiated, if not by its nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Derivation {
    /// By another graph. Its inputs are the outputs of this one behind the first `results`, saved for it, then the gradients with
    /// respect to those. Its outputs are the gradients with respect to this graph's first inputs.
    Custom {
        /// The other graph.
        gradient: SharedGraph,
        /// How many outputs are results.
        results: usize,
    },
    /// By its nodes, which run once more for it: what they give isn't kept meanwhile.
    Recompute,
}

/// One operation of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it does.
    pub op: Op,
    /// The values it reads.
    pub inputs: Vec<ValueId>,
    /// The values it defines.
    pub outputs: Vec<ValueId>,
    /// The user's line it came from.
    pub location: Location,
}

impl Graph {
    /// Adds a value that nothing defines yet.
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

    /// Appends a node that defines fresh values of the given types, and gives them.
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

    /// The static types of values, in their order.
    pub fn types(&self, values: &[ValueId]) -> Vec<TensorType> {
        values.iter().map(|value| self.ty(*value).clone()).collect()
    }
}

impl Graph {
    /// The graphs that this one calls itself, or names as a gradient.
    pub fn named(&self) -> impl Iterator<Item = &SharedGraph> {
        let called = self.nodes.iter().filter_map(|node| match &node.op {
            Op::Call { graph, .. } => Some(graph),
            _ => None,
        });
        self.gradient().into_iter().chain(called)
    }

    /// True if differentiating the graph is something else than differentiating what it computes: then optimizing it first would lose that.
    pub fn directs_gradients(&self) -> bool {
        self.derivation.is_some() || self.nodes.iter().any(|node| node.op.directs_gradients())
    }

    /// The graphs in the nodes: subgraphs and called graphs. And that of a gradient by hand.
    pub(crate) fn inner(&self) -> impl Iterator<Item = &SharedGraph> {
        let inner = self.nodes.iter().flat_map(|node| node.op.inner());
        self.gradient().into_iter().chain(inner)
    }

    /// The gradient by hand.
    fn gradient(&self) -> Option<&SharedGraph> {
        match &self.derivation {
            Some(Derivation::Custom { gradient, .. }) => Some(gradient),
            _ => None,
        }
    }

    /// True if a node, or one inside it, stands for those of a called graph or of a fusion.
    pub(crate) fn has_bodies(&self) -> bool {
        self.nodes.iter().any(|node| node.op.has_bodies())
    }

    /// How many nodes these are with what is inside them or called, each as often as it is.
    pub(crate) fn size_of(nodes: &[Node]) -> usize {
        let inner = nodes.iter().flat_map(|node| node.op.inner());
        let sizes = inner.map(|graph| graph.facts().size);
        sizes.fold(nodes.len(), usize::saturating_add)
    }

    /// How many graphs are in each other here at most: 1 for a graph whose nodes have none.
    pub fn depth(&self) -> usize {
        let depths = self.inner().map(|graph| graph.facts().depth);
        1 + depths.max().unwrap_or(0)
    }

    /// Takes the graphs in the nodes away, of a graph that is no longer needed.
    pub(super) fn take_inner(&mut self) -> Vec<SharedGraph> {
        let gradient = match &mut self.derivation {
            Some(Derivation::Custom { gradient, .. }) => Some(gradient),
            _ => None,
        };
        let inner = self.nodes.iter_mut().flat_map(|node| node.op.inner_mut());
        let all = gradient.into_iter().chain(inner);
        all.map(std::mem::take).collect()
    }

    /// True if `is` holds of any op ([`Op::any`]).
    pub fn any_op(&self, is: &impl Fn(&Op) -> bool) -> bool {
        let mut pending = vec![self];
        // Graphs that several nodes share are asked once.
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
