//! Reductions, cumulative sums, and other functions of whole lanes.

use graph_runtime::DType;
use graph_runtime::graph::TensorType;
use graph_runtime::ops::Attr;

use super::{FLOATS, NUMBERS, Uses};
use crate::generate::Writer;
use crate::generate::operands::{Domain, applied, ints};
use crate::generate::types::sizes;
use crate::program::Expr;

pub const USES: &[Uses] = &[
    Uses {
        ops: &[
            "reduce_sum",
            "reduce_sum",
            "reduce_mean",
            "reduce_max",
            "reduce_min",
        ],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            applied(op, over(w, &ty), [x])
        },
    },
    Uses {
        ops: &["reduce_prod"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let x = bounded(w, x, ty.dtype);
            applied(op, over(w, &ty), [x])
        },
    },
    Uses {
        ops: &["reduce_any", "reduce_all"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(&[DType::Bool], 1);
            applied(op, over(w, &ty), [x])
        },
    },
    Uses {
        ops: &["argmax", "argmin"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let axis = axis(w, &ty);
            // An axis without values has no extreme.
            let any = sizes(&ty)[axis] > 0;
            any.then(|| applied(op, [Attr::Int(axis as i64)], [x]))?
        },
    },
    Uses {
        ops: &["cumsum", "cumprod"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let x = match op.name {
                "cumprod" => bounded(w, x, ty.dtype),
                _ => x,
            };
            let attrs = [
                Attr::Int(axis(w, &ty) as i64),
                Attr::Bool(w.random.once_in(2)),
                Attr::Bool(w.random.once_in(2)),
            ];
            applied(op, attrs, [x])
        },
    },
    Uses {
        ops: &["softmax", "log_softmax"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(FLOATS, 1);
            applied(op, [Attr::Int(axis(w, &ty) as i64)], [x])
        },
    },
    Uses {
        ops: &["sparse_softmax_cross_entropy_with_logits"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(FLOATS, 1);
            let dims = sizes(&ty);
            let (classes, rest) = dims.split_last()?;
            if *classes == 0 {
                return None;
            }
            let labels = w.positions(*classes, DType::I32, rest);
            applied(op, [], [labels, x])
        },
    },
];

/// A random axis of a type with at least one axis.
pub fn axis(w: &mut Writer, ty: &TensorType) -> usize {
    w.random.below(ty.shape.rank().unwrap_or(1).max(1))
}

/// The attributes of a reduction: some of the axes or all, and whether they are kept.
fn over(w: &mut Writer, ty: &TensorType) -> [Attr; 2] {
    let rank = ty.shape.rank().unwrap_or(0);
    let axes: Vec<i64> = (0..rank as i64).filter(|_| w.random.once_in(2)).collect();
    [ints(axes), Attr::Bool(w.random.once_in(3))]
}

/// Floats whose products don't grow.
fn bounded(w: &mut Writer, x: Expr, dtype: DType) -> Expr {
    match dtype.is_float() {
        true => w.within(Domain::Unit, x, dtype),
        false => x,
    }
}
