//! Ops that change shapes and the order of axes, join, repeat and pad.

use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::Attr;
use graph_runtime::{Array, DType};

use super::reductions::axis;
use super::{ALL, NUMBERS, Uses};
use crate::generate::Writer;
use crate::generate::operands::{applied, integers, ints, pinned};
use crate::generate::types::sizes;
use crate::program::Expr;

pub const USES: &[Uses] = &[
    Uses {
        ops: &["reshape", "reshape_to"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(ALL);
            let shape = other_shape(w, &sizes(&ty));
            shaped(op, x, &shape)
        },
    },
    Uses {
        ops: &["broadcast_to", "broadcast_as"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(ALL);
            let shape = [&[2], &sizes(&ty)[..]].concat();
            shaped(op, x, &shape)
        },
    },
    Uses {
        ops: &["tile", "tile_by"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let times: Vec<usize> = sizes(&ty).iter().map(|_| w.random.below(3)).collect();
            match op.name {
                "tile" => applied(op, [of_sizes(&times)], [x]),
                _ => {
                    let dims = sizes(&ty);
                    let result = dims.iter().zip(&times).map(|(n, t)| n * t);
                    let result: Vec<usize> = result.collect();
                    Some(pinned(applied(op, [], [x, vector(&times)])?, &result))
                }
            }
        },
    },
    Uses {
        ops: &["transpose"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 2);
            let mut perm: Vec<usize> = (0..ty.shape.rank()?).collect();
            for i in 1..perm.len() {
                perm.swap(i, w.random.below(i + 1));
            }
            applied(op, [of_sizes(&perm)], [x])
        },
    },
    Uses {
        ops: &["expand_dims"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(ALL);
            let axis = w.random.below(ty.shape.rank()? + 1);
            applied(op, [Attr::Int(axis as i64)], [x])
        },
    },
    Uses {
        ops: &["squeeze"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let axes = sizes(&ty).into_iter().zip(0..).filter(|(n, _)| *n == 1);
            let axes: Vec<i64> = axes.map(|(_, axis)| axis).collect();
            // An empty list of axes means all axes of size 1; then the rank is unknown if sizes are.
            (!axes.is_empty()).then(|| applied(op, [ints(axes)], [x]))?
        },
    },
    Uses {
        ops: &["concat", "stack"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let others: Vec<Expr> = (0..w.random.below(3)).map(|_| w.of_type(&ty)).collect();
            let axis = axis(w, &ty);
            applied(op, [Attr::Int(axis as i64)], [vec![x], others].concat())
        },
    },
    Uses {
        ops: &["shape_of", "size_of", "rank_of"],
        draw: |w, op| {
            let (x, _) = w.of_dtype(ALL);
            applied(op, [], [x])
        },
    },
    Uses {
        ops: &["roll"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let axis = axis(w, &ty);
            let shift = integers(&[w.random.below(7) as i32 - 3]);
            applied(op, [ints([axis as i64])], [x, shift])
        },
    },
    Uses {
        ops: &["repeat"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let (axis, count) = (axis(w, &ty), w.random.below(3));
            applied(op, [Attr::Int(axis as i64), Attr::Int(count as i64)], [x])
        },
    },
    Uses {
        ops: &["repeat_each"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let (axis, mut dims) = (axis(w, &ty), sizes(&ty));
            let counts: Vec<usize> = (0..dims[axis]).map(|_| w.random.below(3)).collect();
            dims[axis] = counts.iter().sum();
            let repeated = applied(op, [Attr::Int(axis as i64)], [x, vector(&counts)])?;
            Some(pinned(repeated, &dims))
        },
    },
    Uses {
        ops: &["reverse_sequence"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 2);
            let dims = sizes(&ty);
            let lengths = w.positions(dims[1] + 1, DType::I32, &dims[..1]);
            applied(op, [Attr::Int(1), Attr::Int(0)], [x, lengths])
        },
    },
    Uses {
        ops: &["diag"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let small = sizes(&ty).iter().all(|n| *n < 20);
            small.then(|| applied(op, [diagonal(w)], [x]))?
        },
    },
    Uses {
        ops: &["diag_part"],
        draw: |w, op| {
            let (x, _) = w.of_rank(NUMBERS, 2);
            applied(op, [Attr::Int(0)], [x])
        },
    },
    Uses {
        ops: &["set_diag"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 2);
            let dims = sizes(&ty);
            let (lead, matrix) = dims.split_at(dims.len() - 2);
            let shape = [lead, &[matrix[0].min(matrix[1])]].concat();
            let values = w.of_type(&TensorType::new(ty.dtype, Shape::known(&shape)));
            applied(op, [Attr::Int(0)], [x, values])
        },
    },
    Uses {
        ops: &["band_part"],
        draw: |w, op| {
            let (x, _) = w.of_rank(NUMBERS, 2);
            let low = w.random.below(4) as i64 - 2;
            let high = low + w.random.below(3) as i64;
            applied(op, [Attr::Int(low), Attr::Int(high)], [x])
        },
    },
    Uses {
        ops: &["pad"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let (before, after) = (around(w, &ty, 3), around(w, &ty, 3));
            let value = w.of_type(&TensorType::scalar(ty.dtype));
            applied(op, [of_sizes(&before), of_sizes(&after)], [x, value])
        },
    },
    Uses {
        ops: &["pad_by"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let (before, after) = (around(w, &ty, 3), around(w, &ty, 3));
            let value = w.of_type(&TensorType::scalar(ty.dtype));
            let dims = sizes(&ty);
            let pairs = before.iter().zip(&after);
            let pads: Vec<i32> = pairs
                .clone()
                .flat_map(|(b, a)| [*b as i32, *a as i32])
                .collect();
            let pads = Expr::constant(Array::new(&[dims.len(), 2], pads));
            let result = dims.iter().zip(pairs).map(|(n, (b, a))| n + b + a);
            let result: Vec<usize> = result.collect();
            let operands = pad_operands(x, value, pads);
            Some(pinned(applied(op, [], operands)?, &result))
        },
    },
    Uses {
        ops: &["mirror_pad"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            if sizes(&ty).iter().any(|n| *n < 2) {
                return None;
            }
            let (before, after) = (around(w, &ty, 2), around(w, &ty, 2));
            let mode = w.random.one_of(&["reflect", "symmetric"]).to_owned();
            applied(
                op,
                [Attr::Text(mode), of_sizes(&before), of_sizes(&after)],
                [x],
            )
        },
    },
];

/// The operands of `pad_by` in their order.
fn pad_operands(x: Expr, value: Expr, pads: Expr) -> [Expr; 3] {
    [x, value, pads]
}

/// Sizes as an attribute.
pub fn of_sizes(sizes: &[usize]) -> Attr {
    ints(sizes.iter().map(|n| *n as i64))
}

/// Sizes as an operand.
pub fn vector(sizes: &[usize]) -> Expr {
    let sizes: Vec<i32> = sizes.iter().map(|n| *n as i32).collect();
    integers(&sizes)
}

/// Applies an op that takes a shape as an attribute, or its form that takes it as an operand.
fn shaped(op: &'static graph_runtime::ops::OpDef, x: Expr, shape: &[usize]) -> Option<Expr> {
    match op.attrs {
        [] => Some(pinned(applied(op, [], [x, vector(shape)])?, shape)),
        _ => applied(op, [of_sizes(shape)], [x]),
    }
}

/// Another shape with the same number of values.
fn other_shape(w: &mut Writer, dims: &[usize]) -> Vec<usize> {
    let size: usize = dims.iter().product();
    match w.random.below(3) {
        0 => dims.iter().rev().copied().collect(),
        1 => vec![size],
        _ if size.is_multiple_of(2) => vec![2, size / 2],
        _ => [&[1], dims].concat(),
    }
}

/// The number of a diagonal near the main one.
fn diagonal(w: &mut Writer) -> Attr {
    Attr::Int(w.random.below(3) as i64 - 1)
}

/// Padding before or after each axis, with fewer than `limit` values.
fn around(w: &mut Writer, ty: &TensorType, limit: usize) -> Vec<usize> {
    sizes(ty).iter().map(|_| w.random.below(limit)).collect()
}
