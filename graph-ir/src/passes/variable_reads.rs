//! Removes reads of variables whose value was read or assigned before, with no write in between, and assignments of the value
//! that the variable already has.

use rustc_hash::FxHashMap;

use super::patch::Patch;
use super::rebuild::Rebuild;
use crate::graph::{Graph, Op, ValueId, VariableId};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let uses_variables = |op: &Op| matches!(op, Op::ReadVariable(_) | Op::AssignVariable(_));
    graph.nodes.iter().find(|node| uses_variables(&node.op))?;
    let mut changed = false;
    // For each variable, its current value.
    let mut held: FxHashMap<VariableId, ValueId> = FxHashMap::default();
    let mut rebuild = Rebuild::new(graph);
    for node in &graph.nodes {
        match &node.op {
            Op::ReadVariable(id) => {
                let read = node.outputs[0];
                // A value of a less precise type than the read would make other types less precise.
                let precise = |v: &&ValueId| graph.ty(read).covers(graph.ty(**v));
                if let Some(value) = held.get(id).filter(precise) {
                    let value = rebuild.new_of(*value);
                    rebuild.replace(read, value);
                    changed = true;
                    continue;
                }
                held.insert(*id, read);
            }
            Op::AssignVariable(id) => {
                if held.insert(*id, node.inputs[0]) == Some(node.inputs[0]) {
                    changed = true;
                    continue;
                }
            }
            op => held.retain(|id, _| !op.writes(*id)),
        }
        rebuild.keep(node);
    }
    changed.then(|| rebuild.finish())
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn what_is_known_is_not_read_again() {
        check(
            super::run,
            "graph (x: int32[]) with (v: int32[], w: int32[]) -> (int32[], int32[], int32[]) {
              a = read_variable v : int32[]
              assign_variable w (x)
              b = read_variable v : int32[]
              c = read_variable w : int32[]
              d = add(b, c) : int32[]
              assign_variable v (d)
              assign_variable v (d)
              e = read_variable v : int32[]
              return a, d, e
            }",
            "graph (x: int32[]) with (v: int32[], w: int32[]) -> (int32[], int32[], int32[]) {
              a = read_variable v : int32[]
              assign_variable w (x)
              d = add(a, x) : int32[]
              assign_variable v (d)
              return a, d, d
            }",
        );
    }

    #[test]
    fn what_may_have_changed_is_read_again() {
        check_unchanged(
            super::run,
            "fn f() with (a: float32[?], b: int32[]) -> int32[] {
              one = constant 1 : int32[]
              assign_variable b (one)
              return one
            }
            graph (x: int32[], p: bool[], u: float32[*]) with (v: int32[], w: float32[?]) -> (int32[], int32[], int32[], int32[], float32[?]) {
              a = read_variable v : int32[]
              update_variable v (x) { body (v: int32[], x: int32[]) { s = add(v, x) : int32[] return s } }
              b = read_variable v : int32[]
              cond p (x) { then (x: int32[]) { assign_variable v (x) return } else (x: int32[]) { return } }
              c = read_variable v : int32[]
              d = call f() with (w, v) : int32[]
              e = read_variable v : int32[]
              assign_variable w (u)
              h = read_variable w : float32[?]
              return a, b, c, e, h
            }",
        );
    }

    #[test]
    fn what_only_reads_leaves_it_known() {
        check(
            super::run,
            "graph (p: bool[]) with (v: int32[]) -> (int32[], int32[]) {
              a = read_variable v : int32[]
              cond p () { then () { b = read_variable v : int32[] print(b) return } else () { return } }
              c = read_variable v : int32[]
              return a, c
            }",
            "graph (p: bool[]) with (v: int32[]) -> (int32[], int32[]) {
              a = read_variable v : int32[]
              cond p () { then () { b = read_variable v : int32[] print(b) return } else () { return } }
              return a, a
            }",
        );
    }
}
