//! Shared by the passes that fuse: making several nodes one fusion, and finding the readers of a value.

use rustc_hash::FxHashMap;

use super::patch::Patch;
use super::rebuild::{Rebuild, splice};
use crate::graph::fusion::FusionRole;
use crate::graph::{Dim, Graph, Node, Op, Shape, ValueId};

/// The maximum number of primitives in a fusion: the values of one tile should stay in the nearest cache.
pub(super) const MAX_PRIMITIVES: usize = 64;

/// The positions of nodes to be fused, in the order of the body. Only the value of the last one is used elsewhere.
pub(super) type Group = Vec<usize>;

/// Replaces each group by one node at the position of its last member. Scalar constants are defined inside the body, and removed outside if
/// nothing else uses them. `None` if there are no groups.
pub(super) fn fuse(graph: &Graph, groups: &[Group]) -> Option<Patch> {
    if groups.is_empty() {
        return None;
    }
    let mut fates = vec![NodeFate::Stays; graph.nodes.len()];
    for (number, group) in groups.iter().enumerate() {
        for member in group {
            fates[*member] = NodeFate::Inside;
        }
        if let Some(root) = group.last() {
            fates[*root] = NodeFate::Root(number);
        }
    }
    let scalars = Scalars::of(graph);
    let used = used_outside(graph, &fates);
    let mut rebuild = Rebuild::new(graph);
    for (i, node) in graph.nodes.iter().enumerate() {
        match fates[i] {
            NodeFate::Inside => {}
            NodeFate::Root(number) => {
                let (op, inputs) = Body::of(graph, &scalars, &groups[number]);
                rebuild.keep_as(node, op, &inputs, &node.outputs);
            }
            NodeFate::Stays
                if scalars.of_node(node).is_some() && !used[node.outputs[0].index()] => {}
            NodeFate::Stays => rebuild.keep(node),
        }
    }
    Some(rebuild.finish())
}

/// How a node is rewritten.
#[derive(Clone, Copy)]
enum NodeFate {
    Stays,
    Inside,
    /// It becomes the fusion of the group with this number.
    Root(usize),
}

/// For each value, whether a node outside the groups or the graph's outputs read it.
fn used_outside(graph: &Graph, fates: &[NodeFate]) -> Vec<bool> {
    let mut used = vec![false; graph.values.len()];
    let outside = graph.nodes.iter().zip(fates);
    let reads = outside
        .filter(|(_, fate)| matches!(fate, NodeFate::Stays))
        .flat_map(|(node, _)| &node.inputs);
    for value in reads.chain(&graph.outputs) {
        used[value.index()] = true;
    }
    used
}

/// The scalar constants of a graph that can be copied into a body.
struct Scalars<'a> {
    graph: &'a Graph,
    /// For each value, the node of its constant.
    nodes: Vec<Option<&'a Node>>,
}

impl<'a> Scalars<'a> {
    fn of(graph: &'a Graph) -> Scalars<'a> {
        let mut scalars = Scalars {
            graph,
            nodes: vec![None; graph.values.len()],
        };
        for node in &graph.nodes {
            if let Some(value) = scalars.of_node(node) {
                scalars.nodes[value.index()] = Some(node);
            }
        }
        scalars
    }

    fn of_node(&self, node: &Node) -> Option<ValueId> {
        let scalar = matches!(node.op, Op::Constant(_))
            && FusionRole::of(self.graph, node) == Some(FusionRole::Scalar);
        scalar.then(|| node.outputs[0])
    }
}

/// A fusion's body under construction.
struct Body<'a> {
    old: &'a Graph,
    scalars: &'a Scalars<'a>,
    graph: Graph,
    /// Old values that become operands, in the order of the body's inputs.
    operands: Vec<ValueId>,
    /// For each old value, the value in the body.
    map: FxHashMap<ValueId, ValueId>,
}

impl<'a> Body<'a> {
    /// The fusion of a group, and its operands.
    fn of(old: &'a Graph, scalars: &'a Scalars<'a>, group: &[usize]) -> (Op, Vec<ValueId>) {
        let mut body = Body {
            old,
            scalars,
            graph: Graph::default(),
            operands: Vec::new(),
            map: FxHashMap::default(),
        };
        for member in group {
            body.add(&old.nodes[*member]);
        }
        let last = body.graph.nodes.last().map(|node| node.outputs.clone());
        body.graph.outputs = last.unwrap_or_default();
        let op = Op::Fusion {
            body: body.graph.into(),
        };
        (op, body.operands)
    }

    /// Adds a primitive, or the nodes of a fusion's body.
    fn add(&mut self, node: &Node) {
        let inputs: Vec<ValueId> = node.inputs.iter().map(|v| self.value(*v)).collect();
        let output = match &node.op {
            Op::Fusion { body } => splice(&mut self.graph, body, &inputs)[0],
            _ => self.copy(node, inputs),
        };
        self.map.insert(node.outputs[0], output);
    }

    fn copy(&mut self, node: &Node, inputs: Vec<ValueId>) -> ValueId {
        let value = &self.old.values[node.outputs[0].index()];
        let output = self.graph.add_value(value.ty.clone(), value.name.clone());
        self.graph.nodes.push(Node {
            op: node.op.clone(),
            inputs,
            outputs: vec![output],
            location: node.location.clone(),
        });
        output
    }

    /// The body's value for an old value: it is already defined, a constant, or a new input.
    fn value(&mut self, old: ValueId) -> ValueId {
        if let Some(value) = self.map.get(&old) {
            return *value;
        }
        let value = match self.scalars.nodes[old.index()] {
            Some(constant) => self.copy(constant, vec![]),
            None => {
                let value = &self.old.values[old.index()];
                self.operands.push(old);
                self.graph.add_input(value.ty.clone(), value.name.clone())
            }
        };
        self.map.insert(old, value);
        value
    }
}

/// The number of primitives in a primitive or fusion, if all are elementwise.
pub(super) fn elements(graph: &Graph, node: &Node) -> Option<usize> {
    match &node.op {
        Op::Fusion { body } => elements_of(body),
        _ => (FusionRole::of(graph, node) == Some(FusionRole::Element)).then_some(1),
    }
}

/// The number of primitives in the body of a fusion or an update, if all are elementwise.
pub(super) fn elements_of(body: &Graph) -> Option<usize> {
    let mut parts = body.nodes.iter().map(|n| FusionRole::of(body, n));
    parts.try_fold(0, |count, part| match part {
        Some(FusionRole::Scalar) => Some(count),
        Some(FusionRole::Element) => Some(count + 1),
        _ => None,
    })
}

/// False if one shape is taken to be broadcast to the other. Then its values aren't computed in a fusion with the other shape, where each of
/// them would be computed several times.
pub(super) fn may_be_equal(a: &Shape, b: &Shape) -> bool {
    match (a.dims(), b.dims()) {
        (Some(a), Some(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| may_be_same(*a, *b))
        }
        (Some([]), None) | (None, Some([])) => false,
        _ => true,
    }
}

/// Whether two sizes may be equal. An unknown size may be equal to any known one except 1. It could be 1 in a run, but an axis of a known
/// size 1 usually exists to be broadcast to the unknown size.
fn may_be_same(a: Dim, b: Dim) -> bool {
    match (a, b) {
        (Some(known), None) | (None, Some(known)) => known != 1,
        (a, b) => a == b,
    }
}

/// The node that defines each value, and the node that reads it.
pub(super) struct Uses {
    definitions: Vec<Option<usize>>,
    /// The only reader; `None` if there is none, there are several, or the graph returns the value.
    readers: Vec<Option<usize>>,
}

impl Uses {
    pub fn of(graph: &Graph) -> Uses {
        let mut definitions = vec![None; graph.values.len()];
        let mut readers = vec![None; graph.values.len()];
        let mut several = vec![false; graph.values.len()];
        for output in &graph.outputs {
            several[output.index()] = true;
        }
        for (i, node) in graph.nodes.iter().enumerate() {
            for input in &node.inputs {
                let first = *readers[input.index()].get_or_insert(i);
                several[input.index()] |= first != i;
            }
            for output in &node.outputs {
                definitions[output.index()] = Some(i);
            }
        }
        for (reader, several) in readers.iter_mut().zip(several) {
            reader.take_if(|_| several);
        }
        Uses {
            definitions,
            readers,
        }
    }

    /// The node that defines a value, if exactly one node reads it.
    pub fn only_use_of(&self, value: ValueId) -> Option<usize> {
        self.readers[value.index()]?;
        self.definitions[value.index()]
    }
}

/// For each node, the number of effects before it. Passes don't move nodes across an effect.
pub(super) fn segments(graph: &Graph) -> Vec<usize> {
    let mut effects = 0;
    let segment = |node: &Node| {
        let before = effects;
        effects += usize::from(node.op.has_effect());
        before
    };
    graph.nodes.iter().map(segment).collect()
}
