//! If values are both sorted and argsorted, as the gradient of a sort needs it, the sort is replaced by taking the values in that order.

use super::patch::Patch;
use super::rebuild::Rebuild;
use crate::graph::{Graph, Node, Op, TensorType};
use crate::ops::{self, Attr, Attrs, OpDef};

pub(super) fn run(graph: &Graph) -> Option<Patch> {
    let is_order = |node: &&Node| attrs_of(node, &ops::ARGSORT).is_some();
    let orders: Vec<&Node> = graph.nodes.iter().filter(is_order).collect();
    let taking = |node: &Node| Taking::instead_of(node, &orders, graph);
    graph.nodes.iter().find_map(taking)?;
    let mut rebuild = Rebuild::new(graph);
    for node in &graph.nodes {
        match taking(node) {
            Some(taking) => taking.write(&mut rebuild, node),
            // An `argsort` that was already written because a sort before it needed it.
            None if is_order(&node) && rebuild.has(node.outputs[0]) => {}
            None => rebuild.keep(node),
        }
    }
    Some(rebuild.finish())
}

/// The replacement of a sort.
struct Taking<'a> {
    order: &'a Node,
    op: Op,
    ty: TensorType,
}

impl<'a> Taking<'a> {
    /// The replacement, if one of the `argsort`s has the same operand. The rank must be known, so that the axis certainly exists.
    fn instead_of(sort: &Node, orders: &[&'a Node], graph: &Graph) -> Option<Taking<'a>> {
        let attrs = attrs_of(sort, &ops::SORT)?;
        let is_of_same = |order: &&&Node| {
            order.inputs == sort.inputs && attrs_of(order, &ops::ARGSORT) == Some(attrs)
        };
        let order = orders.iter().find(is_of_same)?;
        let [values, positions] = [sort.inputs[0], order.outputs[0]].map(|v| graph.ty(v));
        values.shape.rank()?;
        let axis = Attrs::new().with("axis", Attr::Int(attrs.int("axis").ok()?));
        let ty = (ops::TAKE_ALONG_AXIS.infer)(&[values.clone(), positions.clone()], &axis).ok()?;
        let op = Op::Primitive(&ops::TAKE_ALONG_AXIS, axis);
        let is_as_precise = graph.ty(sort.outputs[0]).covers(&ty);
        is_as_precise.then_some(Taking { order, op, ty })
    }

    fn write(self, rebuild: &mut Rebuild<'_>, sort: &Node) {
        if !rebuild.has(self.order.outputs[0]) {
            rebuild.keep(self.order);
        }
        let operands = rebuild.all_new_of(&[sort.inputs[0], self.order.outputs[0]]);
        let location = sort.location.clone();
        let taken = rebuild.add_node(self.op, operands, vec![self.ty], location);
        rebuild.replace(sort.outputs[0], taken[0]);
    }
}

/// The attributes of a node, if it is of this op.
fn attrs_of<'a>(node: &'a Node, op: &OpDef) -> Option<&'a Attrs> {
    match &node.op {
        Op::Primitive(of, attrs) if *of == op => Some(attrs),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use graph_kernels::{Array, DType, cast};

    use crate::passes::testing::{check, check_unchanged, same_results_on};

    #[test]
    fn the_order_goes_before_the_sort_that_takes_it() {
        check(
            super::run,
            "graph (x: float32[?,3], g: float32[?,3]) -> (float32[?,3], float32[?,3], int32[?,3]) {
              y = sort(x) {axis = 1, descending = true} : float32[?,3]
              z = mul(y, g) : float32[?,3]
              i = argsort(x) {axis = 1, descending = true} : int32[?,3]
              w = sort(x) {axis = 1, descending = true} : float32[?,3]
              return z, w, i
            }",
            "graph (x: float32[?,3], g: float32[?,3]) -> (float32[?,3], float32[?,3], int32[?,3]) {
              i = argsort(x) {axis = 1, descending = true} : int32[?,3]
              y = take_along_axis(x, i) {axis = 1} : float32[?,3]
              z = mul(y, g) : float32[?,3]
              w = take_along_axis(x, i) {axis = 1} : float32[?,3]
              return z, w, i
            }",
        );
    }

    #[test]
    fn other_orders_and_unknown_ranks_stay() {
        check_unchanged(
            super::run,
            "graph (x: float32[2,2], y: float32[2,2], u: float32[*]) -> (float32[2,2], int32[2,2], int32[2,2], int32[2,2], float32[*], int32[*]) {
              a = sort(x) {axis = 0, descending = false} : float32[2,2]
              b = argsort(x) {axis = 1, descending = false} : int32[2,2]
              c = argsort(x) {axis = 0, descending = true} : int32[2,2]
              d = argsort(y) {axis = 0, descending = false} : int32[2,2]
              e = sort(u) {axis = 0, descending = false} : float32[*]
              f = argsort(u) {axis = 0, descending = false} : int32[*]
              return a, b, c, d, e, f
            }",
        );
    }

    /// Equal values, both zeros, NaN, and empty arrays, for every dtype and axis.
    #[test]
    fn values_keep_their_bits() {
        let values = [
            -0.0,
            3.0,
            0.0,
            f64::NAN,
            -0.0,
            3.0,
            f64::NEG_INFINITY,
            -f64::NAN,
            0.0,
            1.0,
            f64::INFINITY,
            3.0,
        ];
        for dtype in [
            "float32", "float64", "float16", "bfloat16", "int32", "int64", "uint8",
        ] {
            for shape in [vec![12], vec![3, 4], vec![2, 3, 2], vec![0], vec![2, 0]] {
                let size = shape.iter().product();
                let values = Array::new(&shape, values[..size].to_vec());
                let mut x = Array::default();
                cast(&values, DType::from_name(dtype).unwrap(), &mut x).unwrap();
                for (axis, descending) in (0..shape.len()).flat_map(|a| [(a, false), (a, true)]) {
                    let attrs = format!("{{axis = {axis}, descending = {descending}}}");
                    let dims = format!("{shape:?}").replace(' ', "");
                    let text = format!(
                        "graph (x: {dtype}{dims}) -> ({dtype}{dims}, int32{dims}) {{
                          y = sort(x) {attrs} : {dtype}{dims}
                          i = argsort(x) {attrs} : int32{dims}
                          return y, i
                        }}"
                    );
                    same_results_on(super::run, &text, &[x.clone()]);
                }
            }
        }
    }
}
