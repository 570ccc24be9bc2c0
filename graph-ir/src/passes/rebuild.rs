//! How passes change a graph: they write a new graph node by node, and map every old value to a new one. So ids stay dense and in
//! order, and no reference dangles. What they get is a [`Patch`], which knows the nodes whose types remain to be checked.

use std::sync::Arc;

use graph_kernels::Array;

use super::patch::Patch;
use crate::error::Location;
use crate::graph::{Flow, Graph, Node, Op, TensorType, Value, ValueId, steps};

/// A new graph under construction.
pub(super) struct Rebuild<'a> {
    old: &'a Graph,
    graph: Graph,
    /// For each old value, the new one.
    map: Vec<Option<ValueId>>,
    /// The positions of the new nodes that are no copies of old ones, or that read other types than these.
    changed: Vec<usize>,
}

impl<'a> Rebuild<'a> {
    /// Starts with the inputs for which `keep` holds (by position).
    pub fn with_inputs(old: &'a Graph, keep: impl Fn(usize) -> bool) -> Rebuild<'a> {
        let mut rebuild = Rebuild {
            old,
            graph: Graph {
                variables: old.variables.clone(),
                ..Graph::default()
            },
            map: vec![None; old.values.len()],
            changed: Vec::new(),
        };
        for (_, input) in old.inputs.iter().enumerate().filter(|(i, _)| keep(*i)) {
            let new = rebuild.define(*input);
            rebuild.graph.inputs.push(new);
        }
        rebuild
    }

    /// Starts with all inputs.
    pub fn new(old: &'a Graph) -> Rebuild<'a> {
        Rebuild::with_inputs(old, |_| true)
    }

    /// A copy of the graph with dense values.
    pub fn copy(old: &'a Graph) -> Graph {
        let mut rebuild = Rebuild::new(old);
        old.nodes.iter().for_each(|node| rebuild.keep(node));
        rebuild.finish().into_graph()
    }

    /// Rewrites the `while_loop`s of a graph. `write` gets each loop with its condition and body, writes it to the new graph if it changes it,
    /// and returns whether it did. `None` if no loop was changed.
    pub fn loops(
        old: &'a Graph,
        mut write: impl FnMut(&mut Rebuild<'_>, &Node, [&Graph; 2]) -> bool,
    ) -> Option<Patch> {
        let is_loop = |node: &&Node| matches!(node.flow(), Some(Flow::Loop { .. }));
        old.nodes.iter().find(is_loop)?;
        let mut changed = false;
        let mut rebuild = Rebuild::new(old);
        for node in &old.nodes {
            match node.flow() {
                Some(Flow::Loop { cond, body, .. }) => {
                    changed |= write(&mut rebuild, node, [cond, body]);
                }
                _ => rebuild.keep(node),
            }
        }
        changed.then(|| rebuild.finish())
    }

    /// The new value for an old value that is defined already.
    pub fn new_of(&self, old: ValueId) -> ValueId {
        self.map[old.index()].expect("a verified graph reads only defined values")
    }

    /// True if an old value has a new value already.
    pub fn has(&self, old: ValueId) -> bool {
        self.map[old.index()].is_some()
    }

    /// The new values of old ones.
    pub fn all_new_of(&self, old: &[ValueId]) -> Vec<ValueId> {
        old.iter().map(|v| self.new_of(*v)).collect()
    }

    fn define(&mut self, old: ValueId) -> ValueId {
        let value = &self.old.values[old.index()];
        let new = self.graph.add_value(value.ty.clone(), value.name.clone());
        self.map[old.index()] = Some(new);
        new
    }

    /// The type of a new value.
    pub fn ty(&self, new: ValueId) -> &TensorType {
        self.graph.ty(new)
    }

    /// Writes an old node unchanged.
    pub fn keep(&mut self, node: &Node) {
        let inputs = self.all_new_of(&node.inputs);
        let mut pairs = node.inputs.iter().zip(&inputs);
        if pairs.any(|(old, new)| self.old.ty(*old) != self.ty(*new)) {
            self.changed.push(self.graph.nodes.len());
        }
        self.write(node, node.op.clone(), inputs, &node.outputs);
    }

    /// Writes an old node with another op, fewer inputs or fewer outputs (old values).
    pub fn keep_as(&mut self, node: &Node, op: Op, inputs: &[ValueId], outputs: &[ValueId]) {
        let inputs = self.all_new_of(inputs);
        self.write_changed(node, op, inputs, outputs);
    }

    /// Writes an old node with another op and other inputs (new values).
    pub fn keep_with(&mut self, node: &Node, op: Op, inputs: Vec<ValueId>) {
        self.write_changed(node, op, inputs, &node.outputs);
    }

    /// Writes an old node with other subgraphs, whose values need not be dense, and other inputs (new values).
    pub fn keep_around(&mut self, node: &Node, subgraphs: [Graph; 2], inputs: Vec<ValueId>) {
        let dense = subgraphs.each_ref().map(Rebuild::copy);
        self.keep_with(node, node.op.with_subgraphs(dense), inputs);
    }

    fn write_changed(&mut self, node: &Node, op: Op, inputs: Vec<ValueId>, outputs: &[ValueId]) {
        self.changed.push(self.graph.nodes.len());
        self.write(node, op, inputs, outputs);
    }

    fn write(&mut self, node: &Node, op: Op, inputs: Vec<ValueId>, outputs: &[ValueId]) {
        steps::count(1);
        let outputs = outputs.iter().map(|v| self.define(*v)).collect();
        self.graph.nodes.push(Node {
            op,
            inputs,
            outputs,
            location: node.location.clone(),
        });
    }

    /// Writes a new node with outputs of these types.
    pub fn add_node(
        &mut self,
        op: Op,
        inputs: Vec<ValueId>,
        types: Vec<TensorType>,
        location: Location,
    ) -> Vec<ValueId> {
        self.changed.push(self.graph.nodes.len());
        self.graph.add_node(op, inputs, types, location)
    }

    /// Gives a new value the name of another one.
    pub fn name_like(&mut self, new: ValueId, named: &Value) {
        self.graph.values[new.index()].name = named.name.clone();
    }

    /// Replaces an old value by a new one. If the new value has no name, it gets the name of the old one.
    pub fn replace(&mut self, old: ValueId, new: ValueId) {
        self.map[old.index()] = Some(new);
        let name = self.graph.values[new.index()].name.clone();
        self.graph.values[new.index()].name =
            name.or_else(|| self.old.values[old.index()].name.clone());
    }

    /// Like [`replace`](Self::replace), for several values.
    pub fn replace_all(&mut self, old: &[ValueId], new: Vec<ValueId>) {
        for (old, new) in old.iter().zip(new) {
            self.replace(*old, new);
        }
    }

    /// Writes a constant.
    pub fn constant(&mut self, array: Arc<Array>, location: Location) -> ValueId {
        let ty = TensorType::of_array(&array);
        self.add_node(Op::Constant(array), vec![], vec![ty], location)[0]
    }

    /// Writes the nodes of a closed graph; see [`splice`].
    pub fn splice(&mut self, inner: &Graph, inputs: &[ValueId]) -> Vec<ValueId> {
        let first = self.graph.nodes.len();
        let outputs = splice(&mut self.graph, inner, inputs);
        self.changed.extend(first..self.graph.nodes.len());
        outputs
    }

    /// Ends with the outputs for which `keep` holds (by position).
    pub fn finish_with(mut self, keep: impl Fn(usize) -> bool) -> Patch {
        let old = self
            .old
            .outputs
            .iter()
            .enumerate()
            .filter(|(i, _)| keep(*i));
        self.graph.outputs = old.map(|(_, v)| self.new_of(*v)).collect();
        Patch::new(self.graph, self.changed)
    }

    /// Ends with all outputs.
    pub fn finish(self) -> Patch {
        self.finish_with(|_| true)
    }
}

/// Appends the nodes of a closed graph to a graph, with these values as its inputs. Returns the new values of its outputs.
pub fn splice(graph: &mut Graph, inner: &Graph, inputs: &[ValueId]) -> Vec<ValueId> {
    let mut map = vec![None; inner.values.len()];
    for (inner, input) in inner.inputs.iter().zip(inputs) {
        map[inner.index()] = Some(*input);
    }
    let new_of = |map: &[Option<ValueId>], values: &[ValueId]| -> Vec<ValueId> {
        values
            .iter()
            .map(|v| map[v.index()].expect("a verified graph reads only defined values"))
            .collect()
    };
    steps::count(inner.nodes.len());
    for node in &inner.nodes {
        let inputs = new_of(&map, &node.inputs);
        let mut outputs = Vec::with_capacity(node.outputs.len());
        for output in &node.outputs {
            let value = &inner.values[output.index()];
            outputs.push(graph.add_value(value.ty.clone(), value.name.clone()));
            map[output.index()] = outputs.last().copied();
        }
        let (op, location) = (node.op.clone(), node.location.clone());
        graph.nodes.push(Node {
            op,
            inputs,
            outputs,
            location,
        });
    }
    new_of(&map, &inner.outputs)
}

/// Keeps only the outputs for which `keep` is true.
pub(super) fn retain_outputs(graph: &mut Graph, keep: &[bool]) {
    let mut keep = keep.iter();
    graph
        .outputs
        .retain(|_| keep.next().copied().unwrap_or(true));
}

/// For each value, its constant.
pub(super) fn constants(graph: &Graph) -> Vec<Option<&Arc<Array>>> {
    let mut constants = vec![None; graph.values.len()];
    for node in &graph.nodes {
        if let (Op::Constant(array), [output]) = (&node.op, &node.outputs[..]) {
            constants[output.index()] = Some(array);
        }
    }
    constants
}

/// The items whose `keep` is true.
pub(super) fn kept<T: Copy>(items: &[T], keep: &[bool]) -> Vec<T> {
    items
        .iter()
        .zip(keep)
        .filter(|(_, k)| **k)
        .map(|(item, _)| *item)
        .collect()
}
