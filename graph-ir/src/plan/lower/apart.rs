//! Scalars outside of loops, on a device of which the host knows some values: those that need the same operands are one word program. So a number that
//! the host can compute isn't computed by the device because it stands beside others, and what only the device can compute is one kernel.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{Lowering, read};
use crate::graph::{Graph, Node, Op, ValueId};
use crate::plan::{Register, Source};

/// Values of more bytes aren't known to a host that hasn't asked for them.
const KNOWN_BYTES: usize = 64;

/// The most operands that are told apart.
const MOST: usize = 8;

/// The operands that a value needs.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Needs {
    /// These, in order.
    These(SmallVec<[ValueId; 4]>),
    /// More than are told apart.
    Many,
    /// Some that the host certainly doesn't know.
    Computed,
}

impl Needs {
    fn and(self, other: &Needs) -> Needs {
        match (self, other) {
            (Needs::Computed, _) | (_, Needs::Computed) => Needs::Computed,
            (Needs::Many, _) | (_, Needs::Many) => Needs::Many,
            (Needs::These(mut all), Needs::These(others)) => {
                all.extend_from_slice(others);
                all.sort_unstable_by_key(|value| value.index());
                all.dedup();
                match all.len() > MOST {
                    true => Needs::Many,
                    false => Needs::These(all),
                }
            }
        }
    }

    /// Whoever needs the operands of a value and others has a higher rank than that value.
    fn rank(&self) -> usize {
        match self {
            Needs::These(operands) => operands.len(),
            Needs::Many => MOST + 1,
            Needs::Computed => MOST + 2,
        }
    }
}

/// Nodes that need the same operands.
struct Group {
    rank: usize,
    /// The positions of the nodes.
    nodes: Vec<usize>,
    /// The values that others use.
    escaping: Vec<ValueId>,
}

/// The values that the host can't know: reductions of arrays of which it doesn't know the elements.
pub(super) fn computed(graph: &Graph) -> FxHashSet<ValueId> {
    let is_large = |value: &ValueId| {
        let ty = graph.ty(*value);
        let size = ty.shape.size();
        size.is_some_and(|size| size.saturating_mul(ty.dtype.bytes()) > KNOWN_BYTES)
    };
    let reduces = |node: &&Node| match &node.op {
        Op::Primitive(op, _) => op.reduction.is_some(),
        op => matches!(op, Op::Fusion { .. }),
    };
    let nodes = graph.nodes.iter().filter(reduces);
    let nodes = nodes.filter(|node| node.inputs.iter().any(is_large));
    nodes.flat_map(|node| &node.outputs).copied().collect()
}

/// The groups of a range of nodes, each behind those whose values it uses. Constants are in none.
fn groups(
    graph: &Graph,
    nodes: Range<usize>,
    last_uses: &[usize],
    computed: &FxHashSet<ValueId>,
) -> Vec<Group> {
    let mut needs: FxHashMap<ValueId, Needs> = FxHashMap::default();
    let mut numbers: FxHashMap<Needs, usize> = FxHashMap::default();
    let mut of_value: FxHashMap<ValueId, usize> = FxHashMap::default();
    let mut escape: FxHashSet<ValueId> = FxHashSet::default();
    let mut groups: Vec<Group> = Vec::new();
    for at in nodes.clone() {
        let node = &graph.nodes[at];
        let mut all = Needs::These(SmallVec::new());
        if matches!(node.op, Op::Constant(_)) {
            needs.insert(node.outputs[0], all);
            continue;
        }
        for value in &node.inputs {
            all = match needs.get(value) {
                Some(others) => all.and(others),
                None if computed.contains(value) => Needs::Computed,
                None => all.and(&Needs::These(SmallVec::from_elem(*value, 1))),
            };
        }
        let next = groups.len();
        let number = *numbers.entry(all.clone()).or_insert(next);
        if number == next {
            groups.push(Group {
                rank: all.rank(),
                nodes: Vec::new(),
                escaping: Vec::new(),
            });
        }
        groups[number].nodes.push(at);
        let of_others = |value: &&ValueId| of_value.get(value).is_some_and(|of| *of != number);
        escape.extend(node.inputs.iter().filter(of_others));
        for value in &node.outputs {
            needs.insert(*value, all.clone());
            of_value.insert(*value, number);
        }
    }
    for group in &mut groups {
        let values = group.nodes.iter().flat_map(|at| &graph.nodes[*at].outputs);
        let escapes =
            |value: &&ValueId| last_uses[value.index()] >= nodes.end || escape.contains(value);
        group.escaping = values.filter(escapes).copied().collect();
    }
    groups.sort_by_key(|group| group.rank);
    groups
}

impl Lowering {
    /// Appends a range of nodes over scalars that can't fail, as a word program for each group of several.
    pub(super) fn apart(
        &mut self,
        graph: &Graph,
        nodes: Range<usize>,
        last_uses: &[usize],
        computed: &FxHashSet<ValueId>,
        sources: &mut [Option<Source<Register>>],
    ) {
        let mut constants: FxHashMap<ValueId, usize> = FxHashMap::default();
        for at in nodes.clone() {
            let node = &graph.nodes[at];
            if let Op::Constant(array) = &node.op {
                sources[node.outputs[0].index()] = Some(self.constant(array));
                constants.insert(node.outputs[0], at);
            }
        }
        for group in groups(graph, nodes, last_uses, computed) {
            let operands = group.nodes.iter().flat_map(|at| &graph.nodes[*at].inputs);
            let mut all: Vec<usize> = operands.filter_map(|v| constants.get(v).copied()).collect();
            all.sort_unstable();
            all.dedup();
            all.extend(&group.nodes);
            let is_alone = group.nodes.len() == 1;
            if !is_alone
                && self
                    .region_of(graph, &all, &group.escaping, sources)
                    .is_some()
            {
                continue;
            }
            for at in group.nodes {
                let node = &graph.nodes[at];
                let outputs = self.node(graph, node, &read(sources, &node.inputs));
                for (value, source) in node.outputs.iter().zip(outputs) {
                    sources[value.index()] = Some(source);
                }
            }
        }
    }
}
