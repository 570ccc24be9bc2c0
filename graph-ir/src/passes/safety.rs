//! Which nodes can't fail. Passes may remove them, or execute them where the program wouldn't have executed them. A node counts as
//! unsafe unless it is known to be safe.

use crate::graph::fusion::element;
use crate::graph::{Graph, Node, Op};
use crate::ops::Fails;

/// True if a node of a verified graph can't fail and has no effect.
pub(crate) fn never_fails(graph: &Graph, node: &Node) -> bool {
    let Op::Primitive(op, _) = &node.op else {
        return matches!(node.op, Op::Constant(_) | Op::ReadVariable(_));
    };
    if let Some(function) = element(graph, node) {
        let dtype = node.inputs.last().map(|v| graph.ty(*v).dtype);
        return dtype.is_some_and(|dtype| function.is_total(dtype))
            && (shapes_are_known(graph, node) || arrays_broadcast(graph, node));
    }
    match op.fails {
        Fails::Never => true,
        Fails::OnShapes => shapes_are_known(graph, node),
        Fails::OnValues => op.reduction.is_some() && shapes_are_known(graph, node),
    }
}

/// True if all shapes are known, so that the verifier has checked them.
fn shapes_are_known(graph: &Graph, node: &Node) -> bool {
    let mut shapes = node.inputs.iter().map(|v| &graph.ty(*v).shape);
    shapes.all(|shape| shape.is_known())
}

/// True if the operands broadcast for all shapes: at most one operand isn't a scalar.
fn arrays_broadcast(graph: &Graph, node: &Node) -> bool {
    let mut arrays = node
        .inputs
        .iter()
        .filter(|v| graph.ty(**v).shape.rank() != Some(0));
    let first = arrays.next();
    arrays.all(|v| Some(v) == first)
}

#[cfg(test)]
mod tests {
    use super::never_fails;
    use crate::passes::testing::parse;

    /// Whether the last node of a graph can't fail.
    fn is_safe(inputs: &str, node: &str, result: &str) -> bool {
        let graph = parse(&format!(
            "graph ({inputs}) -> {result} {{ z = {node} : {result} return z }}"
        ));
        never_fails(&graph, graph.nodes.last().expect("a node"))
    }

    #[test]
    fn what_only_wrong_shapes_make_fail_is_safe_where_they_are_known() {
        let turned = "transpose(x) {perm = [1, 0]}";
        assert!(is_safe("x: int32[2,3]", turned, "int32[3,2]"));
        assert!(!is_safe("x: int32[?,3]", turned, "int32[3,?]"));
        let sum = "reduce_sum(x) {axes = [0], keep_dims = false}";
        assert!(is_safe("x: float32[2]", sum, "float32[]"));
        assert!(!is_safe("x: float32[?]", sum, "float32[]"));
    }

    #[test]
    fn functions_of_single_values_are_safe_where_arrays_are_sure_to_fit() {
        let sum = "add(x, y)";
        assert!(is_safe("x: int32[2], y: int32[2]", sum, "int32[2]"));
        assert!(is_safe("x: int32[?], y: int32[]", sum, "int32[?]"));
        assert!(!is_safe("x: int32[?], y: int32[?]", sum, "int32[?]"));
        // A division by zero.
        assert!(!is_safe(
            "x: int32[2], y: int32[2]",
            "div(x, y)",
            "int32[2]"
        ));
        assert!(is_safe(
            "x: float32[2], y: float32[2]",
            "div(x, y)",
            "float32[2]"
        ));
    }

    #[test]
    fn what_depends_on_values_is_not_safe() {
        assert!(!is_safe(
            "x: int32[2], i: int32[]",
            "gather(x, i) {axis = 0}",
            "int32[]"
        ));
    }
}
