//! Ops on strings.

use graph_ir::ops::{self, Attr, Attrs, OpDef};
use graph_kernels::DType;

use super::{Rule, Rules};
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::Node;

pub(super) const RULES: Rules = &[
    ("StringJoin", Rule::One(join)),
    ("StringLength", Rule::One(length)),
    ("ReduceJoin", Rule::One(reduce_join)),
    ("Substr", Rule::One(substr)),
    ("AsString", Rule::One(as_string)),
    ("StringToNumber", Rule::One(to_number)),
    (
        "StringLower",
        Rule::One(|g, node| cased(g, node, &ops::STRING_LOWER)),
    ),
    (
        "StringUpper",
        Rule::One(|g, node| cased(g, node, &ops::STRING_UPPER)),
    ),
];

fn separator(node: &Node<'_>) -> Result<Attr> {
    Ok(Attr::Text(
        node.text("separator")?.unwrap_or_default().to_owned(),
    ))
}

fn join(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    g.op(
        &ops::STRING_JOIN,
        &node.tensors()?,
        Attrs::new().with("separator", separator(node)?),
    )
}

fn length(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let op = match node.text("unit")? {
        Some("UTF8_CHAR") => &ops::STRING_CHARS,
        _ => &ops::STRING_LENGTH,
    };
    g.plain(op, &node.tensors()?)
}

fn reduce_join(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let axes = g.known_ints(node.tensor(1)?, "axes")?;
    let [axis] = axes.as_slice() else {
        return Err(Error::unsupported("strings joined over several axes"));
    };
    let attrs = Attrs::new()
        .with("axis", Attr::Int(*axis))
        .with("separator", separator(node)?);
    let joined = g.op(&ops::STRING_REDUCE_JOIN, &[node.tensor(0)?], attrs)?;
    match node.flag("keep_dims")? {
        true => {
            let axis = Attrs::new().with("axis", Attr::Int(*axis));
            g.op(&ops::EXPAND_DIMS, &[joined], axis)
        }
        false => Ok(joined),
    }
}

/// Without an encoding, TensorFlow changes the case of ASCII letters only.
fn cased(g: &mut Build, node: &Node<'_>, op: &'static OpDef) -> Result<Val> {
    match node.text("encoding")? {
        Some("utf-8") => g.plain(op, &node.tensors()?),
        _ => Err(Error::unsupported(
            "the case of ASCII letters alone (encoding)",
        )),
    }
}

/// A string here is UTF-8, which a part by bytes might cut in the middle of a character.
fn substr(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    match node.text("unit")? {
        Some("UTF8_CHAR") => g.plain(&ops::STRING_SUBSTR, &node.tensors()?),
        _ => Err(Error::unsupported("a part of a string by bytes (unit)")),
    }
}

fn as_string(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let width = node.int("width")?.filter(|width| *width >= 0).unwrap_or(0);
    let attrs = Attrs::new()
        .with("precision", Attr::Int(node.int("precision")?.unwrap_or(-1)))
        .with("scientific", Attr::Bool(node.flag("scientific")?))
        .with("shortest", Attr::Bool(node.flag("shortest")?))
        .with("width", Attr::Int(width))
        .with(
            "fill",
            Attr::Text(node.text("fill")?.unwrap_or_default().to_owned()),
        );
    g.op(&ops::AS_STRING, &node.tensors()?, attrs)
}

fn to_number(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let dtype = node.dtype("out_type")?.unwrap_or(DType::F32);
    g.cast(node.tensor(0)?, dtype)
}
