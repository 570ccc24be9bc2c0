//! Fusion of elementwise primitives: those that compute values of one shape for one another become one node, so that
//! nothing but its result is written to memory. Broadcast operands are read, not computed, in it: a value of another
//! shape is computed once, outside. Where shapes are unknown, the run finds out.
//!
//! A value with several users is computed where it was, unless all of them are in one fusion. Scalars are left alone:
//! there is no array to save, and the plan has faster ways for them.

use super::fuse::{Group, MAX_PRIMITIVES, fuse, may_be_equal, segments};
use super::rebuild::constants;
use crate::graph::fusion::Part;
use crate::graph::{Graph, Node, Shape, ValueId};

/// A fusion isn't given more operands than this.
const MAX_OPERANDS: usize = 16;

pub(super) fn run(graph: &Graph) -> Option<Graph> {
    fuse(graph, &groups(graph))
}

/// Who reads a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Readers {
    Nobody,
    /// Only members of the group of this number.
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

/// Each node joins the group of its readers, where it can; so readers come before what they read.
fn groups(graph: &Graph) -> Vec<Group> {
    let constants = constants(graph);
    let segments = segments(graph);
    let mut readers = vec![Readers::Nobody; graph.values.len()];
    for output in &graph.outputs {
        readers[output.index()] = Readers::Others;
    }
    let mut open: Vec<Open> = Vec::new();
    for (i, node) in graph.nodes.iter().enumerate().rev() {
        let mut reader = Readers::Others;
        if is_fusable(graph, node) {
            let operands = node.inputs.iter().filter(|v| constants[v.index()].is_none());
            let candidate = Candidate {
                position: i,
                segment: segments[i],
                output: node.outputs[0],
                shape: &graph.ty(node.outputs[0]).shape,
                operands: operands.copied().collect(),
            };
            reader = Readers::Group(match readers[candidate.output.index()] {
                Readers::Group(number) if open[number].takes(&candidate) => number,
                _ => {
                    open.push(Open::new(&candidate));
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

fn is_fusable(graph: &Graph, node: &Node) -> bool {
    Part::of(graph, node) == Some(Part::Element) && graph.ty(node.outputs[0]).shape.size() != Some(1)
}

/// A node that may join a group.
struct Candidate<'a> {
    position: usize,
    segment: usize,
    output: ValueId,
    shape: &'a Shape,
    operands: Vec<ValueId>,
}

/// A group whose members are being collected, last one first.
struct Open {
    members: Vec<usize>,
    segment: usize,
    shape: Shape,
    operands: Vec<ValueId>,
}

impl Open {
    fn new(root: &Candidate<'_>) -> Open {
        Open {
            members: vec![root.position],
            segment: root.segment,
            shape: root.shape.clone(),
            operands: root.operands.clone(),
        }
    }

    /// Adds a node that only members read, if it fits.
    fn takes(&mut self, node: &Candidate<'_>) -> bool {
        let mut operands = self.operands.clone();
        operands.retain(|v| *v != node.output);
        operands.extend(&node.operands);
        operands.sort_unstable();
        operands.dedup();
        let fits = self.members.len() < MAX_PRIMITIVES
            && operands.len() <= MAX_OPERANDS
            && node.segment == self.segment
            && may_be_equal(node.shape, &self.shape);
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

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn a_chain_with_broadcast_operands_is_one_node() {
        check(
            super::run,
            "graph (x: float32[4,3], b: float32[3], s: float32[]) -> float32[4,3] {
              two = constant 2.0 : float32[]
              a = mul(x, two) : float32[4,3]
              c = add(a, b) : float32[4,3]
              d = mul(c, c) : float32[4,3]
              e = div(d, s) : float32[4,3]
              return e
            }",
            "graph (x: float32[4,3], b: float32[3], s: float32[]) -> float32[4,3] {
              e = fusion (x, b, s) : float32[4,3] {
                body (x: float32[4,3], b: float32[3], s: float32[]) {
                  two = constant 2.0 : float32[]
                  a = mul(x, two) : float32[4,3]
                  c = add(a, b) : float32[4,3]
                  d = mul(c, c) : float32[4,3]
                  e = div(d, s) : float32[4,3]
                  return e
                }
              }
              return e
            }",
        );
    }

    #[test]
    fn a_value_that_is_used_elsewhere_stays() {
        check(
            super::run,
            "graph (x: float32[?]) -> (float32[?], float32[?], float32[1]) {
              a = exp(x) : float32[?]
              b = neg(a) : float32[?]
              c = add(b, a) : float32[?]
              i = constant [0] : int32[1]
              d = gather(a, i) {axis = 0} : float32[1]
              return a, c, d
            }",
            "graph (x: float32[?]) -> (float32[?], float32[?], float32[1]) {
              a = exp(x) : float32[?]
              c = fusion (a) : float32[?] {
                body (a: float32[?]) {
                  b = neg(a) : float32[?]
                  c = add(b, a) : float32[?]
                  return c
                }
              }
              i = constant [0] : int32[1]
              d = gather(a, i) {axis = 0} : float32[1]
              return a, c, d
            }",
        );
    }

    #[test]
    fn what_is_broadcast_is_computed_once() {
        check_unchanged(
            super::run,
            "graph (x: float32[4,3], b: float32[3], c: float32[4,1]) -> (float32[4,3], float32[4,3]) {
              d = exp(b) : float32[3]
              e = add(x, d) : float32[4,3]
              f = exp(c) : float32[4,1]
              g = add(x, f) : float32[4,3]
              return e, g
            }",
        );
    }

    #[test]
    fn unknown_shapes_are_decided_at_run_time() {
        check(
            super::run,
            "graph (x: float32[*], b: float32[*]) -> float32[*] {
              a = add(x, b) : float32[*]
              c = exp(a) : float32[*]
              return c
            }",
            "graph (x: float32[*], b: float32[*]) -> float32[*] {
              c = fusion (x, b) : float32[*] {
                body (x: float32[*], b: float32[*]) {
                  a = add(x, b) : float32[*]
                  c = exp(a) : float32[*]
                  return c
                }
              }
              return c
            }",
        );
    }

    #[test]
    fn nothing_moves_past_an_effect() {
        check_unchanged(
            super::run,
            "graph (x: int32[2]) -> int32[2] {
              a = div(x, x) : int32[2]
              print(\"divided\")
              b = neg(a) : int32[2]
              return b
            }",
        );
    }

    #[test]
    fn scalars_and_strings_stay() {
        check_unchanged(
            super::run,
            "graph (x: int32[], s: string[2], o: int32[1,1]) -> (int32[], string[2], int32[1,1]) {
              a = add(x, x) : int32[]
              b = mul(a, a) : int32[]
              t = add(s, s) : string[2]
              u = add(t, s) : string[2]
              p = add(o, o) : int32[1,1]
              q = add(p, o) : int32[1,1]
              return b, u, q
            }",
        );
    }

    #[test]
    fn a_constant_that_others_use_stays_for_them() {
        check(
            super::run,
            "graph (x: int32[2]) -> (int32[2], int32[]) {
              c = constant 3 : int32[]
              a = add(x, c) : int32[2]
              b = mul(a, a) : int32[2]
              return b, c
            }",
            "graph (x: int32[2]) -> (int32[2], int32[]) {
              c = constant 3 : int32[]
              b = fusion (x) : int32[2] {
                body (x: int32[2]) {
                  c = constant 3 : int32[]
                  a = add(x, c) : int32[2]
                  b = mul(a, a) : int32[2]
                  return b
                }
              }
              return b, c
            }",
        );
    }

    #[test]
    fn fusions_are_bounded() {
        let chain: String = (1..=100)
            .map(|i| format!("x{i} = add(x{}, x0) : int32[2] ", i - 1))
            .collect();
        let text = format!("graph (x0: int32[2]) -> int32[2] {{ {chain} return x100 }}");
        let mut graph: crate::graph::Graph = text.parse().unwrap();
        graph = super::run(&graph).unwrap();
        let sizes = graph.nodes.iter().map(|n| n.op.subgraphs()[0].nodes.len());
        assert_eq!(sizes.collect::<Vec<_>>(), [36, 64]);
    }
}
