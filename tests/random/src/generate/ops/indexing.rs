//! Parts of arrays, at known positions and at positions that are computed.

use graph_runtime::DType;
use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::Attr;

use super::arrays::{of_sizes, vector};
use super::reductions::axis;
use super::{ALL, NUMBERS, Uses};
use crate::generate::Writer;
use crate::generate::operands::{applied, ints, number, pinned, summed};
use crate::generate::types::sizes;
use crate::program::Expr;

pub const USES: &[Uses] = &[
    Uses {
        ops: &["index", "index"],
        draw: |w, op| {
            let (x, ty) = rows(w, ALL, 1)?;
            let at = w.position(sizes(&ty)[0]);
            applied(op, [], [x, at])
        },
    },
    Uses {
        ops: &["index_axis"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let axis = axis(w, &ty);
            let n = sizes(&ty)[axis];
            (n > 0).then(|| applied(op, [Attr::Int(axis as i64)], [x, w.position(n)]))?
        },
    },
    Uses {
        ops: &["strided_slice"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let attrs = strided(w, &ty);
            applied(op, attrs, [x])
        },
    },
    Uses {
        ops: &["slice_rows"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let mut dims = sizes(&ty);
            let begin = w.random.below(dims[0] + 1);
            let end = begin + w.random.below(dims[0] - begin + 1);
            dims[0] = end - begin;
            let sliced = applied(op, [], [x, int(begin), int(end)])?;
            Some(pinned(sliced, &dims))
        },
    },
    Uses {
        ops: &["slice_axis"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let (axis, mut dims) = (axis(w, &ty), sizes(&ty));
            let begin = w.random.below(dims[axis] + 1);
            let bounds = [int(begin), int(dims[axis]), int(1)];
            dims[axis] -= begin;
            let operands = [vec![x], bounds.to_vec()].concat();
            let sliced = applied(op, [Attr::Int(axis as i64), Attr::Int(0)], operands)?;
            Some(pinned(sliced, &dims))
        },
    },
    Uses {
        ops: &["slice", "slice_to"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let dims = sizes(&ty);
            let begins: Vec<usize> = dims.iter().map(|n| w.random.below(n + 1)).collect();
            let pairs = dims.iter().zip(&begins);
            let lens: Vec<usize> = pairs
                .map(|(n, begin)| w.random.below(n - begin + 1))
                .collect();
            let begins = vector(&begins);
            let sliced = match op.name {
                "slice" => applied(op, [of_sizes(&lens)], [x, begins])?,
                _ => applied(op, [], [x, begins, vector(&lens)])?,
            };
            Some(pinned(sliced, &lens))
        },
    },
    Uses {
        ops: &["set_row"],
        draw: |w, op| {
            let (x, ty) = rows(w, ALL, 1)?;
            let dims = sizes(&ty);
            let at = w.position(dims[0]);
            let row = w.of_type(&TensorType::new(ty.dtype, Shape::known(&dims[1..])));
            applied(op, [], [x, at, row])
        },
    },
    Uses {
        ops: &["set_part"],
        draw: |w, op| {
            let (x, ty) = rows(w, ALL, 1)?;
            let value = w.of_type(&TensorType::scalar(ty.dtype));
            let begin = int(w.random.below(sizes(&ty)[0] + 1));
            let bounds = [begin, int(sizes(&ty)[0]), int(1)];
            let operands = [vec![x, value], bounds.to_vec()].concat();
            applied(op, [ints([0]), ints([0])], operands)
        },
    },
    Uses {
        ops: &["one_hot"],
        draw: |w, op| {
            let (x, _) = w.of_dtype(&[DType::I32, DType::I64]);
            let depth = w.random.below(5) as i64;
            let dtype = w.random.one_of(NUMBERS);
            applied(op, [Attr::Int(depth), Attr::DType(dtype)], [x])
        },
    },
    Uses {
        ops: &["boolean_mask"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let mask = w.of_type(&TensorType::new(DType::Bool, ty.shape.clone()));
            Some(summed(applied(op, [], [x, mask])?))
        },
    },
    Uses {
        ops: &["nonzero"],
        draw: |w, op| {
            let (x, _) = w.of_rank(NUMBERS, 1);
            Some(summed(applied(op, [], [x])?))
        },
    },
    Uses {
        ops: &["gather"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let axis = axis(w, &ty);
            let n = sizes(&ty)[axis];
            if n == 0 {
                return None;
            }
            let shape = [w.random.below(4)];
            let dtype = w.random.one_of(&[DType::I32, DType::I64]);
            let at = w.positions(n, dtype, &shape);
            applied(op, [Attr::Int(axis as i64)], [x, at])
        },
    },
    Uses {
        ops: &["batch_gather"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 2);
            let dims = sizes(&ty);
            if dims[1] == 0 {
                return None;
            }
            let at = w.positions(dims[1], DType::I32, &[dims[0], 2]);
            applied(op, [Attr::Int(1), Attr::Int(1)], [x, at])
        },
    },
    Uses {
        ops: &["gather_nd"],
        draw: |w, op| {
            let (x, ty) = rows(w, ALL, 1)?;
            let shape = [w.random.below(4), 1];
            let at = w.positions(sizes(&ty)[0], DType::I32, &shape);
            applied(op, [Attr::Int(0)], [x, at])
        },
    },
    Uses {
        ops: &["take_along_axis"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(ALL, 1);
            let (axis, mut dims) = (axis(w, &ty), sizes(&ty));
            if dims[axis] == 0 {
                return None;
            }
            let n = std::mem::replace(&mut dims[axis], 2);
            let at = w.positions(n, DType::I32, &dims);
            applied(op, [Attr::Int(axis as i64)], [x, at])
        },
    },
];

/// A value with at least one row.
pub fn rows(w: &mut Writer, dtypes: &[DType], rank: usize) -> Option<(Expr, TensorType)> {
    let (x, ty) = w.of_rank(dtypes, rank);
    (sizes(&ty)[0] > 0).then_some((x, ty))
}

/// A number as an operand.
pub fn int(n: usize) -> Expr {
    number(DType::I32, n as f64)
}

/// The attributes for a random range of one axis.
pub fn strided(w: &mut Writer, ty: &TensorType) -> [Attr; 5] {
    let axis = axis(w, ty) as i64;
    let n = sizes(ty)[axis as usize];
    let (begin, end) = (w.random.below(n + 1) as i64, w.random.below(n + 1) as i64);
    let (step, mask) = (
        w.random.one_of(&[1, 1, 2, 3, -1, -2]),
        w.random.below(4) as i64,
    );
    [axis, begin, end, step, mask].map(|value| ints([value]))
}
