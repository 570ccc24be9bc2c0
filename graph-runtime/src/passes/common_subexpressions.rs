//! Common subexpressions: a primitive or constant that was computed before, from the same operands, is not computed
//! again. Kernels are functions of operands and attributes, so this holds bit by bit.

use rustc_hash::FxHashMap;

use super::rebuild::Rebuild;
use crate::graph::{Graph, Node, Op, ValueId, same_bits};

/// Constants of more values than this are compared by identity only.
const MAX_COMPARED: usize = 64;

pub(super) fn run(graph: &Graph) -> Option<Graph> {
    let mut changed = false;
    let mut rebuild = Rebuild::new(graph);
    // Nodes by name and operands (new values); among these few, everything else is compared.
    let mut seen: FxHashMap<(&str, Vec<ValueId>), Vec<&Node>> = FxHashMap::default();
    for node in &graph.nodes {
        if !matches!(node.op, Op::Constant(_) | Op::Primitive(..)) {
            rebuild.keep(node);
            continue;
        }
        let candidates = seen
            .entry((node.op.name(), rebuild.all_new_of(&node.inputs)))
            .or_default();
        match candidates
            .iter()
            .find(|other| same_result(graph, node, other))
        {
            Some(other) => {
                let value = rebuild.new_of(other.outputs[0]);
                rebuild.replace(node.outputs[0], value);
                changed = true;
            }
            None => {
                candidates.push(node);
                rebuild.keep(node);
            }
        }
    }
    changed.then(|| rebuild.finish())
}

/// True if two nodes of the same operands give the same value of the same static type.
fn same_result(graph: &Graph, a: &Node, b: &Node) -> bool {
    let same_op = match (&a.op, &b.op) {
        (Op::Constant(a), Op::Constant(b)) => {
            std::sync::Arc::ptr_eq(a, b) || (a.len() <= MAX_COMPARED && same_bits(a, b))
        }
        (Op::Primitive(_, a), Op::Primitive(_, b)) => a == b,
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
