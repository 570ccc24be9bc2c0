//! Arrays that are computed from a few numbers, and random ones from a seed.

use graph_runtime::ops::{Attr, OpDef};
use graph_runtime::{Array, DType};

use super::arrays::{of_sizes, vector};
use super::indexing::int;
use super::{ALL, FLOATS, NUMBERS, Uses};
use crate::generate::Writer;
use crate::generate::operands::{applied, number, pinned};
use crate::generate::types::sizes;
use crate::program::Expr;

pub const USES: &[Uses] = &[
    Uses {
        ops: &["fill", "fill_to"],
        draw: |w, op| {
            let scalar = |ty: &graph_runtime::graph::TensorType| ty.shape.rank() == Some(0);
            let (value, _) = w.pick(|ty| scalar(ty) && ALL.contains(&ty.dtype))?;
            let shape = known(w);
            match op.attrs {
                [] => Some(pinned(applied(op, [], [value, vector(&shape)])?, &shape)),
                _ => applied(op, [of_sizes(&shape)], [value]),
            }
        },
    },
    Uses {
        ops: &["range"],
        draw: |w, op| {
            let count = w.random.below(5);
            let range = applied(op, [], [int(0), int(2 * count), int(2)])?;
            Some(pinned(range, &[count]))
        },
    },
    Uses {
        ops: &["linspace"],
        draw: |w, op| {
            let dtype = w.random.one_of(FLOATS);
            let count = 1 + w.random.below(9) as i64;
            let ends = [number(dtype, -1.0), number(dtype, 1.5)];
            applied(op, [Attr::Int(count)], ends)
        },
    },
    Uses {
        ops: &["eye"],
        draw: |w, op| {
            let [rows, columns] = [0; 2].map(|_| Attr::Int(w.random.below(4) as i64));
            applied(
                op,
                [rows, columns, Attr::DType(w.random.one_of(NUMBERS))],
                [],
            )
        },
    },
    Uses {
        ops: &[
            "stateless_uniform",
            "stateless_normal",
            "stateless_truncated_normal",
        ],
        draw: |w, op| {
            let dtype = w.random.one_of(FLOATS);
            drawn(w, op, dtype)
        },
    },
    Uses {
        ops: &["stateless_bits"],
        draw: |w, op| {
            let dtype = w.random.one_of(&[DType::I32, DType::I64]);
            drawn(w, op, dtype)
        },
    },
    Uses {
        ops: &["stateless_integers"],
        draw: |w, op| {
            let (shape, seed) = (known(w), seed(w));
            applied(op, [of_sizes(&shape)], [seed, int(2), int(9)])
        },
    },
    Uses {
        ops: &["stateless_shuffle"],
        draw: |w, op| {
            let (x, _) = w.of_rank(ALL, 1);
            applied(op, [], [seed(w), x])
        },
    },
];

fn known(w: &mut Writer) -> Vec<usize> {
    let shape = w.shape();
    sizes(&graph_runtime::graph::TensorType::new(DType::I32, shape))
}

/// The next seed of a stream, or one that is given.
fn seed(w: &mut Writer) -> Expr {
    if w.may_act && w.random.once_in(2) {
        return Expr::Seed(w.random.one_of(&[None, None, Some(1), Some(2)]));
    }
    let values = [0; 2].map(|_| w.random.below(1000) as i64);
    Expr::constant(Array::new(&[2], values.to_vec()))
}

fn drawn(w: &mut Writer, op: &'static OpDef, dtype: DType) -> Option<Expr> {
    let (shape, seed) = (known(w), seed(w));
    applied(op, [of_sizes(&shape), Attr::DType(dtype)], [seed])
}
