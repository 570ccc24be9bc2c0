//! Products of matrices and of tensors with more axes.

use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::Attr;

use super::{NUMBERS, Uses};
use crate::generate::operands::{applied, ints};
use crate::generate::types::sizes;

pub const USES: &[Uses] = &[
    Uses {
        ops: &["matmul", "matmul"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 2);
            let dims = sizes(&ty);
            let [m, k] = dims[dims.len() - 2..] else {
                return None;
            };
            let transposes = [w.random.once_in(2), w.random.once_in(2)];
            let inner = if transposes[0] { m } else { k };
            let n = w.random.one_of(&[1, 2, 3, 5, 17]);
            let shape = match transposes[1] {
                true => [n, inner],
                false => [inner, n],
            };
            let other = w.of_type(&TensorType::new(ty.dtype, Shape::known(&shape)));
            applied(op, transposes.map(Attr::Bool), [x, other])
        },
    },
    Uses {
        ops: &["matmul"],
        draw: |w, op| {
            let (x, _) = w.of_rank(NUMBERS, 2);
            let first = w.random.once_in(2);
            applied(op, [Attr::Bool(first), Attr::Bool(!first)], [x.clone(), x])
        },
    },
    Uses {
        ops: &["einsum"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 2);
            let other = w.of_type(&ty);
            let equations = [
                "...ij,...kj->...ik",
                "...ij,...ij->...i",
                "...ij,...ik->...jk",
            ];
            let equation = w.random.one_of(&equations).to_owned();
            applied(op, [Attr::Text(equation)], [x, other])
        },
    },
    Uses {
        ops: &["tensordot"],
        draw: |w, op| {
            let (x, ty) = w.of_rank(NUMBERS, 2);
            let other = w.of_type(&ty);
            let last = ty.shape.rank()? as i64 - 1;
            applied(op, [ints([last]), ints([last])], [x, other])
        },
    },
];
