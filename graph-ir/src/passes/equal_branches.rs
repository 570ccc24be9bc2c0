//! Choices without a difference: a `cond` or `switch_case` whose branches are all the same is replaced by one branch, and a result
//! that is the same operand in all branches is replaced by the operand.

use super::patch::Patch;
use super::rebuild::{Rebuild, kept, retain_outputs};
use super::rewrite::View;
use crate::graph::{Flow, Graph, Node, Op, ValueId, same_bits, steps};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let is_choice = |node: &Node| matches!(node.flow(), Some(Flow::Choice));
    if !graph.nodes.iter().any(is_choice) {
        return None;
    }
    let view = View::of(graph);
    let mut changed = false;
    let mut rebuild = Rebuild::new(graph);
    for node in &graph.nodes {
        if !is_choice(node) || !view.can_go(node.inputs[0]) {
            rebuild.keep(node);
        } else if let Some(branch) = only_branch(&node.op) {
            let inputs = rebuild.all_new_of(node.passed());
            let outputs = rebuild.splice(branch, &inputs);
            rebuild.replace_all(&node.outputs, outputs);
            changed = true;
        } else {
            changed |= without_equal_results(&mut rebuild, node);
        }
    }
    changed.then(|| rebuild.finish())
}

/// The first branch, if all the others are the same.
fn only_branch(op: &Op) -> Option<&Graph> {
    let branches = op.subgraphs();
    let (first, rest) = branches.split_first()?;
    rest.iter()
        .all(|branch| same(first, branch))
        .then_some(first)
}

/// Writes a `cond` or `switch_case` without the results that are operands; false if there are none.
fn without_equal_results(rebuild: &mut Rebuild<'_>, node: &Node) -> bool {
    let operands: Vec<Option<ValueId>> = (0..node.outputs.len())
        .map(|i| operand_given(node, i))
        .collect();
    let chosen: Vec<bool> = operands.iter().map(Option::is_none).collect();
    if !chosen.contains(&false) {
        rebuild.keep(node);
        return false;
    }
    let mut op = node.op.clone();
    for branch in op.subgraphs_mut() {
        retain_outputs(branch, &chosen);
    }
    rebuild.keep_as(node, op, &node.inputs, &kept(&node.outputs, &chosen));
    for (output, operand) in node.outputs.iter().zip(operands) {
        if let Some(operand) = operand {
            let value = rebuild.new_of(operand);
            rebuild.replace(*output, value);
        }
    }
    true
}

/// The operand that every branch returns as its result at this position.
fn operand_given(node: &Node, position: usize) -> Option<ValueId> {
    let mut given = node.op.subgraphs().into_iter().map(|branch| {
        let input = branch
            .inputs
            .iter()
            .position(|v| *v == branch.outputs[position])?;
        Some(node.passed()[input])
    });
    let first = given.next()??;
    given.all(|operand| operand == Some(first)).then_some(first)
}

/// True if two graphs are the same, apart from names and locations.
fn same(a: &Graph, b: &Graph) -> bool {
    if a.nodes.len() != b.nodes.len() || a.inputs.len() != b.inputs.len() {
        return false;
    }
    steps::count(a.nodes.len());
    // For each value of `a`, the corresponding value of `b`.
    let mut map = vec![None; a.values.len()];
    let define = |map: &mut Vec<Option<ValueId>>, from: &[ValueId], to: &[ValueId]| {
        for (from, to) in from.iter().zip(to) {
            map[from.index()] = Some(*to);
        }
        let types = from.iter().map(|v| a.ty(*v));
        from.len() == to.len() && types.eq(to.iter().map(|v| b.ty(*v)))
    };
    let read = |map: &[Option<ValueId>], from: &[ValueId], to: &[ValueId]| {
        from.iter()
            .map(|v| map[v.index()])
            .eq(to.iter().map(|v| Some(*v)))
    };
    define(&mut map, &a.inputs, &b.inputs)
        && a.nodes.iter().zip(&b.nodes).all(|(x, y)| {
            same_op(&x.op, &y.op)
                && read(&map, &x.inputs, &y.inputs)
                && define(&mut map, &x.outputs, &y.outputs)
        })
        && read(&map, &a.outputs, &b.outputs)
}

fn same_op(a: &Op, b: &Op) -> bool {
    match (a, b) {
        (Op::Constant(a), Op::Constant(b)) => same_bits(a, b),
        (
            Op::Call {
                graph: a,
                variables: places,
                ..
            },
            Op::Call {
                graph: b,
                variables,
                ..
            },
        ) => a.is_same(b) && places == variables,
        (
            Op::UpdateVariable {
                variable: a,
                body: how,
            },
            Op::UpdateVariable { variable: b, body },
        ) => a == b && same(how, body),
        _ => {
            let (inside_a, inside_b) = (a.subgraphs(), b.subgraphs());
            if inside_a.is_empty() {
                return a == b;
            }
            a.name() == b.name()
                && inside_a.len() == inside_b.len()
                && inside_a.iter().zip(inside_b).all(|(a, b)| same(a, b))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn equal_branches_are_one() {
        check(
            super::run,
            "graph (i: int32[], x: float32[2]) -> float32[2] {
              y = switch_case i (x) : float32[2] {
                branch (a: float32[2]) { print(\"here\") c = constant nan : float32[] d = add(a, c) : float32[2] return d }
                branch (b: float32[2]) { print(\"here\") e = constant nan : float32[] f = add(b, e) : float32[2] return f }
              }
              return y
            }",
            "graph (i: int32[], x: float32[2]) -> float32[2] {
              print(\"here\")
              c = constant nan : float32[]
              d = add(x, c) : float32[2]
              return d
            }",
        );
    }

    #[test]
    fn what_no_branch_changes_comes_from_before() {
        check(
            super::run,
            "graph (p: bool[], x: int32[], y: int32[]) -> (int32[], int32[]) {
              a, b = cond p (x, y, x) : int32[], int32[] {
                then (x: int32[], y: int32[], z: int32[]) { s = add(x, y) : int32[] return s, z }
                else (x: int32[], y: int32[], z: int32[]) { return y, x }
              }
              return a, b
            }",
            "graph (p: bool[], x: int32[], y: int32[]) -> (int32[], int32[]) {
              a = cond p (x, y, x) : int32[] {
                then (x: int32[], y: int32[], z: int32[]) { s = add(x, y) : int32[] return s }
                else (x: int32[], y: int32[], z: int32[]) { return y }
              }
              return a, x
            }",
        );
    }

    #[test]
    fn other_constants_effects_and_conditions_that_may_fail_stay() {
        check_unchanged(
            super::run,
            "graph (p: bool[], x: int32[]) -> (float32[], int32[]) {
              a = cond p () : float32[] {
                then () { c = constant 0.0 : float32[] return c }
                else () { c = constant -0.0 : float32[] return c }
              }
              cond p () { then () { print(\"a\") return } else () { print(\"b\") return } }
              q = div(x, x) : int32[]
              z = less(q, x) : bool[]
              b = cond z (x) : int32[] { then (x: int32[]) { return x } else (x: int32[]) { return x } }
              return a, b
            }",
        );
    }
}
