//! Reductions whose axes are put back keep them: `expand_dims(reduce_mean(x))` becomes a `reduce_mean` that keeps its axes. So do the
//! elementwise primitives between the two, such as the square root of a variance. Then the fusion of rows sees that the result is broadcast
//! over the row.

use std::collections::BTreeSet;

use super::patch::Patch;
use super::rebuild::Rebuild;
use crate::graph::fusion::element;
use crate::graph::{Graph, Node, Op, Shape, TensorType, ValueId};
use crate::ops::{self, Attr, Attrs, OpDef};
use crate::sets::Sets;

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let groups = ValueGroups::of(graph)?;
    let mut rebuild = Rebuild::new(graph);
    for node in &graph.nodes {
        if let Some((op, ty)) = groups.keeping(node) {
            let inputs = rebuild.all_new_of(&node.inputs);
            let new = rebuild.add_node(op, inputs, vec![ty], node.location.clone());
            rebuild.replace(node.outputs[0], new[0]);
        } else if groups.has_axes_already(node) {
            rebuild.replace(node.outputs[0], rebuild.new_of(node.inputs[0]));
        } else {
            rebuild.keep(node);
        }
    }
    Some(rebuild.finish())
}

/// A value that reductions over the same axes are combined to.
#[derive(Clone)]
struct Reduced {
    /// The operand's rank and the axes.
    axes: (usize, BTreeSet<usize>),
    /// Its type if the axes are kept.
    ty: TensorType,
}

/// How the readers of a value need it.
#[derive(Clone, Copy, Default)]
struct Needs {
    /// With the axes: a reader puts them back.
    put_back: bool,
    /// Without the axes.
    bare: bool,
}

/// The values that reductions are combined to. Those that elementwise primitives combine are a group: they keep their axes together or not
/// at all.
struct ValueGroups<'a> {
    graph: &'a Graph,
    values: Vec<Option<Reduced>>,
    /// The groups, as sets of values.
    sets: Sets,
    needs: Vec<Needs>,
    /// For each value, whether its group keeps its axes from now on.
    changes: Vec<bool>,
}

impl<'a> ValueGroups<'a> {
    /// The groups of a graph; `None` if there is none to change.
    fn of(graph: &'a Graph) -> Option<ValueGroups<'a>> {
        if !graph.nodes.iter().any(|node| reduction(node).is_some()) {
            return None;
        }
        let count = graph.values.len();
        let mut all = ValueGroups {
            graph,
            values: vec![None; count],
            sets: Sets::new(count),
            needs: vec![Needs::default(); count],
            changes: Vec::new(),
        };
        graph.nodes.iter().for_each(|node| all.add(node));
        for output in &graph.outputs {
            all.needs[output.index()].bare = true;
        }
        all.decide();
        all.changes.contains(&true).then_some(all)
    }

    /// Finds the groups whose axes are put back and that nobody needs without them.
    fn decide(&mut self) {
        let mut groups = vec![Needs::default(); self.values.len()];
        for (value, needs) in self.needs.iter().enumerate() {
            let group = &mut groups[self.sets.root(value)];
            group.put_back |= needs.put_back;
            group.bare |= needs.bare;
        }
        let values = self.values.iter().enumerate();
        let changes = values.map(|(value, reduced)| {
            let group = groups[self.sets.root(value)];
            reduced.is_some() && group.put_back && !group.bare
        });
        self.changes = changes.collect();
    }

    fn add(&mut self, node: &Node) {
        if let Some(reduced) = self.combination(node) {
            self.values[node.outputs[0].index()] = Some(reduced);
            return;
        }
        if let Some(reduced) = self.reduction(node) {
            self.values[node.outputs[0].index()] = Some(reduced);
        }
        let puts_back = self.puts_back(node);
        for input in &node.inputs {
            let needs = &mut self.needs[input.index()];
            match puts_back {
                true => needs.put_back = true,
                false => needs.bare = true,
            }
        }
    }

    /// The result of a reduction over some axes that doesn't keep them.
    fn reduction(&self, node: &Node) -> Option<Reduced> {
        let (op, attrs) = reduction(node)?;
        let ty = self.graph.ty(node.inputs[0]);
        let rank = ty.shape.rank()?;
        let axes = positions(attrs.ints("axes").ok()?, rank)?;
        if axes.is_empty() || axes.len() == rank {
            return None;
        }
        let ty = (op.infer)(std::slice::from_ref(ty), &keeping(attrs)).ok()?;
        let axes = (rank, axes);
        Some(Reduced { axes, ty })
    }

    /// The result of an elementwise primitive on reduced values of the same axes and scalars. It joins their groups.
    fn combination(&mut self, node: &Node) -> Option<Reduced> {
        element(self.graph, node)?;
        let Op::Primitive(op, attrs) = &node.op else {
            return None;
        };
        let reduced = || node.inputs.iter().filter_map(|v| self.get(*v));
        let axes = reduced().next()?.axes.clone();
        let is_scalar = |v: &ValueId| self.graph.ty(*v).shape.rank() == Some(0);
        let fits = |v: &ValueId| {
            self.get(*v)
                .map_or(is_scalar(v), |value| value.axes == axes)
        };
        if !node.inputs.iter().all(fits) {
            return None;
        }
        let types: Vec<TensorType> = node.inputs.iter().map(|v| self.kept_type(*v)).collect();
        let ty = (op.infer)(&types, attrs).ok()?;
        let output = node.outputs[0].index();
        for input in node
            .inputs
            .iter()
            .filter(|v| self.values[v.index()].is_some())
        {
            self.sets.join(output, input.index());
        }
        Some(Reduced { axes, ty })
    }

    /// Whether a node gives its operand the axes that a reduction took.
    fn puts_back(&self, node: &Node) -> bool {
        let Op::Primitive(op, _) = &node.op else {
            return false;
        };
        let reshapes = *op == &ops::EXPAND_DIMS || *op == &ops::RESHAPE;
        let shape = &self.graph.ty(node.outputs[0]).shape;
        let reduced = || self.get(node.inputs[0]);
        reshapes && reduced().is_some_and(|reduced| are_equal(&reduced.ty.shape, shape))
    }

    fn get(&self, value: ValueId) -> Option<&Reduced> {
        self.values[value.index()].as_ref()
    }

    /// The type of a value, with the axes that its reduction took.
    fn kept_type(&self, value: ValueId) -> TensorType {
        let reduced = self.get(value).map(|reduced| &reduced.ty);
        reduced.unwrap_or_else(|| self.graph.ty(value)).clone()
    }

    /// A value of a group that keeps its axes from now on.
    fn changed(&self, value: ValueId) -> Option<&Reduced> {
        self.get(value).filter(|_| self.changes[value.index()])
    }

    /// The op and the type of a node whose result keeps the axes from now on.
    fn keeping(&self, node: &Node) -> Option<(Op, TensorType)> {
        let reduced = self.changed(*node.outputs.first()?)?;
        let op = match reduction(node) {
            Some((op, attrs)) => Op::Primitive(op, keeping(attrs)),
            None => node.op.clone(),
        };
        Some((op, reduced.ty.clone()))
    }

    /// Whether the operand of a node that puts the axes back has them already.
    fn has_axes_already(&self, node: &Node) -> bool {
        let operand = node.inputs.first();
        operand.is_some_and(|operand| self.changed(*operand).is_some())
    }
}

/// A reduction that doesn't keep its axes, with its attributes.
fn reduction(node: &Node) -> Option<(&'static OpDef, &Attrs)> {
    match &node.op {
        Op::Primitive(op, attrs) if op.reduction.is_some() => {
            (!attrs.bool("keep_dims").ok()?).then_some((*op, attrs))
        }
        _ => None,
    }
}

/// The attributes of the reduction that keeps its axes.
fn keeping(attrs: &Attrs) -> Attrs {
    let axes = attrs.get("axes").cloned();
    Attrs::new()
        .with("axes", axes.unwrap_or(Attr::Ints(Vec::new())))
        .with("keep_dims", Attr::Bool(true))
}

/// The axes of an operand of this rank, counted from the first.
fn positions(axes: &[i64], rank: usize) -> Option<BTreeSet<usize>> {
    let rank = i64::try_from(rank).ok()?;
    let position = |axis: &i64| {
        let position = if *axis < 0 { axis + rank } else { *axis };
        usize::try_from(position).ok()
    };
    axes.iter().map(position).collect()
}

/// Whether shapes with the same number of elements are certainly equal: they have the same sizes, of which at most one is unknown, and
/// none is zero.
fn are_equal(a: &Shape, b: &Shape) -> bool {
    let (Some(a), Some(b)) = (a.dims(), b.dims()) else {
        return false;
    };
    let unknown = a.iter().filter(|size| size.is_none()).count();
    a == b && unknown <= 1 && !a.contains(&Some(0))
}

#[cfg(test)]
mod tests {
    use crate::passes::testing::{check, check_unchanged};

    #[test]
    fn a_mean_and_a_deviation_keep_their_axis() {
        check(
            super::run,
            "graph (x: float32[?,8]) -> float32[?,8] {
              m = reduce_mean(x) {axes = [-1], keep_dims = false} : float32[?]
              n = expand_dims(m) {axis = 1} : float32[?,1]
              c = sub(x, n) : float32[?,8]
              s = square(c) : float32[?,8]
              v = reduce_mean(s) {axes = [1], keep_dims = false} : float32[?]
              e = constant 0.001 : float32[]
              w = add(v, e) : float32[?]
              r = sqrt(w) : float32[?]
              d = expand_dims(r) {axis = -1} : float32[?,1]
              y = div(c, d) : float32[?,8]
              return y
            }",
            "graph (x: float32[?,8]) -> float32[?,8] {
              m = reduce_mean(x) {axes = [-1], keep_dims = true} : float32[?,1]
              c = sub(x, m) : float32[?,8]
              s = square(c) : float32[?,8]
              v = reduce_mean(s) {axes = [1], keep_dims = true} : float32[?,1]
              e = constant 0.001 : float32[]
              w = add(v, e) : float32[?,1]
              r = sqrt(w) : float32[?,1]
              y = div(c, r) : float32[?,8]
              return y
            }",
        );
    }

    #[test]
    fn reductions_that_are_combined_keep_their_axes_together() {
        check(
            super::run,
            "graph (x: float32[4,3,2]) -> float32[4,1,1] {
              a = reduce_sum(x) {axes = [1, 2], keep_dims = false} : float32[4]
              b = reduce_max(x) {axes = [-1, -2], keep_dims = false} : float32[4]
              c = div(a, b) : float32[4]
              d = mul(c, a) : float32[4]
              y = reshape(d) {shape = [4, 1, 1]} : float32[4,1,1]
              return y
            }",
            "graph (x: float32[4,3,2]) -> float32[4,1,1] {
              a = reduce_sum(x) {axes = [1, 2], keep_dims = true} : float32[4,1,1]
              b = reduce_max(x) {axes = [-1, -2], keep_dims = true} : float32[4,1,1]
              c = div(a, b) : float32[4,1,1]
              d = mul(c, a) : float32[4,1,1]
              return d
            }",
        );
    }

    #[test]
    fn what_is_reduced_again_stays() {
        check_unchanged(
            super::run,
            "graph (x: float32[4,3,2]) -> (float32[4,3,1], float32[4]) {
              a = reduce_sum(x) {axes = [2], keep_dims = false} : float32[4,3]
              b = expand_dims(a) {axis = 2} : float32[4,3,1]
              c = reduce_max(a) {axes = [1], keep_dims = false} : float32[4]
              return b, c
            }",
        );
    }

    #[test]
    fn what_is_needed_without_the_axes_or_put_elsewhere_stays() {
        check_unchanged(
            super::run,
            "graph (x: float32[4,3], u: float32[?,?,3], v: float32[3]) -> (float32[4,1], float32[4], float32[4,1], float32[4], float32[1,4], float32[?,?,1], float32[4,1]) {
              a = reduce_sum(x) {axes = [1], keep_dims = false} : float32[4]
              b = expand_dims(a) {axis = 1} : float32[4,1]
              c = reduce_max(x) {axes = [1], keep_dims = false} : float32[4]
              d = exp(c) : float32[4]
              e = expand_dims(c) {axis = 1} : float32[4,1]
              f = reduce_min(x) {axes = [1], keep_dims = false} : float32[4]
              g = expand_dims(f) {axis = 0} : float32[1,4]
              h = reduce_min(u) {axes = [2], keep_dims = false} : float32[?,?]
              i = expand_dims(h) {axis = 2} : float32[?,?,1]
              j = reduce_mean(x) {axes = [1], keep_dims = false} : float32[4]
              k = constant [1.0, 2.0, 3.0, 4.0] : float32[4]
              l = mul(j, k) : float32[4]
              m = expand_dims(l) {axis = 1} : float32[4,1]
              return b, a, e, d, g, i, m
            }",
        );
    }
}
