//! Ops that occur in gradients.

use graph_runtime::DType;
use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::Attr;

use super::arrays::vector;
use super::indexing::{int, rows, strided};
use super::reductions::axis;
use super::{ALL, FLOATS, NUMBERS, Uses};
use crate::generate::operands::{applied, number, pinned};
use crate::generate::types::sizes;
use crate::program::Expr;

pub const USES: &[Uses] = &[
    Uses {
        ops: &["sum_to"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let dims = sizes(&ty);
            let to = &dims[w.random.below(dims.len() + 1)..];
            Some(pinned(applied(op, [], [x, vector(to)])?, to))
        },
    },
    Uses {
        ops: &["stop_gradient"],
        draw: |w, op| {
            // This op has no gradient, but its finite differences aren't zero. So smooth programs use it with integers only.
            let dtypes = if w.smooth { &[DType::I32][..] } else { ALL };
            let (x, _) = w.of_dtype(dtypes);
            applied(op, [], [x])
        },
    },
    Uses {
        ops: &["after"],
        draw: |w, op| {
            let (x, _) = w.of_dtype(ALL);
            let (other, _) = w.of_dtype(ALL);
            applied(op, [], [x, other])
        },
    },
    Uses {
        ops: &["index_add"],
        draw: |w, op| {
            let (x, ty) = rows(w, NUMBERS, 1)?;
            let dims = sizes(&ty);
            let row = w.of_type(&TensorType::new(ty.dtype, Shape::known(&dims[1..])));
            let at = w.position(dims[0]);
            applied(op, [], [x, row, at])
        },
    },
    Uses {
        ops: &["strided_slice_add"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let attrs = strided(w, &ty);
            let slice = graph_runtime::ops::find("strided_slice")?;
            let part = applied(slice, attrs.clone(), [w.of_type(&ty)])?;
            applied(op, attrs, [x, part])
        },
    },
    Uses {
        ops: &["slice_axis_add"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let (axis, mut dims) = (axis(w, &ty), sizes(&ty));
            let begin = w.random.below(dims[axis] + 1);
            let bounds = [int(begin), int(dims[axis]), int(1)];
            dims[axis] -= begin;
            let part = w.of_type(&TensorType::new(ty.dtype, Shape::known(&dims)));
            let operands = [vec![x, part], bounds.to_vec()].concat();
            applied(op, [Attr::Int(axis as i64), Attr::Int(0)], operands)
        },
    },
    Uses {
        ops: &["slice_add"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let dims = sizes(&ty);
            let begins: Vec<usize> = dims.iter().map(|n| w.random.below(n + 1)).collect();
            let rest: Vec<usize> = dims.iter().zip(&begins).map(|(n, b)| n - b).collect();
            let part = w.of_type(&TensorType::new(ty.dtype, Shape::known(&rest)));
            applied(op, [], [x, part, vector(&begins)])
        },
    },
    Uses {
        ops: &["gather_add"],
        draw: |w, op| {
            let (x, ty) = rows(w, NUMBERS, 1)?;
            let dims = sizes(&ty);
            let count = w.random.below(4);
            let shape = [&[count], &dims[1..]].concat();
            let part = w.of_type(&TensorType::new(ty.dtype, Shape::known(&shape)));
            let at = w.positions(dims[0], DType::I32, &[count]);
            applied(op, [Attr::Int(0), Attr::Int(0)], [x, part, at])
        },
    },
    Uses {
        ops: &["add_along_axis"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 1);
            let (axis, mut dims) = (axis(w, &ty), sizes(&ty));
            if dims[axis] == 0 {
                return None;
            }
            let n = std::mem::replace(&mut dims[axis], 2);
            let at = w.positions(n, DType::I32, &dims);
            let part = w.of_type(&TensorType::new(ty.dtype, Shape::known(&dims)));
            applied(op, [Attr::Int(axis as i64)], [x, at, part])
        },
    },
    Uses {
        ops: &["check_numerics"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(FLOATS);
            let is_finite = Expr::apply("is_finite", vec![x.clone()]);
            let finite = Expr::apply("select", vec![is_finite, x, number(ty.dtype, 0.5)]);
            applied(op, [Attr::Text("a number".to_owned())], [finite])
        },
    },
];
