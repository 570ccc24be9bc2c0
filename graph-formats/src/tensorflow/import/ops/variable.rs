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
        Rule::Many(|reader, g, node| Ok(vec![Value::Tensor(read(reader, g, node, 0)?)])),
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
    ("ResourceApplyMomentum", Rule::Many(momentum)),
    ("ResourceApplyAdam", Rule::Many(adam)),
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

/// The position of the variable that an operand is a handle of.
fn variable(node: &Node<'_>, operand: usize) -> Result<usize> {
    match node.value(operand)? {
        Value::Variable(at) => Ok(*at),
        _ => Err(Error::unsupported(
            "a resource that isn't a variable of the model",
        )),
    }
}

fn id(at: usize) -> VariableId {
    VariableId(at as u32)
}

/// The value of the variable that an operand is a handle of.
fn read(reader: &Reader<'_>, g: &mut Build, node: &Node<'_>, operand: usize) -> Result<Val> {
    let at = variable(node, operand)?;
    let missing = || Error::invalid("the variable is missing");
    let ty = reader.variables.get(at).ok_or_else(missing)?.ty.clone();
    Ok(g.node(Op::ReadVariable(id(at)), &[], vec![ty])[0])
}

/// Gives the variable that an operand is a handle of a value.
fn set(g: &mut Build, node: &Node<'_>, operand: usize, value: Val) -> Result<Vec<Value>> {
    let at = variable(node, operand)?;
    g.node(Op::AssignVariable(id(at)), &[value], Vec::new());
    Ok(vec![Value::Nothing])
}

fn shape(reader: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let value = read(reader, g, node, 0)?;
    let shape = g.shape(value)?;
    let dtype = node.dtype("out_type")?.unwrap_or(DType::I32);
    Ok(vec![Value::Tensor(g.cast(shape, dtype)?)])
}

fn assign(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    set(g, node, 0, node.tensor(1)?)
}

fn update(
    reader: &mut Reader<'_>,
    g: &mut Build,
    node: &Node<'_>,
    op: &'static OpDef,
) -> Result<Vec<Value>> {
    let before = read(reader, g, node, 0)?;
    let after = g.plain(op, &[before, node.tensor(1)?])?;
    set(g, node, 0, after)
}

fn gather(reader: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let table = read(reader, g, node, 0)?;
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
    let before = read(reader, g, node, 0)?;
    let step = g.plain(&ops::MUL, &[node.tensor(1)?, node.tensor(2)?])?;
    let after = g.plain(&ops::SUB, &[before, step])?;
    set(g, node, 0, after)
}

/// The sum of products of pairs.
fn mixed(g: &mut Build, [a, share_of_a]: [Val; 2], [b, share_of_b]: [Val; 2]) -> Result<Val> {
    let a = g.plain(&ops::MUL, &[a, share_of_a])?;
    let b = g.plain(&ops::MUL, &[b, share_of_b])?;
    g.plain(&ops::ADD, &[a, b])
}

/// Operands: variable, accumulator, rate, gradient, momentum.
fn momentum(reader: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let [rate, gradient, share] = [node.tensor(2)?, node.tensor(3)?, node.tensor(4)?];
    let [var, old] = [read(reader, g, node, 0)?, read(reader, g, node, 1)?];
    let kept = g.plain(&ops::MUL, &[old, share])?;
    let new = g.plain(&ops::ADD, &[kept, gradient])?;
    let step = match node.flag("use_nesterov")? {
        true => {
            let ahead = g.plain(&ops::MUL, &[new, share])?;
            g.plain(&ops::ADD, &[gradient, ahead])?
        }
        false => new,
    };
    let step = g.plain(&ops::MUL, &[step, rate])?;
    let after = g.plain(&ops::SUB, &[var, step])?;
    set(g, node, 1, new)?;
    set(g, node, 0, after)
}

/// Operands: variable, first and second moment, the powers of their shares, rate, shares, epsilon, gradient.
fn adam(reader: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let number = |n: usize| node.tensor(n);
    let [power1, power2, rate] = [number(3)?, number(4)?, number(5)?];
    let [share1, share2, epsilon, gradient] = [number(6)?, number(7)?, number(8)?, number(9)?];
    let one = g.number(1.0, g.dtype(gradient))?;
    let mut rest = |share: Val| g.plain(&ops::SUB, &[one, share]);
    let [rest1, rest2] = [rest(share1)?, rest(share2)?];
    let [unbiased1, unbiased2] = [rest(power1)?, rest(power2)?];
    let [var, m, v] = [
        read(reader, g, node, 0)?,
        read(reader, g, node, 1)?,
        read(reader, g, node, 2)?,
    ];
    let square = g.plain(&ops::SQUARE, &[gradient])?;
    let m = mixed(g, [m, share1], [gradient, rest1])?;
    let v = mixed(g, [v, share2], [square, rest2])?;
    let ahead = match node.flag("use_nesterov")? {
        true => mixed(g, [m, share1], [gradient, rest1])?,
        false => m,
    };
    let root = g.plain(&ops::SQRT, &[unbiased2])?;
    let rate = g.plain(&ops::MUL, &[rate, root])?;
    let rate = g.plain(&ops::DIV, &[rate, unbiased1])?;
    let root = g.plain(&ops::SQRT, &[v])?;
    let divisor = g.plain(&ops::ADD, &[root, epsilon])?;
    let step = g.plain(&ops::MUL, &[rate, ahead])?;
    let step = g.plain(&ops::DIV, &[step, divisor])?;
    let after = g.plain(&ops::SUB, &[var, step])?;
    set(g, node, 1, m)?;
    set(g, node, 2, v)?;
    set(g, node, 0, after)
}

fn assert(_: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    let operands = node.tensors()?;
    let mut texts = vec!["assertion failed: ".to_owned()];
    texts.extend(operands.iter().skip(1).map(|_| " ".to_owned()));
    g.node(
        Op::Assert(Box::new(Message::new(texts))),
        &operands,
        Vec::new(),
    );
    Ok(vec![Value::Nothing])
}
