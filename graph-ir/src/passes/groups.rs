//! Collects groups of nodes for the passes that fuse every suitable node: a value with several readers stays outside, unless all
//! of them are in the same group.

use super::fuse::{Group, MAX_PRIMITIVES, segments};
use super::rebuild::constants;
use crate::graph::{Graph, Node, Shape, ValueId};

/// The maximum number of operands of a fusion.
const MAX_OPERANDS: usize = 16;

/// Which nodes read a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Readers {
    Nobody,
    /// Only members of the group with this number.
    Group(usize),
    Others,
}

impl Readers {
    fn add(&mut self, reader: Readers) {
        *self = if *self == Readers::Nobody || *self == reader {
            reader
        } else {
            Readers::Others
        };
    }
}

/// The groups with several nodes, in which every value but the last is read only by members of the group. A node joins the group of its
/// readers if `fits` accepts it for the shape of the group's last value. So nodes are visited from the last to the first.
pub(super) fn groups(
    graph: &Graph,
    is_member: impl Fn(&Node) -> bool,
    fits: impl Fn(&Node, &Shape) -> bool,
) -> Vec<Group> {
    let constants = constants(graph);
    let segments = segments(graph);
    let mut readers = vec![Readers::Nobody; graph.values.len()];
    for output in &graph.outputs {
        readers[output.index()] = Readers::Others;
    }
    let mut open: Vec<Open> = Vec::new();
    for (i, node) in graph.nodes.iter().enumerate().rev() {
        let mut reader = Readers::Others;
        if is_member(node) {
            let operands = node
                .inputs
                .iter()
                .filter(|v| constants[v.index()].is_none());
            let candidate = Candidate {
                position: i,
                segment: segments[i],
                output: node.outputs[0],
                operands: operands.copied().collect(),
            };
            reader = Readers::Group(match readers[candidate.output.index()] {
                Readers::Group(number)
                    if fits(node, &open[number].shape) && open[number].takes(&candidate) =>
                {
                    number
                }
                _ => {
                    open.push(Open::new(&candidate, &graph.ty(candidate.output).shape));
                    open.len() - 1
                }
            });
        }
        for input in &node.inputs {
            readers[input.index()].add(reader);
        }
    }
    let several = open.into_iter().filter(|group| group.members.len() > 1);
    several.map(Open::close).collect()
}

/// A node that may join a group.
struct Candidate {
    position: usize,
    segment: usize,
    output: ValueId,
    operands: Vec<ValueId>,
}

/// A group under construction. Its members are collected from the last to the first.
struct Open {
    members: Vec<usize>,
    segment: usize,
    shape: Shape,
    operands: Vec<ValueId>,
}

impl Open {
    fn new(root: &Candidate, shape: &Shape) -> Open {
        Open {
            members: vec![root.position],
            segment: root.segment,
            shape: shape.clone(),
            operands: root.operands.clone(),
        }
    }

    /// Adds a node whose value only members read, if there are not too many operands and no effect lies in between.
    fn takes(&mut self, node: &Candidate) -> bool {
        let mut operands = self.operands.clone();
        operands.retain(|v| *v != node.output);
        operands.extend(&node.operands);
        operands.sort_unstable();
        operands.dedup();
        let fits = self.members.len() < MAX_PRIMITIVES
            && operands.len() <= MAX_OPERANDS
            && node.segment == self.segment;
        if fits {
            self.members.push(node.position);
            self.operands = operands;
        }
        fits
    }

    fn close(self) -> Group {
        self.members.into_iter().rev().collect()
    }
}
