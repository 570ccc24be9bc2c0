//! Chooses the values that the backward graph takes from the forward graph. Both graphs come as one joint graph, the forward nodes
//! first. A forward value that backward nodes read is saved, unless it is at hand or cheaper to recompute.

use rustc_hash::{FxHashMap, FxHashSet};

use super::split::{Joint, Residual, Split, Wish};
use crate::graph::{Graph, Node, Op, ValueId, steps};
use crate::ops::{self, OpDef};

/// Splits a joint graph into its forward and its backward part.
pub(super) fn partition(graph: Graph, joint: &Joint, wish: &Wish<'_>) -> Split {
    let mut parts = Partition::new(&graph, joint, wish);
    parts.move_forward();
    parts.choose();
    let residuals = parts.residuals();
    let saved: Vec<ValueId> = residuals
        .iter()
        .filter(|(_, residual)| matches!(residual, Residual::Saved(_)))
        .map(|(value, _)| *value)
        .collect();
    let forward = parts.forward_graph(&saved);
    let backward = parts.backward_graph(&residuals);
    Split {
        forward,
        residuals: residuals
            .into_iter()
            .map(|(_, residual)| residual)
            .collect(),
        backward,
        connected: joint.connected.clone(),
    }
}

struct Partition<'a> {
    graph: &'a Graph,
    joint: &'a Joint,
    at_hand: &'a [bool],
    forward: Vec<Node>,
    backward: Vec<Node>,
    /// The forward node that defines a value.
    defined_by: FxHashMap<ValueId, usize>,
    /// The forward values that the backward nodes read and that aren't recomputed.
    read: FxHashSet<ValueId>,
    /// The forward nodes that the backward graph recomputes.
    again: FxHashSet<usize>,
}

impl<'a> Partition<'a> {
    fn new(graph: &'a Graph, joint: &'a Joint, wish: &'a Wish<'_>) -> Partition<'a> {
        let (forward, backward) = graph.nodes.split_at(joint.forward_nodes);
        debug_assert_eq!(wish.inputs.len(), joint.inputs);
        let mut parts = Partition {
            graph,
            joint,
            at_hand: wish.at_hand,
            forward: forward.to_vec(),
            backward: backward.to_vec(),
            defined_by: FxHashMap::default(),
            read: FxHashSet::default(),
            again: FxHashSet::default(),
        };
        parts.index();
        parts
    }

    fn index(&mut self) {
        let nodes = self.forward.iter().enumerate();
        self.defined_by = nodes
            .flat_map(|(i, node)| node.outputs.iter().map(move |v| (*v, i)))
            .collect();
    }

    /// Moves some ops of the gradient to the forward graph, so that their operand needn't be saved: sizes, because they are small,
    /// and a sort order, because the forward graph sorts the array anyway.
    fn move_forward(&mut self) {
        let moving: [&OpDef; 4] = [&ops::SHAPE_OF, &ops::SIZE_OF, &ops::RANK_OF, &ops::ARGSORT];
        let backward = std::mem::take(&mut self.backward);
        for node in backward {
            let moves = matches!(&node.op, Op::Primitive(op, _) if moving.contains(op));
            let is_forward = |v: &ValueId| self.is_forward(*v);
            if moves && node.inputs.iter().all(is_forward) {
                let position = self.forward.len();
                self.defined_by.insert(node.outputs[0], position);
                self.forward.push(node);
            } else {
                self.backward.push(node);
            }
        }
    }

    /// Whether a value is an input of the forward graph or defined by one of its nodes.
    fn is_forward(&self, value: ValueId) -> bool {
        self.defined_by.contains_key(&value) || self.input(value).is_some()
    }

    fn input(&self, value: ValueId) -> Option<usize> {
        let inputs = &self.graph.inputs[..self.joint.inputs];
        inputs.iter().position(|v| *v == value)
    }

    fn is_at_hand(&self, value: ValueId) -> bool {
        self.input(value).is_some_and(|input| self.at_hand[input])
    }

    /// Chooses which values are saved and which are recomputed.
    fn choose(&mut self) {
        let mut needed: FxHashSet<ValueId> = FxHashSet::default();
        let results = &self.joint.outputs[self.joint.forward_outputs..];
        let inputs = self.backward.iter().flat_map(|node| &node.inputs);
        needed.extend(inputs.chain(results).filter(|v| self.is_forward(**v)));
        // From last to first, so that the operands of a recomputed node are decided after the node.
        for position in (0..self.forward.len()).rev() {
            let node = &self.forward[position];
            if !node.outputs.iter().any(|v| needed.contains(v)) {
                continue;
            }
            let free =
                |v: &ValueId| self.is_at_hand(*v) || needed.contains(v) || self.is_constant(*v);
            let again = match &node.op {
                Op::Constant(_) => true,
                Op::Primitive(op, _) => is_cheap(op) && node.inputs.iter().all(free),
                _ => false,
            };
            if again {
                node.outputs.iter().for_each(|v| {
                    needed.remove(v);
                });
                needed.extend(&node.inputs);
                self.again.insert(position);
            }
        }
        self.read = needed;
    }

    fn is_constant(&self, value: ValueId) -> bool {
        let position = self.defined_by.get(&value);
        position.is_some_and(|i| matches!(self.forward[*i].op, Op::Constant(_)))
    }

    /// The values that the backward graph reads, in the order of their definitions.
    fn residuals(&self) -> Vec<(ValueId, Residual)> {
        let mut read: Vec<ValueId> = self.read.iter().copied().collect();
        read.sort_unstable();
        let mut saved = 0..;
        read.into_iter()
            .map(|value| match self.input(value) {
                Some(input) if self.at_hand[input] => (value, Residual::Input(input)),
                _ => (value, Residual::Saved(saved.next().unwrap_or_default())),
            })
            .collect()
    }

    fn forward_graph(&self, saved: &[ValueId]) -> Graph {
        let mut copy = GraphCopy::of(self.graph);
        for input in &self.graph.inputs[..self.joint.inputs] {
            copy.input(*input);
        }
        self.forward.iter().for_each(|node| copy.node(node));
        let own = &self.joint.outputs[..self.joint.forward_outputs];
        copy.finish(own.iter().chain(saved))
    }

    fn backward_graph(&self, residuals: &[(ValueId, Residual)]) -> Graph {
        let mut copy = GraphCopy::of(self.graph);
        residuals.iter().for_each(|(value, _)| copy.input(*value));
        for given in &self.graph.inputs[self.joint.inputs..] {
            copy.input(*given);
        }
        let mut again: Vec<usize> = self.again.iter().copied().collect();
        again.sort_unstable();
        again
            .iter()
            .for_each(|position| copy.node(&self.forward[*position]));
        self.backward.iter().for_each(|node| copy.node(node));
        copy.finish(&self.joint.outputs[self.joint.forward_outputs..])
    }
}

/// Elementwise ops without transcendental functions, and ops that only change the shape: recomputing them costs less than saving their results.
fn is_cheap(op: &OpDef) -> bool {
    let cheap: [&OpDef; 31] = [
        &ops::ADD,
        &ops::SUB,
        &ops::MUL,
        &ops::NEG,
        &ops::ABS,
        &ops::SIGN,
        &ops::SQUARE,
        &ops::RELU,
        &ops::RELU6,
        &ops::MAXIMUM,
        &ops::MINIMUM,
        &ops::SQUARED_DIFFERENCE,
        &ops::LESS,
        &ops::LESS_EQUAL,
        &ops::GREATER,
        &ops::GREATER_EQUAL,
        &ops::EQUAL,
        &ops::NOT_EQUAL,
        &ops::LOGICAL_AND,
        &ops::LOGICAL_OR,
        &ops::LOGICAL_NOT,
        &ops::SELECT,
        &ops::CAST,
        &ops::RESHAPE,
        &ops::RELAX_SHAPE,
        &ops::EXPAND_DIMS,
        &ops::SQUEEZE,
        &ops::FILL,
        &ops::SHAPE_OF,
        &ops::BROADCAST_TO,
        &ops::INDEX,
    ];
    cheap.contains(&op)
}

/// Builds a new graph from nodes of another one.
struct GraphCopy<'a> {
    old: &'a Graph,
    new: Graph,
    map: FxHashMap<ValueId, ValueId>,
}

impl<'a> GraphCopy<'a> {
    fn of(old: &'a Graph) -> GraphCopy<'a> {
        GraphCopy {
            old,
            new: Graph::default(),
            map: FxHashMap::default(),
        }
    }

    fn define(&mut self, old: ValueId) -> ValueId {
        let value = &self.old.values[old.index()];
        let new = self.new.add_value(value.ty.clone(), value.name.clone());
        self.map.insert(old, new);
        new
    }

    fn input(&mut self, old: ValueId) {
        let new = self.define(old);
        self.new.inputs.push(new);
    }

    fn node(&mut self, node: &Node) {
        steps::count(1);
        let inputs = node.inputs.iter().map(|v| self.map[v]).collect();
        let outputs = node.outputs.iter().map(|v| self.define(*v)).collect();
        self.new.nodes.push(Node {
            op: node.op.clone(),
            inputs,
            outputs,
            location: node.location.clone(),
        });
    }

    fn finish<'v>(mut self, outputs: impl IntoIterator<Item = &'v ValueId>) -> Graph {
        self.new.outputs = outputs.into_iter().map(|v| self.map[v]).collect();
        self.new
    }
}
