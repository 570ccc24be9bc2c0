//! The table of importers: which function reads an op of ONNX. Ops that equal one of the op table without attributes need no function: the
//! column `onnx` of that table names them.

use graph_ir::ops::{self, Attrs, OpDef};

use super::build::{Build, Val};
use super::error::Result;
use super::node::Node;
use super::ops as importers;
use super::value::Value;

/// How an op is read.
#[derive(Clone, Copy)]
pub(crate) enum Import {
    /// By a function that gives one tensor.
    One(fn(&Node<'_>, &mut Build<'_>) -> Result<Val>),
    /// By a function that gives any number of values.
    Many(fn(&Node<'_>, &mut Build<'_>) -> Result<Vec<Value>>),
    /// As an op of the op table with the same operands.
    Direct(&'static OpDef),
}

/// A row of the table: the name of an op, and how it is read.
pub(crate) type Row = (&'static str, Import);

/// The rows of ONNX's own domain, by family.
const FAMILIES: &[&[Row]] = &[
    importers::elementwise::ROWS,
    importers::activation::ROWS,
    importers::reduce::ROWS,
    importers::shape::ROWS,
    importers::parts::ROWS,
    importers::scatter::ROWS,
    importers::pad::ROWS,
    importers::source::ROWS,
    importers::order::ROWS,
    importers::linear::ROWS,
    importers::conv::ROWS,
    importers::deform::ROWS,
    importers::pool::ROWS,
    importers::normalize::ROWS,
    importers::loss::ROWS,
    importers::quantize::ROWS,
    importers::recurrent::ROWS,
    importers::attention::ROWS,
    importers::resize::ROWS,
    importers::grid::ROWS,
    importers::signal::ROWS,
    importers::sequence::ROWS,
    importers::control::ROWS,
    importers::text::ROWS,
    importers::ngrams::ROWS,
    importers::detect::ROWS,
];

/// How an op of a domain is read, if it can be.
pub(crate) fn find(domain: &str, name: &str) -> Option<Import> {
    let within = |rows: &[Row]| rows.iter().find(|row| row.0 == name).map(|row| row.1);
    match domain {
        "" => FAMILIES
            .iter()
            .find_map(|rows| within(rows))
            .or_else(|| equal(name)),
        "ai.onnx.preview" => within(importers::attention::PREVIEW_ROWS),
        "ai.onnx.ml" => within(importers::ml::ROWS).or_else(|| within(importers::ml_models::ROWS)),
        "ai.onnx.preview.training" => within(importers::training::ROWS),
        _ => None,
    }
}

/// An op of the op table that equals the one with this name and has no attributes.
fn equal(name: &str) -> Option<Import> {
    let mut equal = ops::all().filter(|op| op.onnx == Some(name) && op.attrs.is_empty());
    equal.next().map(Import::Direct)
}

/// Applies an op of the op table to a node's operands.
pub(crate) fn direct(op: &'static OpDef, node: &Node<'_>, g: &mut Build<'_>) -> Result<Value> {
    let operands = node.tensors()?;
    g.op(op, &operands, Attrs::new()).map(Value::Tensor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_op_has_one_importer() {
        let own = FAMILIES.iter().flat_map(|rows| rows.iter());
        let mut seen = rustc_hash::FxHashSet::default();
        for (name, _) in own {
            assert!(seen.insert(*name), "{name} is in the table twice");
        }
        assert!(find("", "Sin").is_some() && find("", "Conv").is_some());
        assert!(find("", "NoSuchOp").is_none() && find("elsewhere", "Sin").is_none());
    }
}
