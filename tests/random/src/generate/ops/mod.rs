//! How each op is used: one row for ops that are used alike, which says what they are applied to. An op that programs can't have stands in
//! the test that looks for all of them, with the reason.

mod elementwise;

use graph_runtime::graph::TensorType;
use graph_runtime::ops::OpDef;

use super::Writer;
use crate::program::{Expr, Name};

/// Ops that are used alike.
pub struct Uses {
    /// Their names.
    pub ops: &'static [&'static str],
    /// Applies one of them to what it takes; `None` if nothing is found in the scope.
    pub draw: fn(&mut Writer, &'static OpDef) -> Option<Expr>,
}

/// All that there are.
const TABLE: &[&[Uses]] = &[elementwise::USES];

/// Any op, on anything.
pub fn draw(writer: &mut Writer) -> Option<Expr> {
    if writer.random.once_in(30) {
        return Some(writer.custom());
    }
    let families = TABLE.iter().copied().flatten();
    let count = families.clone().map(|uses| uses.ops.len()).sum();
    let mut at = writer.random.below(count);
    for uses in families {
        match uses.ops.get(at) {
            Some(name) => {
                let op = graph_runtime::ops::find(name).expect("the table has its name");
                return (uses.draw)(writer, op);
            }
            None => at -= uses.ops.len(),
        }
    }
    None
}

/// What gives the type of a name again, made of what it holds.
pub fn draw_like(writer: &mut Writer, name: Name, ty: &TensorType) -> Option<Expr> {
    elementwise::like(writer, name, ty)
}
