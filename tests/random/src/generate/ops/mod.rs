//! How each op is used: ops that are used in the same way share one row, which draws their operands. An op that programs can't have is
//! listed in the test that looks for all ops, with the reason.

mod arrays;
mod elementwise;
mod gradients;
mod indexing;
mod lists;
mod order;
mod products;
mod reductions;
mod scatter;
mod sources;
mod text;
mod windows;

use graph_runtime::DType;
use graph_runtime::graph::TensorType;
use graph_runtime::ops::OpDef;

use super::Writer;
use crate::program::Expr;

/// Floats.
pub const FLOATS: &[DType] = &[DType::F64, DType::F32];
/// Integers.
pub const INTEGERS: &[DType] = &[DType::I32, DType::I64, DType::U8];
/// Numbers. Floats are more frequent.
pub const NUMBERS: &[DType] = &[
    DType::F64,
    DType::F64,
    DType::F32,
    DType::I32,
    DType::I64,
    DType::U8,
];
/// The dtypes of values in programs.
pub const ALL: &[DType] = &[
    DType::F64,
    DType::F32,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::Bool,
];

/// Ops that are used in the same way.
pub struct Uses {
    /// Their names.
    pub ops: &'static [&'static str],
    /// Applies one of the ops to operands that it draws; `None` if the scope has no operand that fits.
    pub draw: fn(&mut Writer, &'static OpDef) -> Option<Expr>,
}

/// The uses of all ops.
const TABLE: &[&[Uses]] = &[
    elementwise::USES,
    elementwise::USES,
    reductions::USES,
    arrays::USES,
    indexing::USES,
    scatter::USES,
    order::USES,
    products::USES,
    windows::USES,
    gradients::USES,
    sources::USES,
    lists::USES,
    text::USES,
];

/// Applies a random op to random operands.
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

/// An expression of the same type as another one, computed from its value.
pub fn draw_like(writer: &mut Writer, x: Expr, ty: &TensorType) -> Option<Expr> {
    elementwise::like(writer, x, ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often drawing gives an expression of a known type, of 40 tries.
    fn successes(uses: &Uses, op: &'static OpDef) -> usize {
        let fits = |seed: &u64| {
            let mut writer = Writer::started(*seed);
            let expr = (uses.draw)(&mut writer, op);
            expr.is_some_and(|expr| writer.known_type(&expr).is_some())
        };
        (0..40).filter(fits).count()
    }

    #[test]
    fn each_op_is_drawn_often() {
        let mut rare = Vec::new();
        for uses in TABLE.iter().copied().flatten() {
            for name in uses.ops {
                let op = graph_runtime::ops::find(name).expect("the table has its name");
                let count = successes(uses, op);
                if count < 3 {
                    rare.push((name, count));
                }
            }
        }
        assert!(rare.is_empty(), "of 40 tries {rare:?}");
    }
}
