//! Constants, and arrays of one value.

use graph_ir::ops::{self, Attr, Attrs, OpDef};

use super::{Rule, Rules};
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::import::Reader;
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::{Node, Value};

pub(super) const RULES: Rules = &[
    ("Const", Rule::Many(constant)),
    (
        "PlaceholderWithDefault",
        Rule::One(|_, node| node.tensor(0)),
    ),
    ("Fill", Rule::One(fill)),
    (
        "ZerosLike",
        Rule::One(|g, node| {
            let zero = g.zero(g.dtype(node.tensor(0)?));
            like(g, node, zero)
        }),
    ),
    (
        "OnesLike",
        Rule::One(|g, node| {
            let one = g.number(1.0, g.dtype(node.tensor(0)?))?;
            like(g, node, one)
        }),
    ),
    ("LinSpace", Rule::One(linspace)),
    ("MatrixDiagV3", Rule::One(diagonal_matrix)),
    (
        "MatrixDiagPartV3",
        Rule::One(|g, node| diagonal(g, node, &ops::DIAG_PART, 1)),
    ),
    (
        "MatrixSetDiagV3",
        Rule::One(|g, node| diagonal(g, node, &ops::SET_DIAG, 2)),
    ),
];

fn constant(reader: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    Ok(vec![Value::Tensor(g.constant(reader.constant(node)?))])
}

fn filled(g: &mut Build, shape: Val, value: Val) -> Result<Val> {
    match g.ints(shape) {
        Some(sizes) => g.op(
            &ops::FILL,
            &[value],
            Attrs::new().with("shape", Attr::Ints(sizes)),
        ),
        None => {
            let sizes = g.sizes(shape);
            let filled = g.plain(&ops::FILL_TO, &[value, shape])?;
            g.refined(filled, &sizes)
        }
    }
}

fn fill(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    filled(g, node.tensor(0)?, node.tensor(1)?)
}

/// A value in the shape of the operand.
fn like(g: &mut Build, node: &Node<'_>, value: Val) -> Result<Val> {
    let shape = g.shape(node.tensor(0)?)?;
    filled(g, shape, value)
}

fn linspace(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let count = g.known_int(node.tensor(2)?, "the number of values")?;
    g.op(
        &ops::LINSPACE,
        &[node.tensor(0)?, node.tensor(1)?],
        Attrs::new().with("count", Attr::Int(count)),
    )
}

/// A matrix with one diagonal. Its last operands are the sizes of the matrix, and the value beside the diagonal.
fn diagonal_matrix(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    for (n, default) in [(2, -1.0), (3, -1.0), (4, 0.0)] {
        if !g.is_number(node.tensor(n)?, default) {
            return Err(Error::unsupported("a size or a padding of a diagonal"));
        }
    }
    diagonal(g, node, &ops::DIAG, 1)
}

/// An op of one diagonal, whose number is the operand after the arrays. One diagonal alone needs no padding.
fn diagonal(g: &mut Build, node: &Node<'_>, op: &'static OpDef, arrays: usize) -> Result<Val> {
    let k = g.known_int(node.tensor(arrays)?, "a diagonal")?;
    let operands = node.tensors()?;
    g.op(
        op,
        &operands[..arrays],
        Attrs::new().with("diagonal", Attr::Int(k)),
    )
}
