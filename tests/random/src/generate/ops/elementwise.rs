//! Elementwise functions and comparisons.

use graph_runtime::DType;
use graph_runtime::graph::TensorType;
use graph_runtime::ops::{Attr, Attrs, OpDef};

use super::{ALL, FLOATS, INTEGERS, NUMBERS, Uses};
use crate::generate::Writer;
use crate::generate::operands::{Domain, applied, number};
use crate::program::Expr;

pub const USES: &[Uses] = &[
    Uses {
        ops: &[
            "sin",
            "cos",
            "tanh",
            "sigmoid",
            "floor",
            "ceil",
            "round",
            "trunc",
            "atan",
            "asinh",
            "erf",
            "erfc",
            "softplus",
            "softsign",
            "elu",
            "selu",
            "is_nan",
            "is_inf",
            "is_finite",
        ],
        draw: |w, op| float(w, op, Domain::Any),
    },
    Uses {
        ops: &[
            "exp", "exp2", "expm1", "tan", "asin", "acos", "sinh", "cosh", "atanh",
        ],
        draw: |w, op| float(w, op, Domain::Unit),
    },
    Uses {
        ops: &[
            "log",
            "log1p",
            "log2",
            "log10",
            "sqrt",
            "rsqrt",
            "cbrt",
            "reciprocal",
        ],
        draw: |w, op| float(w, op, Domain::Positive),
    },
    Uses {
        ops: &["acosh"],
        draw: |w, op| float(w, op, Domain::AboveOne),
    },
    Uses {
        ops: &["neg", "abs", "sign", "square", "relu", "relu6"],
        draw: |w, op| {
            let (x, _) = w.of_dtype(NUMBERS);
            applied(op, [], vec![x])
        },
    },
    Uses {
        ops: &[
            "add",
            "sub",
            "mul",
            "maximum",
            "minimum",
            "squared_difference",
        ],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(NUMBERS);
            Some(binary(w, op, x, &ty))
        },
    },
    Uses {
        ops: &["div", "rem", "true_div", "floor_div", "floor_mod"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(NUMBERS);
            let y = w.beside(&ty);
            let y = divisor(w, y, ty.dtype);
            applied(op, [], vec![x, y])
        },
    },
    Uses {
        ops: &["pow"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(NUMBERS);
            let y = w.beside(&ty);
            let operands = match ty.dtype.is_float() {
                true => vec![
                    w.within(Domain::Positive, x, ty.dtype),
                    w.within(Domain::Unit, y, ty.dtype),
                ],
                false => vec![x, Expr::apply("bit_and", vec![y, number(ty.dtype, 3.0)])],
            };
            applied(op, [], operands)
        },
    },
    Uses {
        ops: &[
            "atan2",
            "divide_no_nan",
            "xlogy",
            "xlog1py",
            "xdivy",
            "grad_div",
        ],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(FLOATS);
            let y = w.beside(&ty);
            let y = w.within(Domain::Positive, y, ty.dtype);
            applied(op, [], vec![x, y])
        },
    },
    Uses {
        ops: &["leaky_relu"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(FLOATS);
            let y = w.beside(&ty);
            applied(op, [], vec![x, y])
        },
    },
    Uses {
        ops: &["bit_and", "bit_or", "bit_xor"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(&[DType::I32, DType::I64, DType::U8, DType::Bool]);
            let y = w.beside(&ty);
            applied(op, [], vec![x, y])
        },
    },
    Uses {
        ops: &["left_shift", "right_shift"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(INTEGERS);
            let y = w.beside(&ty);
            let y = Expr::apply("bit_and", vec![y, number(ty.dtype, 7.0)]);
            applied(op, [], vec![x, y])
        },
    },
    Uses {
        ops: &["bit_not"],
        draw: |w, op| {
            let (x, _) = w.of_dtype(INTEGERS);
            applied(op, [], vec![x])
        },
    },
    Uses {
        ops: &["less", "less_equal", "greater", "greater_equal"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(NUMBERS);
            let y = w.beside(&ty);
            applied(op, [], vec![x, y])
        },
    },
    Uses {
        ops: &["equal", "not_equal"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(ALL);
            let y = w.beside(&ty);
            applied(op, [], vec![x, y])
        },
    },
    Uses {
        ops: &["logical_and", "logical_or", "logical_xor"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(&[DType::Bool]);
            let y = w.beside(&ty);
            applied(op, [], vec![x, y])
        },
    },
    Uses {
        ops: &["logical_not"],
        draw: |w, op| {
            let (x, _) = w.of_dtype(&[DType::Bool]);
            applied(op, [], vec![x])
        },
    },
    Uses {
        ops: &["select"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(ALL);
            let y = w.beside(&ty);
            let condition = w.beside(&TensorType::new(DType::Bool, ty.shape.clone()));
            applied(op, [], vec![condition, x, y])
        },
    },
    Uses {
        ops: &["cast"],
        draw: |w, op| {
            let (x, _) = w.of_dtype(ALL);
            let dtypes = match w.smooth {
                true => &[DType::F64, DType::I32, DType::Bool][..],
                false => ALL,
            };
            let to = w.random.one_of(dtypes);
            let attrs = Attrs::new().with("dtype", Attr::DType(to));
            Some(Expr::Apply(op, Box::new(attrs), vec![x]))
        },
    },
];

fn float(w: &mut Writer, op: &'static OpDef, domain: Domain) -> Option<Expr> {
    let (x, ty) = w.of_dtype(FLOATS);
    let x = w.within(domain, x, ty.dtype);
    applied(op, [], vec![x])
}

/// Applies a binary op to the given operand and another one, in either order.
fn binary(w: &mut Writer, op: &'static OpDef, x: Expr, ty: &TensorType) -> Expr {
    let y = w.beside(ty);
    let y = match op.name {
        // This keeps values small in loops.
        "mul" | "squared_difference" if ty.dtype.is_float() => w.within(Domain::Unit, y, ty.dtype),
        _ => y,
    };
    let operands = match w.random.once_in(2) {
        true => vec![x, y],
        false => vec![y, x],
    };
    Expr::Apply(op, Box::default(), operands)
}

/// A value that can be a divisor: an integer divisor is never 0.
fn divisor(w: &mut Writer, x: Expr, dtype: DType) -> Expr {
    match dtype.is_float() {
        true => w.within(Domain::Positive, x, dtype),
        false => Expr::apply("bit_or", vec![x, number(dtype, 1.0)]),
    }
}

/// An expression of the same type as a name, computed from its value.
pub fn like(w: &mut Writer, x: Expr, ty: &TensorType) -> Option<Expr> {
    let op = match ty.dtype {
        DType::Bool => w
            .random
            .one_of(&["logical_and", "logical_or", "logical_xor"]),
        _ => w.random.one_of(&["add", "sub", "mul", "maximum", "add"]),
    };
    if ty.dtype.is_float() && w.random.once_in(3) {
        let op = w
            .random
            .one_of(&["sin", "tanh", "sigmoid", "softsign", "neg", "abs"]);
        return Some(Expr::apply(op, vec![x]));
    }
    let op = graph_runtime::ops::find(op)?;
    Some(binary(w, op, x, ty))
}
