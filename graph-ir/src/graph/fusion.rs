//! The rules for the body of a fusion node: the verifier checks them, the fusing passes follow them, and the plan
//! relies on them.
//!
//! A body consists of scalar constants and numeric or boolean primitives, in one of four forms:
//!
//! - elementwise primitives only, with the usual broadcasting;
//! - elementwise primitives whose last value is the operand of one reduction over the trailing axes;
//! - elementwise primitives and reductions of rows, where the last node isn't a reduction: each value has the result's shape, or has one
//!   element per row (`[.., 1]`) and is broadcast over the row;
//! - one product of two inputs (`matmul`, `conv2d`), then elementwise primitives (a bias, an activation).
//!
//! In all forms but the third, elementwise primitives may read slices and rows of inputs, and rolled inputs, which aren't copied.
//!
//! The only output is the value of the last node.

use graph_kernels::{DType, ElementOp};

use crate::graph::{Graph, Node, Op, Shape, ValueId};
use crate::ops::{self, Attr, Attrs};

/// The elementwise function of a node on numbers or booleans.
pub(crate) fn element(graph: &Graph, node: &Node) -> Option<ElementOp> {
    let Op::Primitive(op, attrs) = &node.op else {
        return None;
    };
    let numbers = node.inputs.iter().all(|v| graph.ty(*v).dtype != DType::Str);
    (op.element)(attrs).filter(|_| numbers)
}

/// The role of a node in a fusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FusionRole {
    /// A scalar constant.
    Scalar,
    /// A slice of an array that is read without a copy: all shapes are known, and the rows of the slice are contiguous in the array.
    Slice,
    /// The part of an array at positions of its first axes, which is read without a copy.
    Row,
    /// An array rolled along one axis, which is read without a copy.
    Roll,
    /// A primitive that computes each element from the elements of its broadcast operands at the same position.
    Element,
    /// A primitive that reduces the trailing axes.
    Reduction,
    /// A product whose kernel runs a chain on its result: a matrix product, a convolution.
    Product,
}

impl FusionRole {
    /// The role of a node of a graph in a fusion; `None` if it can't be fused.
    pub fn of(graph: &Graph, node: &Node) -> Option<FusionRole> {
        if element(graph, node).is_some() {
            return Some(FusionRole::Element);
        }
        let dtypes = node.inputs.iter().chain(&node.outputs);
        if dtypes.into_iter().any(|v| graph.ty(*v).dtype == DType::Str) {
            return None;
        }
        match &node.op {
            Op::Constant(array) => (array.rank() == 0).then_some(FusionRole::Scalar),
            Op::Primitive(op, _) if op.product.is_some() => Some(FusionRole::Product),
            Op::Primitive(op, attrs) if *op == &ops::STRIDED_SLICE => {
                lies_in_rows(graph, node, attrs).then_some(FusionRole::Slice)
            }
            Op::Primitive(op, _) if *op == &ops::INDEX || *op == &ops::LIST_READ => {
                Some(FusionRole::Row)
            }
            Op::Primitive(op, attrs) if *op == &ops::ROLL => {
                rolls_one_axis(graph, node, attrs).then_some(FusionRole::Roll)
            }
            Op::Primitive(op, attrs) if op.reduction.is_some() => {
                let rank = graph.ty(*node.inputs.first()?).shape.rank();
                reduces_trailing_axes(attrs, rank).then_some(FusionRole::Reduction)
            }
            _ => None,
        }
    }
}

/// True for a slice whose rows are contiguous in its operand.
fn lies_in_rows(graph: &Graph, node: &Node, attrs: &Attrs) -> bool {
    let mut types = node
        .inputs
        .iter()
        .chain(&node.outputs)
        .map(|v| graph.ty(*v));
    let known = types.all(|ty| ty.shape.is_known());
    let row = graph
        .ty(node.outputs[0])
        .shape
        .dims()
        .and_then(|dims| dims.last());
    let forward = attrs
        .ints("steps")
        .is_ok_and(|steps| steps.iter().all(|step| *step == 1));
    known && forward && matches!(row, Some(Some(2..)))
}

/// True for a roll of an array of several values along one axis, if the sizes are known.
fn rolls_one_axis(graph: &Graph, node: &Node, attrs: &Attrs) -> bool {
    let types = [node.inputs[0], node.inputs[1]].map(|v| graph.ty(v));
    let [array, shifts] = types.map(|ty| ty.shape.to_known());
    array.is_some_and(|shape| shape.iter().product::<usize>() > 1)
        && shifts.is_some_and(|shape| shape[..] == [1])
        && attrs.ints("axes").is_ok_and(|axes| axes.len() == 1)
}

/// True for the attributes of a reduction over the last axes, or over all axes, of an operand of this rank.
fn reduces_trailing_axes(attrs: &Attrs, rank: Option<usize>) -> bool {
    let [("axes", Attr::Ints(axes)), ("keep_dims", _)] = &attrs[..] else {
        return false;
    };
    let from_the_end = |axis: &i64| match rank {
        _ if *axis < 0 => Some(*axis),
        Some(rank) => Some(axis - i64::try_from(rank).ok()?),
        None => None,
    };
    let Some(mut axes) = axes.iter().map(from_the_end).collect::<Option<Vec<i64>>>() else {
        return false;
    };
    axes.sort_unstable();
    axes.iter().rev().zip(1..).all(|(axis, i)| *axis == -i)
}

/// Checks the body of an update of a variable, which is otherwise a valid graph: it is one primitive whose first operand is the first
/// input, or it is elementwise like a fusion.
///
/// # Errors
/// Which rule it violates.
pub fn check_update(body: &Graph) -> Result<(), String> {
    if let [node] = &body.nodes[..]
        && matches!(node.op, Op::Primitive(..))
        && node.inputs.first() == body.inputs.first()
        && node.outputs == body.outputs
    {
        return Ok(());
    }
    check(body)?;
    let mut parts = body.nodes.iter().map(|node| FusionRole::of(body, node));
    match parts.position(|part| !matches!(part, Some(FusionRole::Scalar | FusionRole::Element))) {
        Some(i) => Err(format!("node {i} isn't elementwise")),
        None => Ok(()),
    }
}

/// True for an elementwise primitive or a reduction that is allowed in a fusion over rows of this shape: its value has an element
/// for each element of the rows, or one for each row.
pub(crate) fn is_of_rows(graph: &Graph, node: &Node, rows: &Shape) -> bool {
    let Some([outer @ .., Some(2..)]) = rows.dims() else {
        return false;
    };
    let is_column =
        |shape: &Shape| matches!(shape.dims(), Some([dims @ .., Some(1)]) if dims == outer);
    let shape = &graph.ty(node.outputs[0]).shape;
    match (FusionRole::of(graph, node), &node.op) {
        (Some(FusionRole::Element), _) => shape == rows || is_column(shape),
        (Some(FusionRole::Reduction), Op::Primitive(_, attrs)) => {
            let one_axis = attrs.ints("axes").is_ok_and(|axes| axes.len() == 1);
            one_axis && graph.ty(node.inputs[0]).shape == *rows && is_column(shape)
        }
        _ => false,
    }
}

/// True if the body of a fusion has a reduction before its last node.
pub(crate) fn goes_by_rows(body: &Graph) -> bool {
    let before = body
        .nodes
        .split_last()
        .map_or(&[][..], |(_, before)| before);
    before
        .iter()
        .any(|node| FusionRole::of(body, node) == Some(FusionRole::Reduction))
}

/// True for a slice, a row or a roll of an input, whose positions or shift are inputs or constants.
fn is_of_inputs(body: &Graph, node: &Node) -> bool {
    let is_constant = |value: &ValueId| {
        let mut constants = body.nodes.iter();
        constants.any(|node| {
            node.outputs.contains(value) && FusionRole::of(body, node) == Some(FusionRole::Scalar)
        })
    };
    let is_given = |value: &ValueId| body.inputs.contains(value) || is_constant(value);
    body.inputs.contains(&node.inputs[0]) && node.inputs.iter().all(is_given)
}

/// Checks the body of a fusion, which is otherwise a valid graph.
///
/// # Errors
/// If it has none of the module's forms: which node is wrong, and why.
pub fn check(body: &Graph) -> Result<(), String> {
    let last = body.nodes.last().map(|node| &node.outputs[..]);
    if last != Some(&body.outputs[..]) || body.outputs.len() != 1 {
        return Err("the output is not the value of the last node".to_owned());
    }
    let by_rows = goes_by_rows(body).then(|| &body.ty(body.outputs[0]).shape);
    let mut primitives = 0;
    let mut starts_with_product = false;
    for (i, node) in body.nodes.iter().enumerate() {
        let allowed = match FusionRole::of(body, node) {
            Some(FusionRole::Scalar) => continue,
            Some(FusionRole::Slice | FusionRole::Row | FusionRole::Roll)
                if by_rows.is_none() && i + 1 < body.nodes.len() && is_of_inputs(body, node) =>
            {
                continue;
            }
            Some(FusionRole::Element | FusionRole::Reduction) if let Some(rows) = by_rows => {
                !starts_with_product && is_of_rows(body, node, rows)
            }
            Some(FusionRole::Element) => true,
            Some(FusionRole::Reduction) => !starts_with_product && i + 1 == body.nodes.len(),
            Some(FusionRole::Product) => {
                starts_with_product = true;
                primitives == 0 && node.inputs.iter().all(|v| body.inputs.contains(v))
            }
            Some(FusionRole::Slice | FusionRole::Row | FusionRole::Roll) | None => false,
        };
        if !allowed {
            return Err(format!("node {i} ({}) can't be fused here", node.op.name()));
        }
        primitives += 1;
    }
    if primitives == 0 {
        return Err("no primitives".to_owned());
    }
    Ok(())
}
