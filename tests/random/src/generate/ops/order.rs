//! Sorting, and counts of values.

use graph_runtime::DType;
use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::Attr;

use super::reductions::axis;
use super::{NUMBERS, Uses};
use crate::generate::Writer;
use crate::generate::operands::{applied, summed};
use crate::generate::types::sizes;
use crate::program::Expr;

pub const USES: &[Uses] = &[
    Uses {
        ops: &["sort", "argsort"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let attrs = [
                Attr::Int(axis(w, &ty) as i64),
                Attr::Bool(w.random.once_in(2)),
            ];
            applied(op, attrs, [x])
        },
    },
    Uses {
        ops: &["top_k"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let n = *sizes(&ty).last()?;
            let k = w.random.below(n.min(4) + 1);
            applied(op, [Attr::Int(k as i64)], [x])
        },
    },
    Uses {
        ops: &["searchsorted"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let last = ty.shape.rank()? as i64 - 1;
            let sort = graph_runtime::ops::find("sort")?;
            let sorted = applied(sort, [Attr::Int(last), Attr::Bool(false)], [x])?;
            let values = w.of_type(&ty);
            applied(op, [Attr::Bool(w.random.once_in(2))], [sorted, values])
        },
    },
    Uses {
        ops: &["bincount"],
        draw: |w, op| {
            let numbers = counted(w);
            Some(summed(applied(
                op,
                [Attr::Int(2), Attr::Int(-1)],
                [numbers],
            )?))
        },
    },
    Uses {
        ops: &["weighted_bincount"],
        draw: |w, op| {
            let (weights, ty) = w.of_rank(NUMBERS, 1);
            let numbers = w.positions(5, DType::I32, &sizes(&ty));
            let counts = applied(op, [Attr::Int(2), Attr::Int(4)], [numbers, weights])?;
            Some(summed(counts))
        },
    },
    Uses {
        ops: &["unique"],
        draw: |w, op| {
            let x = flat(w)?;
            Some(summed(applied(op, [], [x])?))
        },
    },
    Uses {
        ops: &["unique_index"],
        draw: |w, op| {
            let x = flat(w)?;
            applied(op, [], [x])
        },
    },
];

/// A vector for ops that compare its values.
fn flat(w: &mut Writer) -> Option<Expr> {
    // These ops have no gradient. So smooth programs use them with integers only.
    let dtypes = if w.smooth { &[DType::I32][..] } else { NUMBERS };
    let (x, ty) = w.of_rank(dtypes, 1);
    (ty.shape.rank() == Some(1)).then_some(x)
}

/// A vector of small integers.
fn counted(w: &mut Writer) -> Expr {
    let shape = w.shape();
    let ty = TensorType::new(
        DType::I32,
        Shape::known(&sizes(&TensorType::new(DType::I32, shape))),
    );
    w.positions(6, DType::I32, &sizes(&ty))
}
