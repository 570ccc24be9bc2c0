//! Lists of tensors, which are one array here.

use graph_ir::ops::{self, Attr, Attrs};
use graph_ir::types::{Dim, Shape};

use super::shape::row_shape;
use super::{Rule, Rules, tensors};
use crate::tensorflow::error::Result;
use crate::tensorflow::import::Reader;
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::{Node, Value};

pub(super) const RULES: Rules = &[
    ("TensorListReserve", Rule::One(reserve)),
    ("EmptyTensorList", Rule::One(empty)),
    ("TensorListFromTensor", Rule::One(|_, node| node.tensor(0))),
    ("TensorListSetItem", Rule::One(set_item)),
    ("TensorListGetItem", Rule::One(get_item)),
    (
        "TensorListLength",
        Rule::One(|g, node| g.plain(&ops::LIST_SIZE, &node.tensors()?)),
    ),
    ("TensorListStack", Rule::One(stack)),
    ("TensorListGather", Rule::One(gather)),
    ("TensorListPushBack", Rule::One(push_back)),
    ("TensorListPopBack", Rule::Many(pop_back)),
    ("TensorListConcatV2", Rule::Many(concat)),
    ("TensorListElementShape", Rule::One(element_shape)),
];

/// The attribute for a list of rows of this shape.
fn whole(n: Dim, row: &Shape) -> Attr {
    Attr::Shape(match row.dims() {
        None => Shape::unknown(),
        Some(row) => Shape::of([n].into_iter().chain(row.iter().copied())),
    })
}

fn new(g: &mut Build, node: &Node<'_>, count: Val) -> Result<Val> {
    let dtype = node.required("element_dtype", node.dtype("element_dtype")?)?;
    let row = row_shape(g, node.tensor(0)?);
    let attrs = Attrs::new()
        .with("dtype", Attr::DType(dtype))
        .with("shape", whole(None, &row));
    g.op(&ops::LIST_NEW, &[count], attrs)
}

fn reserve(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    new(g, node, node.tensor(1)?)
}

fn empty(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let none = g.int(0);
    new(g, node, none)
}

fn set_item(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let grows = node.flag("resize_if_index_out_of_bounds")?;
    g.op(
        &ops::LIST_WRITE,
        &node.tensors()?,
        Attrs::new().with("grows", Attr::Bool(grows)),
    )
}

/// The attribute for what the node knows of the rows.
fn known(g: &Build, node: &Node<'_>, n: usize) -> Result<Attrs> {
    let row = row_shape(g, node.tensor(n)?);
    Ok(Attrs::new().with("shape", whole(None, &row)))
}

fn get_item(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let attrs = known(g, node, 2)?;
    g.op(&ops::LIST_READ, &[node.tensor(0)?, node.tensor(1)?], attrs)
}

fn stack(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let attrs = known(g, node, 1)?;
    g.op(&ops::LIST_ROWS, &[node.tensor(0)?], attrs)
}

fn gather(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let attrs = known(g, node, 2)?;
    let rows = g.op(&ops::LIST_ROWS, &[node.tensor(0)?], attrs)?;
    let axis = Attrs::new().with("axis", Attr::Int(0));
    g.op(&ops::GATHER, &[rows, node.tensor(1)?], axis)
}

fn push_back(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let (list, row) = (node.tensor(0)?, node.tensor(1)?);
    let end = g.plain(&ops::LIST_SIZE, &[list])?;
    g.op(
        &ops::LIST_WRITE,
        &[list, end, row],
        Attrs::new().with("grows", Attr::Bool(true)),
    )
}

/// The list without its last row, and the row.
fn pop_back(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let list = node.tensor(0)?;
    let size = g.plain(&ops::LIST_SIZE, &[list])?;
    let one = g.int(1);
    let last = g.plain(&ops::SUB, &[size, one])?;
    let attrs = known(g, node, 1)?;
    let row = g.op(&ops::LIST_READ, &[list, last], attrs)?;
    let zero = g.int(0);
    let rest = g.plain(&ops::SLICE_ROWS, &[list, zero, last])?;
    Ok(tensors([rest, row]))
}

fn concat(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let joined = g.plain(&ops::LIST_CONCAT, &[node.tensor(0)?])?;
    Ok(vec![Value::Tensor(joined), Value::Nothing])
}

/// The sizes after the first.
fn element_shape(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let shape = g.shape(node.tensor(0)?)?;
    let attrs = Attrs::new()
        .with("axes", Attr::Ints(vec![0]))
        .with("begins", Attr::Ints(vec![1]))
        .with("ends", Attr::Ints(vec![0]))
        .with("steps", Attr::Ints(vec![1]))
        .with("masks", Attr::Ints(vec![2]));
    g.op(&ops::STRIDED_SLICE, &[shape], attrs)
}
