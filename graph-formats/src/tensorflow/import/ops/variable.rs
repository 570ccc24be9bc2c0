//! Variables, prints and assertions.

use graph_ir::graph::{Message, Op, VariableId};
use graph_ir::ops::{self, Attr, Attrs, OpDef};
use graph_kernels::{Array, DType};

use super::{Rule, Rules};
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::import::Reader;
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::{Node, Value};

pub(super) const RULES: Rules = &[
    ("VariableShape", Rule::Many(shape)),
    (
        "ReadVariableOp",
        Rule::Many(|reader, g, node| Ok(vec![Value::Tensor(read(reader, g, node)?)])),
    ),
    ("AssignVariableOp", Rule::Many(assign)),
    (
        "AssignAddVariableOp",
        Rule::Many(|reader, g, node| update(reader, g, node, &ops::ADD)),
    ),
    (
        "AssignSubVariableOp",
        Rule::Many(|reader, g, node| update(reader, g, node, &ops::SUB)),
    ),
    ("ResourceGather", Rule::Many(gather)),
    ("ResourceApplyGradientDescent", Rule::Many(gradient_descent)),
    (
        "VarIsInitializedOp",
        Rule::One(|g, _| Ok(g.constant(Array::scalar(true)))),
    ),
    (
        "DisableCopyOnRead",
        Rule::Many(|_, _, _| Ok(vec![Value::Nothing])),
    ),
    ("Assert", Rule::Many(assert)),
];

/// The position of the variable that the first operand is a handle of.
fn variable(node: &Node<'_>) -> Result<usize> {
    match node.value(0)? {
        Value::Variable(at) => Ok(*at),
        _ => Err(Error::unsupported(
            "a resource that isn't a variable of the model",
        )),
    }
}

fn id(at: usize) -> VariableId {
    VariableId(at as u32)
}

fn read(reader: &Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let at = variable(node)?;
    let missing = || Error::invalid("the variable is missing");
    let ty = reader.variables.get(at).ok_or_else(missing)?.ty.clone();
    Ok(g.node(Op::ReadVariable(id(at)), &[], vec![ty])[0])
}

fn set(g: &mut Build, node: &Node<'_>, value: Val) -> Result<Vec<Value>> {
    g.node(
        Op::AssignVariable(id(variable(node)?)),
        &[value],
        Vec::new(),
    );
    Ok(vec![Value::Nothing])
}

fn shape(reader: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let value = read(reader, g, node)?;
    let shape = g.shape(value)?;
    let dtype = node.dtype("out_type")?.unwrap_or(DType::I32);
    Ok(vec![Value::Tensor(g.cast(shape, dtype)?)])
}

fn assign(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    set(g, node, node.tensor(1)?)
}

fn update(
    reader: &mut Reader<'_>,
    g: &mut Build,
    node: &Node<'_>,
    op: &'static OpDef,
) -> Result<Vec<Value>> {
    let before = read(reader, g, node)?;
    let after = g.plain(op, &[before, node.tensor(1)?])?;
    set(g, node, after)
}

fn gather(reader: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let table = read(reader, g, node)?;
    let batch = node.int("batch_dims")?.unwrap_or(0);
    let attrs = Attrs::new().with("axis", Attr::Int(batch));
    let operands = [table, node.tensor(1)?];
    Ok(vec![Value::Tensor(match batch {
        0 => g.op(&ops::GATHER, &operands, attrs)?,
        n => g.op(
            &ops::BATCH_GATHER,
            &operands,
            attrs.with("batch_dims", Attr::Int(n)),
        )?,
    })])
}

fn gradient_descent(reader: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let before = read(reader, g, node)?;
    let step = g.plain(&ops::MUL, &[node.tensor(1)?, node.tensor(2)?])?;
    let after = g.plain(&ops::SUB, &[before, step])?;
    set(g, node, after)
}

fn assert(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let operands = node.tensors()?;
    let mut texts = vec!["assertion failed: ".to_owned()];
    texts.extend(operands.iter().skip(1).map(|_| " ".to_owned()));
    g.node(Op::Assert(Message::new(texts)), &operands, Vec::new());
    Ok(vec![Value::Nothing])
}
