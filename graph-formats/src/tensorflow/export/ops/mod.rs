//! The ops of the op table in TensorFlow: one function for each op that isn't simply the op in the table's `tf` column.

mod along;
mod arithmetic;
mod arrange;
mod common;
mod conv;
mod count;
mod diagonal;
mod gather;
mod index;
mod list;
mod random;
mod reduce;
mod shape;
mod slices;
mod sort;
mod strings;

use graph_ir::ops::{Attrs, OpDef};
use graph_ir::types::TensorType;

use super::body::Tensor;
use super::writer::Writer;

pub(super) use random::next_seed;

/// Writes an op with these operands and attributes, and a result of this type.
pub(crate) type Rule = fn(&mut Writer, &[Tensor], &Attrs, &TensorType) -> Result<Tensor, String>;

/// The rules of a family, by the names of the ops.
type Rules = &'static [(&'static str, Rule)];

static FAMILIES: &[Rules] = &[
    along::RULES,
    arithmetic::RULES,
    arrange::RULES,
    conv::RULES,
    count::RULES,
    diagonal::RULES,
    gather::RULES,
    index::RULES,
    list::RULES,
    random::RULES,
    reduce::RULES,
    shape::RULES,
    sort::RULES,
    strings::RULES,
];

fn rule(op: &str) -> Option<Rule> {
    let mut rules = FAMILIES.iter().flat_map(|family| family.iter());
    rules.find(|(name, _)| *name == op).map(|(_, rule)| *rule)
}

/// Whether the op is TensorFlow's op with the same operands and without attributes.
fn is_direct(op: &OpDef) -> Option<&'static str> {
    op.tf.filter(|_| op.attrs.is_empty())
}

/// Writes an op of the table.
pub(super) fn write(
    w: &mut Writer,
    op: &'static OpDef,
    x: &[Tensor],
    attrs: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    if let Some(rule) = rule(op.name) {
        return rule(w, x, attrs, ty);
    }
    let tf = is_direct(op).ok_or("it has no counterpart")?;
    let operands: Vec<&Tensor> = x.iter().collect();
    Ok(w.op(tf, &operands).gives(ty.clone()))
}

#[cfg(test)]
mod tests {
    use graph_ir::ops;

    use super::*;
    use crate::tensorflow::signatures;

    #[test]
    fn every_op_of_the_table_is_written() {
        for op in ops::all() {
            let written = rule(op.name).is_some() || is_direct(op).is_some();
            assert!(written, "{}", op.name);
        }
        let mut rules = FAMILIES.iter().flat_map(|family| family.iter());
        assert!(rules.all(|(name, _)| ops::find(name).is_some()));
    }

    #[test]
    fn the_ops_of_the_tables_column_have_signatures() {
        for tf in ops::all().filter_map(|op| op.tf) {
            assert!(signatures::find(tf).is_some(), "{tf}");
        }
    }
}
