//! Constant folding: an op on constants is replaced by its result, and a constant operand of control flow moves into the
//! subgraphs that use it, where more ops can be folded. An op that fails isn't folded, so the run reports the error.

use std::sync::Arc;

use graph_kernels::{Array, range_len};

use super::patch::Patch;
use super::rebuild::{Rebuild, constants};
use crate::graph::{Graph, Node, Op, TensorType, ValueId};
use crate::ops::{self, Attrs, OpDef};

/// Results with more values than this aren't folded, and of strings longer than this: they would make the graph larger and the run hardly faster.
const MAX_VALUES: usize = 4096;

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    if !has_work(graph) {
        return None;
    }
    let mut changed = false;
    // The constants, by old value.
    let mut known: Vec<Option<Arc<Array>>> = vec![None; graph.values.len()];
    let mut rebuild = Rebuild::new(graph);
    for node in &graph.nodes {
        if let Op::Constant(array) = &node.op {
            known[node.outputs[0].index()] = Some(array.clone());
            rebuild.keep(node);
        } else if let Some(result) = fold(node, &known) {
            let result = Arc::new(result);
            let value = rebuild.constant(result.clone(), node.location.clone());
            rebuild.replace(node.outputs[0], value);
            known[node.outputs[0].index()] = Some(result);
            changed = true;
        } else if let Some(op) = sink(node, &known) {
            rebuild.keep_as(node, op, &node.inputs, &node.outputs);
            changed = true;
        } else {
            rebuild.keep(node);
        }
    }
    changed.then(|| rebuild.finish())
}

/// True if the pass may find something to do; found without copying anything.
fn has_work(graph: &Graph) -> bool {
    let known = constants(graph);
    let is_known = |v: &ValueId| known[v.index()].is_some();
    graph.nodes.iter().any(|node| match &node.op {
        Op::Primitive(..) => node.inputs.iter().all(is_known),
        _ => node.flow().is_some() && node.inputs.iter().any(is_known),
    })
}

/// The result of an op on constants, if it is small and the op doesn't fail.
fn fold(node: &Node, known: &[Option<Arc<Array>>]) -> Option<Array> {
    let Op::Primitive(op, attrs) = &node.op else {
        return None;
    };
    // An undefined value can't be written as a constant.
    if *op == &ops::UNDEFINED {
        return None;
    }
    let operands: Vec<&Array> = node
        .inputs
        .iter()
        .map(|v| known[v.index()].as_deref())
        .collect::<Option<_>>()?;
    // The size must be known before the kernel allocates it. That of strings follows from the operands'.
    size(op, &operands, attrs).filter(|size| *size <= MAX_VALUES)?;
    if operands.iter().any(|array| bytes(array) > MAX_VALUES) {
        return None;
    }
    let mut result = Array::default();
    (op.kernel)(&operands, attrs, &mut result).ok()?;
    Some(result)
}

/// The number of bytes of strings; 0 for other arrays.
fn bytes(array: &Array) -> usize {
    let texts = array.values::<String>().unwrap_or_default();
    texts.iter().map(String::len).sum()
}

/// The number of values of the result. The types of the operands tell it, or for a range their values.
fn size(op: &'static OpDef, operands: &[&Array], attrs: &Attrs) -> Option<usize> {
    if let [start, limit, delta] = operands
        && op == &ops::RANGE
    {
        return range_len(start, limit, delta).ok();
    }
    let types: Vec<TensorType> = operands.iter().map(|a| TensorType::of_array(a)).collect();
    let dims = (op.infer)(&types, attrs).ok()?.shape.to_known()?;
    dims.iter().try_fold(1usize, |n, d| n.checked_mul(*d))
}

/// The op with its constant operands defined inside the subgraphs; `None` if no subgraph uses one.
fn sink(node: &Node, known: &[Option<Arc<Array>>]) -> Option<Op> {
    let flow = node.flow()?;
    let mut op = node.op.clone();
    let mut changed = false;
    for i in flow.captured().take_while(|i| *i < node.inputs.len()) {
        let Some(array) = &known[node.inputs[i].index()] else {
            continue;
        };
        for subgraph in op.subgraphs_mut() {
            changed |= define_inside(
                subgraph,
                subgraph.inputs[i - flow.first_operand()],
                array,
                node,
            );
        }
    }
    changed.then_some(op)
}

/// Defines a constant in place of an input and replaces all uses of the input; false if it has none.
pub(super) fn define_inside(
    graph: &mut Graph,
    input: ValueId,
    array: &Arc<Array>,
    node: &Node,
) -> bool {
    let uses =
        |g: &Graph| g.outputs.contains(&input) || g.nodes.iter().any(|n| n.inputs.contains(&input));
    if !uses(graph) {
        return false;
    }
    let constant = graph.add_value(
        TensorType::of_array(array),
        graph.values[input.index()].name.clone(),
    );
    let readers = graph
        .nodes
        .iter_mut()
        .flat_map(|n| n.inputs.iter_mut())
        .chain(&mut graph.outputs);
    for value in readers.filter(|v| **v == input) {
        *value = constant;
    }
    let (op, location) = (Op::Constant(array.clone()), node.location.clone());
    graph.nodes.insert(
        0,
        Node {
            op,
            inputs: vec![],
            outputs: vec![constant],
            location,
        },
    );
    true
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn chains_of_constants_fold() {
        check(
            super::run,
            "graph () -> int32[] {
              a = constant 2 : int32[]
              b = add(a, a) : int32[]
              c = mul(b, b) : int32[]
              return c
            }",
            "graph () -> int32[] {
              a = constant 2 : int32[]
              b = constant 4 : int32[]
              c = constant 16 : int32[]
              return c
            }",
        );
    }

    #[test]
    fn what_fails_stays() {
        check_unchanged(
            super::run,
            "graph () -> int32[] {
              a = constant 1 : int32[]
              z = constant 0 : int32[]
              c = div(a, z) : int32[]
              return c
            }",
        );
    }

    #[test]
    fn large_results_stay() {
        check_unchanged(
            super::run,
            "graph () -> float32[100,100] {
              a = constant 1.0 : float32[]
              b = fill(a) {shape = [100, 100]} : float32[100,100]
              return b
            }",
        );
    }

    /// A string that is joined to itself a few dozen times has no bound.
    #[test]
    fn long_strings_stay() {
        let text = "a".repeat(super::MAX_VALUES + 1);
        let graph = format!(
            "graph () -> string[] {{
              a = constant {text:?} : string[]
              b = add(a, a) : string[]
              return b
            }}"
        );
        check_unchanged(super::run, &graph);
    }

    /// The size of a range isn't in its type, so what checks the size goes with the range.
    #[test]
    fn short_ranges_of_constants_fold() {
        let range = |limit: u32| {
            format!(
                "graph () -> int32[?] {{
                  start = constant 1 : int32[]
                  limit = constant {limit} : int32[]
                  delta = constant 2 : int32[]
                  r = range(start, limit, delta) : int32[?]
                  return r
                }}"
            )
        };
        check(
            super::run,
            &range(6),
            "graph () -> int32[3] {
              start = constant 1 : int32[]
              limit = constant 6 : int32[]
              delta = constant 2 : int32[]
              r = constant [1, 3, 5] : int32[3]
              return r
            }",
        );
        check_unchanged(super::run, &range(10_000));
    }

    #[test]
    fn constant_operands_move_into_branches_and_loops() {
        check(
            super::run,
            "graph (p: bool[], x: int32[]) -> (int32[], int32[]) {
              two = constant 2 : int32[]
              a = cond p (two) : int32[] {
                then (t: int32[]) { y = add(t, t) : int32[] return y }
                else (t: int32[]) { z = constant 0 : int32[] return z }
              }
              b = while_loop (two; two) : int32[] {
                cond (i: int32[], n: int32[]) { p = less(i, n) : bool[] return p }
                body (i: int32[], n: int32[]) { return i }
              }
              return a, b
            }",
            "graph (p: bool[], x: int32[]) -> (int32[], int32[]) {
              two = constant 2 : int32[]
              a = cond p (two) : int32[] {
                then (t: int32[]) { t_1 = constant 2 : int32[] y = add(t_1, t_1) : int32[] return y }
                else (t: int32[]) { z = constant 0 : int32[] return z }
              }
              b = while_loop (two; two) : int32[] {
                cond (i: int32[], n: int32[]) { n_1 = constant 2 : int32[] p = less(i, n_1) : bool[] return p }
                body (i: int32[], n: int32[]) { return i }
              }
              return a, b
            }",
        );
    }
}
