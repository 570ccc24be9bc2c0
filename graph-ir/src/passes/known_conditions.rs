//! Control flow with a constant condition: a `cond` or `switch_case` is replaced by the branch that is taken, and a `while_loop` that
//! runs no iteration by its initial state. In the branches of a `cond`, its predicate is a constant, too.

use std::sync::Arc;

use graph_kernels::Array;

use super::constant_folding::define_inside;
use super::patch::Patch;
use super::rebuild::{Rebuild, constants};
use crate::graph::{Flow, Graph, Node, Op};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    graph.nodes.iter().find_map(Node::flow)?;
    let mut changed = false;
    let known = constants(graph);
    let mut rebuild = Rebuild::new(graph);
    for node in &graph.nodes {
        let choice = node.inputs.first().and_then(|v| known[v.index()]);
        if let Some(branch) = choice.and_then(|array| branch_taken(&node.op, array)) {
            let inputs = rebuild.all_new_of(node.passed());
            let outputs = rebuild.splice(branch, &inputs);
            rebuild.replace_all(&node.outputs, outputs);
            changed = true;
        } else if never_starts(node) {
            let state = rebuild.all_new_of(&node.inputs[..node.outputs.len()]);
            rebuild.replace_all(&node.outputs, state);
            changed = true;
        } else if let Some(op) = with_known_predicate(graph, node) {
            rebuild.keep_as(node, op, &node.inputs, &node.outputs);
            changed = true;
        } else {
            rebuild.keep(node);
        }
    }
    changed.then(|| rebuild.finish())
}

fn branch_taken<'a>(op: &'a Op, choice: &Array) -> Option<&'a Graph> {
    match op {
        Op::Cond {
            then_branch,
            else_branch,
        } => {
            let taken = *choice.values::<bool>()?.first()?;
            Some(if taken { then_branch } else { else_branch })
        }
        Op::SwitchCase { branches } => {
            let index = *choice.values::<i32>()?.first()?;
            usize::try_from(index)
                .ok()
                .and_then(|i| branches.get(i))
                .or(branches.last())
                .map(|branch| &**branch)
        }
        _ => None,
    }
}

/// A `cond` whose branches use its predicate: in each branch, the predicate is replaced by a constant.
fn with_known_predicate(graph: &Graph, node: &Node) -> Option<Op> {
    let (predicate, operands) = node.inputs.split_first()?;
    let is_cond = matches!(node.op, Op::Cond { .. });
    if !is_cond || !operands.contains(predicate) || graph.ty(*predicate).shape.rank() != Some(0) {
        return None;
    }
    let mut op = node.op.clone();
    let mut changed = false;
    for (branch, truth) in op.subgraphs_mut().into_iter().zip([true, false]) {
        let truth = Arc::new(Array::scalar(truth));
        for i in (0..operands.len()).filter(|i| operands[*i] == *predicate) {
            changed |= define_inside(branch, branch.inputs[i], &truth, node);
        }
    }
    changed.then_some(op)
}

fn never_starts(node: &Node) -> bool {
    let Some(Flow::Loop { cond, .. }) = node.flow() else {
        return false;
    };
    let [result] = cond.outputs[..] else {
        return false;
    };
    let value = constants(cond)[result.index()].and_then(|c| c.values::<bool>()?.first().copied());
    value == Some(false) && !cond.has_effect()
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::check;

    #[test]
    fn a_known_predicate_takes_its_branch() {
        check(
            super::run,
            "graph (a: int32[]) -> int32[] {
              p = constant false : bool[]
              b = cond p (a) : int32[] {
                then (x: int32[]) { y = add(x, x) : int32[] return y }
                else (x: int32[]) { print(\"else\") y = mul(x, x) : int32[] return y }
              }
              return b
            }",
            "graph (a: int32[]) -> int32[] {
              p = constant false : bool[]
              print(\"else\")
              y = mul(a, a) : int32[]
              return y
            }",
        );
    }

    #[test]
    fn branches_know_the_predicate() {
        check(
            super::run,
            "graph (p: bool[], q: bool[]) -> bool[] {
              a = cond p (p, q) : bool[] {
                then (r: bool[], q: bool[]) { s = logical_and(r, q) : bool[] return s }
                else (r: bool[], q: bool[]) { return r }
              }
              return a
            }",
            "graph (p: bool[], q: bool[]) -> bool[] {
              a = cond p (p, q) : bool[] {
                then (r: bool[], q: bool[]) { r_1 = constant true : bool[] s = logical_and(r_1, q) : bool[] return s }
                else (r: bool[], q: bool[]) { r_1 = constant false : bool[] return r_1 }
              }
              return a
            }",
        );
    }

    #[test]
    fn a_known_index_takes_its_branch_and_the_last_if_out_of_range() {
        for (index, taken) in [(0, "add"), (1, "mul"), (7, "mul"), (-1, "mul")] {
            check(
                super::run,
                &format!(
                    "graph (a: int32[]) -> int32[] {{
                  i = constant {index} : int32[]
                  b = switch_case i (a) : int32[] {{
                    branch (x: int32[]) {{ y = add(x, x) : int32[] return y }}
                    branch (x: int32[]) {{ y = mul(x, x) : int32[] return y }}
                  }}
                  return b
                }}"
                ),
                &format!(
                    "graph (a: int32[]) -> int32[] {{
                  i = constant {index} : int32[]
                  y = {taken}(a, a) : int32[]
                  return y
                }}"
                ),
            );
        }
    }

    #[test]
    fn a_loop_that_never_starts_is_its_first_state() {
        check(
            super::run,
            "graph (a: int32[]) -> int32[] {
              b = while_loop (a) : int32[] {
                cond (x: int32[]) { p = constant false : bool[] return p }
                body (x: int32[]) { y = add(x, x) : int32[] return y }
              }
              return b
            }",
            "graph (a: int32[]) -> int32[] {
              return a
            }",
        );
    }
}
