//! TensorFlow's ops. An op that is the same as an op of the table, with the same operands and without attributes, is found by the table's `tf` column;
//! each other op has a function.

mod arithmetic;
mod gradient;
mod image;
mod list;
mod random;
mod reduce;
mod shape;
mod slices;
mod source;
mod strings;
mod variable;

use std::sync::LazyLock;

use graph_ir::ops::{self, OpDef};
use rustc_hash::FxHashMap;

use super::Reader;
use super::build::{Build, Val};
use super::node::{Node, Value};
use crate::tensorflow::error::{Error, Result};

/// Reads an op.
#[derive(Clone, Copy)]
enum Rule {
    /// It gives one tensor.
    One(fn(&mut Build, &Node<'_>) -> Result<Val>),
    /// It gives something else, or uses variables.
    Many(fn(&mut Reader<'_>, &mut Build, &Node<'_>) -> Result<Vec<Value>>),
}

/// The rules of a family, by the names of TensorFlow's ops.
type Rules = &'static [(&'static str, Rule)];

static FAMILIES: &[Rules] = &[
    arithmetic::RULES,
    gradient::RULES,
    image::RULES,
    list::RULES,
    random::RULES,
    reduce::RULES,
    shape::RULES,
    slices::RULES,
    source::RULES,
    strings::RULES,
    variable::RULES,
];

fn rule(op: &str) -> Option<Rule> {
    static ALL: LazyLock<FxHashMap<&str, Rule>> = LazyLock::new(|| {
        FAMILIES
            .iter()
            .flat_map(|family| family.iter().copied())
            .collect()
    });
    ALL.get(op).copied()
}

/// The op of the table that is the same as TensorFlow's op.
fn direct(op: &str) -> Option<&'static OpDef> {
    ops::all().find(|own| own.tf == Some(op) && own.attrs.is_empty())
}

/// Reads a node.
pub(super) fn read(reader: &mut Reader<'_>, g: &mut Build, node: &Node<'_>) -> Result<Vec<Value>> {
    match rule(&node.def.op) {
        Some(Rule::One(rule)) => Ok(vec![Value::Tensor(rule(g, node)?)]),
        Some(Rule::Many(rule)) => rule(reader, g, node),
        None => {
            let op =
                direct(&node.def.op).ok_or_else(|| Error::unsupported("this op isn't here"))?;
            Ok(vec![Value::Tensor(g.plain(op, &node.tensors()?)?)])
        }
    }
}

/// Several tensors.
fn tensors(values: impl IntoIterator<Item = Val>) -> Vec<Value> {
    values.into_iter().map(Value::Tensor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensorflow::signatures;

    #[test]
    fn every_rule_is_for_an_op_whose_signature_is_known() {
        for (op, _) in FAMILIES.iter().flat_map(|family| family.iter()) {
            assert!(signatures::find(op).is_some(), "{op}");
        }
    }
}
