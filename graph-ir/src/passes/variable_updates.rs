//! Updates of variables: an elementwise chain that computes a variable's new value becomes part of the write, which then changes the
//! variable's array in place. Both `v = v - g * r` and `v += g * r` become one loop over one array.

use rustc_hash::FxHashMap;

use super::fuse::{MAX_PRIMITIVES, Uses, elements, elements_of, may_be_equal, segments};
use super::patch::Patch;
use super::rebuild::{Rebuild, splice};
use crate::graph::{Graph, Node, Op, Value, ValueId, VariableId};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let writes = |op: &Op| matches!(op, Op::AssignVariable(_) | Op::UpdateVariable { .. });
    graph.nodes.iter().find(|node| writes(&node.op))?;
    let joining = Joining::of(graph);
    if joining.updates.is_empty() {
        return None;
    }
    let mut rebuild = Rebuild::new(graph);
    for (i, node) in graph.nodes.iter().enumerate() {
        if let Some((op, inputs)) = joining.updates.get(&i) {
            rebuild.keep_as(node, op.clone(), inputs, &[]);
        } else if !joining.inside[i] {
            rebuild.keep(node);
        }
    }
    Some(rebuild.finish())
}

/// How the nodes of a graph are rewritten.
struct Joining<'a> {
    graph: &'a Graph,
    uses: Uses,
    segments: Vec<usize>,
    /// The value of the last read of each variable, if nothing has written the variable since.
    held: FxHashMap<VariableId, ValueId>,
    /// For each rewritten write, by position: its new op and operands.
    updates: FxHashMap<usize, (Op, Vec<ValueId>)>,
    /// For each node, whether it becomes part of a write, or is a read that only a write needed.
    inside: Vec<bool>,
}

impl<'a> Joining<'a> {
    fn of(graph: &'a Graph) -> Joining<'a> {
        let mut joining = Joining {
            graph,
            uses: Uses::of(graph),
            segments: segments(graph),
            held: FxHashMap::default(),
            updates: FxHashMap::default(),
            inside: vec![false; graph.nodes.len()],
        };
        for (i, node) in graph.nodes.iter().enumerate() {
            let body = match &node.op {
                Op::ReadVariable(id) => {
                    joining.held.insert(*id, node.outputs[0]);
                    continue;
                }
                Op::AssignVariable(id) => joining.assignment(i, *id, node.inputs[0]),
                Op::UpdateVariable { variable, body } => {
                    joining.update(i, *variable, body, &node.inputs)
                }
                _ => None,
            };
            if let Some(body) = body {
                joining.updates.insert(i, body.finish());
            }
            joining.held.retain(|id, _| !node.op.writes(*id));
        }
        joining
    }

    /// `v = f(v, ..)`, if nothing else reads the new value.
    fn assignment(&mut self, at: usize, variable: VariableId, value: ValueId) -> Option<Body<'a>> {
        let graph = self.graph;
        let held = *self.held.get(&variable)?;
        let producer = self.producer(at, value, MAX_PRIMITIVES)?;
        let mut body = Body::new(graph, variable, &graph.values[held.index()], Some(held))?;
        body.add(&graph.nodes[producer]);
        body.graph.outputs = vec![body.value(value)];
        if !body.reads_held {
            return None;
        }
        self.inside[producer] = true;
        self.drop_read(held);
        Some(body)
    }

    /// `v += f(..)`, or `v += v`.
    fn update(
        &mut self,
        at: usize,
        variable: VariableId,
        change: &Graph,
        inputs: &[ValueId],
    ) -> Option<Body<'a>> {
        let graph = self.graph;
        let held = self.held.get(&variable).copied();
        let own = &change.values[change.inputs[0].index()];
        let mut body = Body::new(graph, variable, own, held)?;
        let mut room = MAX_PRIMITIVES.checked_sub(elements_of(change)?)?;
        let mut producers = Vec::new();
        for (input, place) in inputs.iter().zip(&change.inputs[1..]) {
            let Some(producer) = self.producer(at, *input, room) else {
                continue;
            };
            if may_be_equal(&change.ty(*place).shape, &own.ty.shape)
                && !producers.contains(&producer)
            {
                room -= elements(graph, &graph.nodes[producer])?;
                body.add(&graph.nodes[producer]);
                producers.push(producer);
            }
        }
        let mut operands = vec![body.graph.inputs[0]];
        operands.extend(inputs.iter().map(|v| body.value(*v)));
        if producers.is_empty() && !body.reads_held {
            return None;
        }
        body.graph.outputs = splice(&mut body.graph, change, &operands);
        producers.iter().for_each(|p| self.inside[*p] = true);
        if let (Some(held), true) = (held, body.reads_held) {
            self.drop_read(held);
        }
        Some(body)
    }

    /// The elementwise node whose value only the write at a position reads, with no effect in between.
    fn producer(&self, at: usize, value: ValueId, room: usize) -> Option<usize> {
        let producer = self.uses.only_use_of(value)?;
        let fits = elements(self.graph, &self.graph.nodes[producer])? <= room;
        (fits && self.segments[producer] == self.segments[at]).then_some(producer)
    }

    /// Removes the read of a variable if only this write needed it: the write reads the variable itself.
    fn drop_read(&mut self, held: ValueId) {
        if let Some(read) = self.uses.only_use_of(held) {
            self.inside[read] = true;
        }
    }
}

/// The body of an update under construction.
struct Body<'a> {
    old: &'a Graph,
    variable: VariableId,
    graph: Graph,
    /// The variable's old value, if the graph reads it.
    held: Option<ValueId>,
    reads_held: bool,
    /// Old values that become operands, in the order of the body's inputs after the first.
    operands: Vec<ValueId>,
    /// For each old value, the value in the body.
    map: FxHashMap<ValueId, ValueId>,
}

impl<'a> Body<'a> {
    /// A body for this variable. `None` for a scalar: there is no array to save.
    fn new(
        old: &'a Graph,
        variable: VariableId,
        own: &Value,
        held: Option<ValueId>,
    ) -> Option<Body<'a>> {
        if own.ty.shape.size() == Some(1) {
            return None;
        }
        let mut graph = Graph::default();
        graph.add_input(own.ty.clone(), own.name.clone());
        Some(Body {
            old,
            variable,
            graph,
            held,
            reads_held: false,
            operands: Vec::new(),
            map: FxHashMap::default(),
        })
    }

    /// The body's value for an old value: the variable's value, a value that is already defined, or a new input.
    fn value(&mut self, old: ValueId) -> ValueId {
        if self.held == Some(old) {
            self.reads_held = true;
            return self.graph.inputs[0];
        }
        *self.map.entry(old).or_insert_with(|| {
            let value = &self.old.values[old.index()];
            self.operands.push(old);
            self.graph.add_input(value.ty.clone(), value.name.clone())
        })
    }

    /// Adds a primitive, or the nodes of a fusion's body.
    fn add(&mut self, node: &Node) {
        let inputs: Vec<ValueId> = node.inputs.iter().map(|v| self.value(*v)).collect();
        let output = match &node.op {
            Op::Fusion { body } => splice(&mut self.graph, body, &inputs)[0],
            op => {
                let ty = self.old.ty(node.outputs[0]).clone();
                let at = node.location.clone();
                self.graph.add_node(op.clone(), inputs, vec![ty], at)[0]
            }
        };
        self.map.insert(node.outputs[0], output);
    }

    fn finish(self) -> (Op, Vec<ValueId>) {
        let op = Op::UpdateVariable {
            variable: self.variable,
            body: self.graph.into(),
        };
        (op, self.operands)
    }
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn a_step_of_gradient_descent_is_one_update() {
        check(
            super::run,
            "graph (g: float32[4], r: float32[]) with (v: float32[4], w: float32[4]) -> () {
              a = read_variable v : float32[4]
              b = fusion (g, r, a) : float32[4] {
                body (g: float32[4], r: float32[], a: float32[4]) {
                  s = mul(g, r) : float32[4]
                  b = sub(a, s) : float32[4]
                  return b
                }
              }
              assign_variable v (b)
              s = mul(g, r) : float32[4]
              update_variable w (s) { body (w: float32[4], s: float32[4]) { b = sub(w, s) : float32[4] return b } }
              return
            }",
            "graph (g: float32[4], r: float32[]) with (v: float32[4], w: float32[4]) -> () {
              update_variable v (g, r) {
                body (a: float32[4], g: float32[4], r: float32[]) {
                  s = mul(g, r) : float32[4]
                  b = sub(a, s) : float32[4]
                  return b
                }
              }
              update_variable w (g, r) {
                body (w: float32[4], g: float32[4], r: float32[]) {
                  %3 = mul(g, r) : float32[4]
                  b = sub(w, %3) : float32[4]
                  return b
                }
              }
              return
            }",
        );
    }

    #[test]
    fn what_the_variable_holds_is_no_operand() {
        check(
            super::run,
            "graph () with (v: float32[4]) -> (float32[4]) {
              a = read_variable v : float32[4]
              update_variable v (a) { body (v: float32[4], a: float32[4]) { b = add(v, a) : float32[4] return b } }
              c = read_variable v : float32[4]
              d = exp(c) : float32[4]
              update_variable v (d) { body (v: float32[4], a: float32[4]) { b = add(v, a) : float32[4] return b } }
              return c
            }",
            "graph () with (v: float32[4]) -> (float32[4]) {
              update_variable v () { body (v: float32[4]) { b = add(v, v) : float32[4] return b } }
              c = read_variable v : float32[4]
              update_variable v () { body (v: float32[4]) { %1 = exp(v) : float32[4] b = add(v, %1) : float32[4] return b } }
              return c
            }",
        );
    }

    #[test]
    fn other_users_effects_writes_and_broadcasts_keep_them_apart() {
        check_unchanged(
            super::run,
            "graph (g: float32[4], h: float32[2,4]) with (v: float32[4], w: float32[4], u: float32[2,4], n: int32[]) -> (float32[4]) {
              a = read_variable v : float32[4]
              b = mul(a, g) : float32[4]
              assign_variable v (b)
              c = read_variable w : float32[4]
              d = mul(c, g) : float32[4]
              print(\"between\")
              assign_variable w (d)
              e = exp(g) : float32[4]
              update_variable u (e) { body (u: float32[2,4], e: float32[4]) { s = add(u, e) : float32[2,4] return s } }
              i = read_variable u : float32[2,4]
              update_variable u (h) { body (u: float32[2,4], h: float32[2,4]) { s = add(u, h) : float32[2,4] return s } }
              j = mul(i, h) : float32[2,4]
              assign_variable u (j)
              k = read_variable n : int32[]
              l = mul(k, k) : int32[]
              assign_variable n (l)
              return b
            }",
        );
    }
}
