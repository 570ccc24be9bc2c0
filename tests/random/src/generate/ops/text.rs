//! Strings: numbers as text, and the length of the text.

use graph_runtime::DType;
use graph_runtime::ops::{Attr, OpDef};

use super::indexing::int;
use super::{INTEGERS, Uses};
use crate::generate::Writer;
use crate::generate::operands::{applied, summed};
use crate::program::Expr;

pub const USES: &[Uses] = &[
    Uses {
        ops: &["as_string", "string_length"],
        draw: |w, _| length(written(w, INTEGERS)?),
    },
    Uses {
        ops: &["string_chars"],
        draw: |w, op| applied(op, [], [written(w, INTEGERS)?]),
    },
    Uses {
        ops: &["string_upper", "string_lower", "string_strip"],
        draw: |w, op| {
            let text = applied(op, [], [written(w, &[DType::Bool])?])?;
            length(text)
        },
    },
    Uses {
        ops: &["string_join"],
        draw: |w, op| {
            let text = written(w, INTEGERS)?;
            length(applied(op, [separator()], [text.clone(), text])?)
        },
    },
    Uses {
        ops: &["string_substr"],
        draw: |w, op| {
            let text = written(w, INTEGERS)?;
            length(applied(op, [], [text, int(0), int(2)])?)
        },
    },
    Uses {
        ops: &["string_reduce_join"],
        draw: |w, op| {
            let (x, _) = w.of_rank(INTEGERS, 1);
            let text = as_string(x)?;
            length(applied(op, [Attr::Int(0), separator()], [text])?)
        },
    },
    Uses {
        ops: &["string_split"],
        draw: |w, op| {
            let (x, _) = w.pick(|ty| ty.shape.rank() == Some(0) && INTEGERS.contains(&ty.dtype))?;
            let parts = applied(op, [separator()], [as_string(x)?])?;
            Some(summed(length(parts)?))
        },
    },
];

fn find(op: &str) -> &'static OpDef {
    graph_runtime::ops::find(op).expect("the op is in the table")
}

fn separator() -> Attr {
    Attr::Text("-".to_owned())
}

fn as_string(x: Expr) -> Option<Expr> {
    let attrs = [
        Attr::Int(-1),
        Attr::Bool(false),
        Attr::Bool(false),
        Attr::Int(0),
        Attr::Text(String::new()),
    ];
    applied(find("as_string"), attrs, [x])
}

fn written(w: &mut Writer, dtypes: &[DType]) -> Option<Expr> {
    let (x, _) = w.of_dtype(dtypes);
    as_string(x)
}

fn length(text: Expr) -> Option<Expr> {
    applied(find("string_length"), [], [text])
}
