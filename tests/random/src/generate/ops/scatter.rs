//! Writing values at positions, and reductions of segments.

use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::Attr;
use graph_runtime::{Array, DType};

use super::indexing::rows;
use super::{ALL, FLOATS, NUMBERS, Uses};
use crate::generate::Writer;
use crate::generate::operands::{applied, pinned};
use crate::generate::types::sizes;
use crate::program::Expr;

pub const USES: &[Uses] = &[
    Uses {
        ops: &["scatter_update"],
        draw: |w, op| {
            let (operands, _) = scattered(w, ALL)?;
            applied(op, [], operands)
        },
    },
    Uses {
        ops: &["scatter_add", "scatter_sub", "scatter_min", "scatter_max"],
        draw: |w, op| {
            let (operands, _) = scattered(w, NUMBERS)?;
            applied(op, [], operands)
        },
    },
    Uses {
        ops: &["invert_permutation"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let sorted = graph_runtime::ops::find("argsort")?;
            let is_vector = ty.shape.rank() == Some(1);
            let order = applied(sorted, [Attr::Int(0), Attr::Bool(false)], [x]);
            is_vector.then(|| applied(op, [], [order?]))?
        },
    },
    Uses {
        ops: &["segment_sum", "segment_prod", "segment_max", "segment_min"],
        draw: |w, op| sorted_segments(w, op, NUMBERS),
    },
    Uses {
        ops: &["segment_mean"],
        draw: |w, op| sorted_segments(w, op, FLOATS),
    },
    Uses {
        ops: &[
            "unsorted_segment_sum",
            "unsorted_segment_prod",
            "unsorted_segment_max",
            "unsorted_segment_min",
        ],
        draw: |w, op| unsorted_segments(w, op, NUMBERS),
    },
    Uses {
        ops: &["unsorted_segment_mean"],
        draw: |w, op| unsorted_segments(w, op, FLOATS),
    },
];

/// An array, positions of rows, and the same number of rows.
fn scattered(w: &mut Writer, dtypes: &[DType]) -> Option<(Vec<Expr>, TensorType)> {
    let (x, ty) = rows(w, dtypes, 1)?;
    let dims = sizes(&ty);
    let count = w.random.below(4);
    let at = w.positions(dims[0], DType::I32, &[count, 1]);
    let shape = [&[count], &dims[1..]].concat();
    let updates = w.of_type(&TensorType::new(ty.dtype, Shape::known(&shape)));
    Some((vec![x, at, updates], ty))
}

fn sorted_segments(
    w: &mut Writer,
    op: &'static graph_runtime::ops::OpDef,
    dtypes: &[DType],
) -> Option<Expr> {
    let (x, ty) = rows(w, dtypes, 1)?;
    let mut dims = sizes(&ty);
    let mut id = 0;
    let ids: Vec<i32> = (0..dims[0])
        .map(|_| {
            id += w.random.one_of(&[0, 0, 1, 2]);
            id
        })
        .collect();
    let ids = Expr::constant(Array::new(&[dims[0]], ids));
    dims[0] = id as usize + 1;
    Some(pinned(applied(op, [], [x, ids])?, &dims))
}

fn unsorted_segments(
    w: &mut Writer,
    op: &'static graph_runtime::ops::OpDef,
    dtypes: &[DType],
) -> Option<Expr> {
    let (x, ty) = w.of_rank(dtypes, 1);
    let count = 1 + w.random.below(4);
    let ids = w.positions(count, DType::I32, &sizes(&ty)[..1]);
    applied(op, [Attr::Int(count as i64)], [x, ids])
}
