//! Constants, and arrays of one value.

use graph_ir::ops::{self, Attr, Attrs, OpDef};

use super::{Rule, Rules};
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::Node;
use crate::tensorflow::tensors::array_of;

pub(super) const RULES: Rules = &[
    ("Const", Rule::One(constant)),
    (
        "PlaceholderWithDefault",
        Rule::One(|_, node| node.tensor(0)),
    ),
    ("Fill", Rule::One(fill)),
    ("ZerosLike", Rule::One(|g, node| like(g, node, 0.0))),
    ("OnesLike", Rule::One(|g, node| like(g, node, 1.0))),
    ("LinSpace", Rule::One(linspace)),
    (
        "MatrixDiagV3",
        Rule::One(|g, node| diagonal(g, node, &ops::DIAG, 1)),
    ),
    (
        "MatrixDiagPartV3",
        Rule::One(|g, node| diagonal(g, node, &ops::DIAG_PART, 1)),
    ),
    (
        "MatrixSetDiagV3",
        Rule::One(|g, node| diagonal(g, node, &ops::SET_DIAG, 2)),
    ),
];

fn constant(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let value = node.required("value", node.tensor_proto("value")?)?;
    Ok(g.constant(array_of(value)?))
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

fn like(g: &mut Build, node: &Node<'_>, value: f64) -> Result<Val> {
    let x = node.tensor(0)?;
    let value = g.number(value, g.dtype(x))?;
    let shape = g.shape(x)?;
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

/// An op of one diagonal, whose number is the operand after the arrays.
fn diagonal(g: &mut Build, node: &Node<'_>, op: &'static OpDef, arrays: usize) -> Result<Val> {
    let k = g.known_int(node.tensor(arrays)?, "a diagonal")?;
    for later in node.inputs.iter().skip(arrays + 1) {
        let is_default = g
            .ints(later.tensor()?)
            .is_some_and(|values| matches!(values.as_slice(), [0 | -1]));
        if !is_default {
            return Err(Error::unsupported("a size or a padding of a diagonal"));
        }
    }
    let operands = node.tensors()?;
    g.op(
        op,
        &operands[..arrays],
        Attrs::new().with("diagonal", Attr::Int(k)),
    )
}
