//! Products of matrices and of tensors with more axes.

use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::Attr;

use super::{FLOATS, NUMBERS, Uses};
use crate::generate::operands::{applied, ints};
use crate::generate::types::sizes;
use crate::program::Expr;
use crate::value::array_of;

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
        ops: &["solve"],
        draw: |w, op| {
            let (right, ty) = w.of_rank(FLOATS, 2);
            let dims = sizes(&ty);
            let n = dims[dims.len() - 2];
            if n > 20 {
                return None;
            }
            // The diagonal is more than the rest of a row, so that the matrix is far from singular.
            let value = |i: usize| {
                let off = w.random.below(9) as f64 / 4.0 - 1.0;
                if i.is_multiple_of(n + 1) {
                    2.0 * n as f64
                } else {
                    off
                }
            };
            let values: Vec<f64> = (0..n * n).map(value).collect();
            let matrix = Expr::constant(array_of(ty.dtype, &[n, n], &values));
            let adjoint = w.random.once_in(2);
            applied(op, [Attr::Bool(adjoint)], [matrix, right])
        },
    },
    Uses {
        ops: &["solve"],
        draw: |w, op| {
            // Here the matrix is no constant, so that gradients go through it. What is added to its diagonal is more than the rest of a row.
            let (x, ty) = w.of_rank(FLOATS, 2);
            let [n, _] = sizes(&ty)[..] else {
                return None;
            };
            if n > 20 {
                return None;
            }
            let transposes = [false, true].map(Attr::Bool);
            let matmul = graph_runtime::ops::find("matmul")?;
            let square = applied(matmul, transposes, [x.clone(), x.clone()])?;
            let more = |i: usize| match i.is_multiple_of(n + 1) {
                true => 2.0 * n as f64,
                false => 0.0,
            };
            let more: Vec<f64> = (0..n * n).map(more).collect();
            let more = Expr::constant(array_of(ty.dtype, &[n, n], &more));
            let matrix = Expr::apply("add", vec![Expr::apply("tanh", vec![square]), more]);
            let adjoint = w.random.once_in(2);
            applied(op, [Attr::Bool(adjoint)], [matrix, x])
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
