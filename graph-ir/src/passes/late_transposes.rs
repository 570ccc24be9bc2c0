//! Transposes move behind the primitives that read them: elementwise ones, joins, paddings and parts. There they meet other transposes, which
//! undo them. So a network on images whose channels come first, as other programs write it, transposes its images before the first convolution
//! and after the last one, and not around each of them.
//!
//! Primitives that read each other's transposed results form a group, which changes as a whole, if fewer elements are transposed then. All
//! its shapes are known, so that no error names another shape than the program's.

mod turn;

use self::turn::Turn;
use super::patch::Patch;
use super::rebuild::Rebuild;
use super::safety::never_fails;
use crate::graph::fusion::element;
use crate::graph::{Graph, Node, Op, Shape, TensorType, ValueId};
use crate::ops::{self, Attr, Attrs, OpDef};
use crate::sets::Sets;

/// Primitives that move the values of their first operand along the axes that their attributes name.
static MOVING: &[&OpDef] = &[&ops::PAD, &ops::STRIDED_SLICE];

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let groups = ValueGroups::of(graph)?;
    let mut rebuild = Rebuild::new(graph);
    // For each value of a group that changes, the new value that it is a transpose of.
    let mut sources = vec![None; graph.values.len()];
    for node in &graph.nodes {
        let Some(turn) = groups.changed(node) else {
            rebuild.keep(node);
            continue;
        };
        let output = node.outputs[0];
        let source = match &node.op {
            Op::Primitive(op, attrs) if *op != &ops::TRANSPOSE => {
                let inputs = groups.inputs(&mut rebuild, turn, node, &sources);
                let (op, ty) = (Op::Primitive(op, turn.attrs(attrs)?), graph.ty(output));
                let dims = turn.in_source(ty.shape.dims()?).into_iter();
                let ty = TensorType::new(ty.dtype, Shape::of(dims));
                rebuild.add_node(op, inputs, vec![ty], node.location.clone())[0]
            }
            _ => rebuild.new_of(node.inputs[0]),
        };
        let (ty, at) = (graph.ty(output).clone(), node.location.clone());
        let result = rebuild.add_node(turn.op(), vec![source], vec![ty], at);
        rebuild.replace(output, result[0]);
        sources[output.index()] = Some(source);
    }
    Some(rebuild.finish())
}

fn is_transpose(node: &Node) -> bool {
    matches!(&node.op, Op::Primitive(op, _) if *op == &ops::TRANSPOSE)
}

/// What a group costs, in elements that are transposed.
#[derive(Clone, Copy, Default)]
struct Cost {
    before: usize,
    after: usize,
    /// Whether there is a primitive to move transposes behind.
    moves: bool,
}

/// The values that are transposes, or can be.
struct ValueGroups<'a> {
    graph: &'a Graph,
    turns: Vec<Option<Turn>>,
    /// The groups, as sets of values.
    sets: Sets,
    /// The cost of the group that a value represents.
    costs: Vec<Cost>,
    /// For each value, whether its group changes.
    changes: Vec<bool>,
}

impl<'a> ValueGroups<'a> {
    /// The groups of a graph; `None` if there is none to change.
    fn of(graph: &'a Graph) -> Option<ValueGroups<'a>> {
        graph.nodes.iter().find(|node| is_transpose(node))?;
        let count = graph.values.len();
        let mut groups = ValueGroups {
            graph,
            turns: vec![None; count],
            sets: Sets::new(count),
            costs: vec![Cost::default(); count],
            changes: Vec::new(),
        };
        graph.nodes.iter().for_each(|node| groups.add(node));
        groups.count();
        let changes = (0..count).map(|value| {
            let cost = groups.costs[groups.sets.root(value)];
            cost.moves && cost.after < cost.before
        });
        groups.changes = changes.collect();
        groups.changes.contains(&true).then_some(groups)
    }

    fn turn(&self, value: ValueId) -> Option<&Turn> {
        self.turns[value.index()].as_ref()
    }

    /// Adds the result of a node, if it is a transpose or can be.
    fn add(&mut self, node: &Node) {
        if is_transpose(node) {
            self.turns[node.outputs[0].index()] = Turn::of(self.graph, node);
        } else if let Some(turn) = self.of_result(node).cloned() {
            let output = node.outputs[0].index();
            for input in &node.inputs {
                if self.turn(*input) == Some(&turn) {
                    self.sets.join(output, input.index());
                }
            }
            self.turns[output] = Some(turn);
        }
    }

    /// How the result of a primitive is transposed, if transposes can move behind it.
    fn of_result(&self, node: &Node) -> Option<&Turn> {
        let Op::Primitive(op, attrs) = &node.op else {
            return None;
        };
        let turn = node.inputs.iter().find_map(|v| self.turn(*v))?;
        let output = &self.graph.ty(*node.outputs.first()?).shape;
        if !output.is_known() || !never_fails(self.graph, node) {
            return None;
        }
        let is_turned = |v: &ValueId| self.turn(*v) == Some(turn);
        let reads_turned = if element(self.graph, node).is_some() {
            let fits = |v: &ValueId| turn.reshaped(&self.graph.ty(*v).shape).is_some();
            node.inputs.iter().all(|v| is_turned(v) || fits(v))
        } else if *op == &ops::CONCAT {
            node.inputs.iter().all(is_turned)
        } else {
            MOVING.contains(op) && node.inputs.first().is_some_and(is_turned)
        };
        (reads_turned && turn.attrs(attrs).is_some()).then_some(turn)
    }

    /// Counts the elements that each group transposes, as it is and if it changes.
    fn count(&mut self) {
        // Values that something reads as they are.
        let mut needed = vec![false; self.graph.values.len()];
        for output in &self.graph.outputs {
            needed[output.index()] = true;
        }
        for node in &self.graph.nodes {
            let own = node.outputs.first().and_then(|v| self.turn(*v)).cloned();
            match own {
                Some(own) if is_transpose(node) => {
                    let (from, to) = (node.inputs[0], node.outputs[0]);
                    self.cost(to).before += self.size(to);
                    if self.turn(from).is_some_and(|turn| turn.is_undone_by(&own)) {
                        self.cost(from).before += self.size(to);
                    }
                }
                Some(own) => {
                    self.cost(node.outputs[0]).moves = true;
                    let others = node.inputs.iter().filter(|v| self.turn(**v) != Some(&own));
                    others.for_each(|v| needed[v.index()] = true);
                }
                None => node.inputs.iter().for_each(|v| needed[v.index()] = true),
            }
        }
        for (i, _) in needed.iter().enumerate().filter(|(_, needed)| **needed) {
            if self.turns[i].is_some() {
                let size = self.graph.values[i].ty.shape.size();
                let root = self.sets.root(i);
                self.costs[root].after += size.unwrap_or(0);
            }
        }
    }

    fn size(&self, value: ValueId) -> usize {
        self.graph.ty(value).shape.size().unwrap_or(0)
    }

    /// The cost of the group of a value.
    fn cost(&mut self, value: ValueId) -> &mut Cost {
        let root = self.sets.root(value.index());
        &mut self.costs[root]
    }

    /// How the result of a node is transposed, if its group changes.
    fn changed(&self, node: &Node) -> Option<&Turn> {
        let output = node.outputs.first()?;
        self.turn(*output).filter(|_| self.changes[output.index()])
    }

    /// The operands of a primitive that computes the source of its result: sources, and others as they broadcast with these.
    fn inputs(
        &self,
        rebuild: &mut Rebuild<'_>,
        turn: &Turn,
        node: &Node,
        sources: &[Option<ValueId>],
    ) -> Vec<ValueId> {
        let is_element = element(self.graph, node).is_some();
        let input = |input: &ValueId| {
            if let Some(source) = sources[input.index()].filter(|_| self.turn(*input) == Some(turn))
            {
                return source;
            }
            let (ty, new) = (self.graph.ty(*input), rebuild.new_of(*input));
            match turn.reshaped(&ty.shape).filter(|_| is_element) {
                Some(dims) if ty.shape != Shape::known(&dims) => {
                    let sizes = dims.iter().map(|size| *size as i64).collect();
                    let attrs = Attrs::new().with("shape", Attr::Ints(sizes));
                    let reshape = Op::Primitive(&ops::RESHAPE, attrs);
                    let ty = TensorType::new(ty.dtype, Shape::known(&dims));
                    rebuild.add_node(reshape, vec![new], vec![ty], node.location.clone())[0]
                }
                _ => new,
            }
        };
        node.inputs.iter().map(input).collect()
    }
}

#[cfg(test)]
mod tests {
    use graph_kernels::Array;

    use crate::passes::testing::{check, check_unchanged, same_results_on};

    /// What a network with the channels first has between two ops that have them last: a bias, a residual, a join, a padding and a part.
    const NETWORK: &str = "graph (a: float32[1,2,2,3], b: float32[1,2,2,3], bias: float32[3,1,1]) -> (float32[1,3,3,6], float32[1,2,2,3]) {
      t = transpose(a) {perm = [0, 3, 1, 2]} : float32[1,3,2,2]
      u = transpose(b) {perm = [0, 3, 1, 2]} : float32[1,3,2,2]
      s = add(t, bias) : float32[1,3,2,2]
      r = relu(s) : float32[1,3,2,2]
      v = add(r, u) : float32[1,3,2,2]
      c = concat(r, v) {axis = 1} : float32[1,6,2,2]
      zero = constant 0.0 : float32[]
      p = pad(c, zero) {before = [0, 0, 1, 2], after = [0, 0, 3, 4]} : float32[1,6,6,8]
      q = strided_slice(p) {axes = [-1, 2], begins = [1, 0], ends = [4, 3], steps = [1, 1], masks = [0, 0]} : float32[1,6,3,3]
      y = transpose(q) {perm = [0, 2, 3, 1]} : float32[1,3,3,6]
      z = transpose(v) {perm = [0, 2, 3, 1]} : float32[1,2,2,3]
      return y, z
    }";

    #[test]
    fn transposes_meet_behind_what_is_between_them() {
        check(
            super::run,
            NETWORK,
            "graph (a: float32[1,2,2,3], b: float32[1,2,2,3], bias: float32[3,1,1]) -> (float32[1,3,3,6], float32[1,2,2,3]) {
              t = transpose(a) {perm = [0, 3, 1, 2]} : float32[1,3,2,2]
              u = transpose(b) {perm = [0, 3, 1, 2]} : float32[1,3,2,2]
              %5 = reshape(bias) {shape = [3]} : float32[3]
              %6 = add(a, %5) : float32[1,2,2,3]
              s = transpose(%6) {perm = [0, 3, 1, 2]} : float32[1,3,2,2]
              %8 = relu(%6) : float32[1,2,2,3]
              r = transpose(%8) {perm = [0, 3, 1, 2]} : float32[1,3,2,2]
              %10 = add(%8, b) : float32[1,2,2,3]
              v = transpose(%10) {perm = [0, 3, 1, 2]} : float32[1,3,2,2]
              %12 = concat(%8, %10) {axis = 3} : float32[1,2,2,6]
              c = transpose(%12) {perm = [0, 3, 1, 2]} : float32[1,6,2,2]
              zero = constant 0.0 : float32[]
              %15 = pad(%12, zero) {before = [0, 1, 2, 0], after = [0, 3, 4, 0]} : float32[1,6,8,6]
              p = transpose(%15) {perm = [0, 3, 1, 2]} : float32[1,6,6,8]
              %17 = strided_slice(%15) {axes = [2, 1], begins = [1, 0], ends = [4, 3], steps = [1, 1], masks = [0, 0]} : float32[1,3,3,6]
              q = transpose(%17) {perm = [0, 3, 1, 2]} : float32[1,6,3,3]
              y = transpose(q) {perm = [0, 2, 3, 1]} : float32[1,3,3,6]
              z = transpose(v) {perm = [0, 2, 3, 1]} : float32[1,2,2,3]
              return y, z
            }",
        );
        let numbers = |shape: &[usize]| {
            let count = shape.iter().product::<usize>();
            let values = (0..count).map(|n| (n * 37 % 19) as f32 - 9.5);
            Array::new(shape, values.collect::<Vec<_>>())
        };
        let inputs = [[1, 2, 2, 3], [1, 2, 2, 3]].map(|shape| numbers(&shape));
        let [a, b] = inputs;
        same_results_on(super::run, NETWORK, &[a, b, numbers(&[3, 1, 1])]);
    }

    /// One transpose before a primitive and one after it are the same work. With several readers, it would be more.
    #[test]
    fn transposes_stay_where_they_are_no_fewer_elsewhere() {
        check_unchanged(
            super::run,
            "graph (x: float32[2,3], y: float32[3,2]) -> (float32[3,2], float32[3,2], float32[3,2]) {
              t = transpose(x) {perm = [1, 0]} : float32[3,2]
              a = exp(t) : float32[3,2]
              b = neg(t) : float32[3,2]
              c = add(t, y) : float32[3,2]
              return a, b, c
            }",
        );
    }

    #[test]
    fn operands_that_a_reshape_cannot_turn_and_unknown_sizes_stay() {
        check_unchanged(
            super::run,
            "graph (x: float32[2,3,4], k: float32[4,3], u: float32[?,3]) -> (float32[2,3,4], float32[?,3]) {
              t = transpose(x) {perm = [0, 2, 1]} : float32[2,4,3]
              a = add(t, k) : float32[2,4,3]
              y = transpose(a) {perm = [0, 2, 1]} : float32[2,3,4]
              v = transpose(u) {perm = [1, 0]} : float32[3,?]
              b = exp(v) : float32[3,?]
              z = transpose(b) {perm = [1, 0]} : float32[?,3]
              return y, z
            }",
        );
    }
}
