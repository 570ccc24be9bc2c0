//! Scalars that stand between updates of variables are computed before them, if they don't need the new values: then updates stand side by
//! side, and the plan can make one pass of them. The rate of an optimizer's step is such a scalar.

use super::patch::Patch;
use super::rebuild::Rebuild;
use super::safety::never_fails;
use crate::graph::{Graph, Node, Op, ValueId, VariableId};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let updates = |node: &Node| matches!(node.op, Op::UpdateVariable { .. });
    graph.nodes.iter().find(|node| updates(node))?;
    let mut changed = false;
    let mut waiting = Waiting::default();
    let mut rebuild = Rebuild::new(graph);
    for node in &graph.nodes {
        if waiting.takes(node) {
            continue;
        }
        if waiting.nodes.is_empty() || !waiting.lets_pass(graph, node) {
            waiting.end(&mut rebuild);
        } else {
            changed = true;
        }
        rebuild.keep(node);
    }
    waiting.end(&mut rebuild);
    changed.then(|| rebuild.finish())
}

/// Updates side by side, and reads of what they write, which aren't in the new graph yet.
#[derive(Default)]
struct Waiting<'a> {
    nodes: Vec<&'a Node>,
    written: Vec<VariableId>,
    read: Vec<ValueId>,
}

impl<'a> Waiting<'a> {
    /// Takes a node that belongs to the updates.
    fn takes(&mut self, node: &'a Node) -> bool {
        match &node.op {
            Op::UpdateVariable { variable, .. } => self.written.push(*variable),
            Op::ReadVariable(id) if self.written.contains(id) => self.read.extend(&node.outputs),
            _ => return false,
        }
        self.nodes.push(node);
        true
    }

    /// True if a node may be computed before the updates: a scalar that can't fail and doesn't need what they write.
    fn lets_pass(&self, graph: &Graph, node: &Node) -> bool {
        let is_scalar = |value: &ValueId| graph.ty(*value).shape.size() == Some(1);
        node.outputs.iter().all(is_scalar)
            && never_fails(graph, node)
            && !node.inputs.iter().any(|value| self.read.contains(value))
    }

    fn end(&mut self, rebuild: &mut Rebuild) {
        let waiting = std::mem::take(self);
        waiting
            .nodes
            .into_iter()
            .for_each(|node| rebuild.keep(node));
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn a_rate_is_computed_before_the_updates_around_it() {
        check(
            super::run,
            "graph (g: float32[4], n: float32[]) with (m: float32[4], v: float32[4]) -> () {
              update_variable m (g) { body (m: float32[4], g: float32[4]) { b = add(m, g) : float32[4] return b } }
              c = constant 0.5 : float32[]
              r = pow(c, n) : float32[]
              a = read_variable m : float32[4]
              s = sqrt(r) : float32[]
              update_variable v (a, s) {
                body (v: float32[4], a: float32[4], s: float32[]) { t = mul(a, s) : float32[4] u = sub(v, t) : float32[4] return u }
              }
              return
            }",
            "graph (g: float32[4], n: float32[]) with (m: float32[4], v: float32[4]) -> () {
              c = constant 0.5 : float32[]
              r = pow(c, n) : float32[]
              s = sqrt(r) : float32[]
              update_variable m (g) { body (m: float32[4], g: float32[4]) { b = add(m, g) : float32[4] return b } }
              a = read_variable m : float32[4]
              update_variable v (a, s) {
                body (v: float32[4], a: float32[4], s: float32[]) { t = mul(a, s) : float32[4] u = sub(v, t) : float32[4] return u }
              }
              return
            }",
        );
    }

    #[test]
    fn arrays_new_values_effects_and_what_may_fail_stay() {
        let update = "update_variable m (g) { body (m: float32[4], g: float32[4]) { b = add(m, g) : float32[4] return b } }";
        check_unchanged(
            super::run,
            &format!(
                "graph (g: float32[4], i: int32[]) with (m: float32[4], n: int32[]) -> (float32[4], float32[], int32[], int32[]) {{
                  {update}
                  a = exp(g) : float32[4]
                  {update}
                  b = read_variable m : float32[4]
                  c = reduce_sum(b) {{axes = [0], keep_dims = false}} : float32[]
                  {update}
                  d = div(i, i) : int32[]
                  {update}
                  assign_variable n (i)
                  e = read_variable n : int32[]
                  {update}
                  return a, c, d, e
                }}"
            ),
        );
    }
}
