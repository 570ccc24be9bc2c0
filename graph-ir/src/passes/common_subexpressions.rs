//! Common subexpressions: a primitive or constant with the same op, attributes and operands as an earlier one is replaced by it.
//! Kernels are pure functions of their operands and attributes, so the results are bitwise the same.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::patch::Patch;
use super::rebuild::Rebuild;
use crate::graph::{Graph, Node, Op, ValueId, fingerprint, same_bits};

/// Constants with more values than this are equal only if they share their array.
const MAX_COMPARED: usize = 64;

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let first = first_of_equal(graph);
    let is_first = |node: &Node| node.outputs.iter().all(|v| first[v.index()] == *v);
    if graph.nodes.iter().all(is_first) {
        return None;
    }
    let mut rebuild = Rebuild::new(graph);
    for node in &graph.nodes {
        if is_first(node) {
            rebuild.keep(node);
        } else {
            let value = rebuild.new_of(first[node.outputs[0].index()]);
            rebuild.replace(node.outputs[0], value);
        }
    }
    Some(rebuild.finish())
}

/// For each value, the first value that is certain to be equal to it.
fn first_of_equal(graph: &Graph) -> Vec<ValueId> {
    let mut first: Vec<ValueId> = (0..graph.values.len() as u32).map(ValueId).collect();
    // Nodes by a hash of op and operands. The few nodes with the same hash are compared in full.
    let mut seen: FxHashMap<u64, SmallVec<[&Node; 1]>> = FxHashMap::default();
    seen.reserve(graph.nodes.len());
    for node in &graph.nodes {
        if !matches!(node.op, Op::Constant(_) | Op::Primitive(..)) {
            continue;
        }
        let candidates = seen.entry(hash(node, &first)).or_default();
        let equal = candidates
            .iter()
            .find(|other| same_operands(node, other, &first) && same_result(graph, node, other));
        match equal {
            Some(other) => first[node.outputs[0].index()] = other.outputs[0],
            None => candidates.push(node),
        }
    }
    first
}

fn hash(node: &Node, first: &[ValueId]) -> u64 {
    let mut hasher = FxHasher::default();
    node.op.name().hash(&mut hasher);
    if let Op::Constant(array) = &node.op {
        let (dtype, len, first) = fingerprint(array);
        (dtype.name(), len, first).hash(&mut hasher);
    }
    for input in &node.inputs {
        first[input.index()].hash(&mut hasher);
    }
    hasher.finish()
}

fn same_operands(a: &Node, b: &Node, first: &[ValueId]) -> bool {
    let firsts = |node: &Node| {
        node.inputs
            .iter()
            .map(|v| first[v.index()])
            .collect::<SmallVec<[ValueId; 4]>>()
    };
    firsts(a) == firsts(b)
}

/// True if two nodes with the same operands return the same value, of the same static type.
fn same_result(graph: &Graph, a: &Node, b: &Node) -> bool {
    let same_op = match (&a.op, &b.op) {
        (Op::Constant(a), Op::Constant(b)) => {
            std::sync::Arc::ptr_eq(a, b) || (a.len() <= MAX_COMPARED && same_bits(a, b))
        }
        (Op::Primitive(op, a), Op::Primitive(other, b)) => op == other && a == b,
        _ => false,
    };
    same_op && graph.ty(a.outputs[0]) == graph.ty(b.outputs[0])
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn equal_ops_are_shared_also_through_each_other() {
        check(
            super::run,
            "graph (x: int32[]) -> int32[] {
              a = constant 1 : int32[]
              b = constant 1 : int32[]
              c = add(x, a) : int32[]
              d = add(x, b) : int32[]
              e = mul(c, d) : int32[]
              return e
            }",
            "graph (x: int32[]) -> int32[] {
              a = constant 1 : int32[]
              c = add(x, a) : int32[]
              e = mul(c, c) : int32[]
              return e
            }",
        );
    }

    #[test]
    fn attributes_and_bits_tell_apart() {
        check_unchanged(
            super::run,
            "graph (x: float32[2,2]) -> (float32[2], float32[2], float32[], float32[]) {
              a = reduce_sum(x) {axes = [0], keep_dims = false} : float32[2]
              b = reduce_sum(x) {axes = [1], keep_dims = false} : float32[2]
              c = constant 0.0 : float32[]
              d = constant -0.0 : float32[]
              return a, b, c, d
            }",
        );
    }

    #[test]
    fn nans_of_the_same_bits_are_shared() {
        check(
            super::run,
            "graph () -> (float32[], float32[]) {
              a = constant nan : float32[]
              b = constant nan : float32[]
              return a, b
            }",
            "graph () -> (float32[], float32[]) {
              a = constant nan : float32[]
              return a, a
            }",
        );
    }
}
