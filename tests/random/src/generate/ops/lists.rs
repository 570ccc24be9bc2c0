//! Lists of rows, as in `TensorArray`s and in gradients of loops.

use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::{Attr, OpDef};

use super::indexing::int;
use super::{NUMBERS, Uses};
use crate::generate::Writer;
use crate::generate::operands::{applied, integers, pinned, summed};
use crate::generate::types::sizes;
use crate::program::Expr;

/// The number of rows in a list.
const ROWS: usize = 3;

pub const USES: &[Uses] = &[
    Uses {
        ops: &["list_read"],
        draw: |w, op| {
            let (list, row) = written(w)?;
            let at = w.position(ROWS);
            let read = applied(op, [whole(&row)], [list, at])?;
            Some(pinned(read, &sizes(&row)))
        },
    },
    Uses {
        ops: &["list_rows", "list_new", "list_write"],
        draw: |w, _| {
            let (list, row) = written(w)?;
            rows(list, &row)
        },
    },
    Uses {
        ops: &["list_size"],
        draw: |w, op| {
            let (list, _) = written(w)?;
            applied(op, [], [list])
        },
    },
    Uses {
        ops: &["list_scatter"],
        draw: |w, op| {
            let (list, row) = written(w)?;
            let shape = [&[2], &sizes(&row)[..]].concat();
            let rows = w.of_type(&TensorType::new(row.dtype, Shape::known(&shape)));
            let at = integers(&[2, 0]);
            let list = applied(op, [Attr::Bool(false)], [list, at, rows])?;
            self::rows(list, &row)
        },
    },
    Uses {
        ops: &["list_concat"],
        draw: |w, op| {
            let (list, row) = written(w)?;
            let mut dims = sizes(&row);
            *dims.first_mut()? *= ROWS;
            Some(pinned(applied(op, [], [list])?, &dims))
        },
    },
    Uses {
        ops: &["list_add"],
        draw: |w, op| {
            let (list, row) = written(w)?;
            let list = applied(op, [], [list.clone(), list])?;
            rows(list, &row)
        },
    },
    Uses {
        ops: &["list_extend"],
        draw: |w, op| {
            let (x, ty) = w.of_dtype(NUMBERS);
            let shape = Shape::of([None]);
            let new = find("list_new");
            let list = applied(new, [Attr::DType(ty.dtype), Attr::Shape(shape)], [int(0)])?;
            Some(summed(applied(op, [], [list, x])?))
        },
    },
];

fn find(op: &str) -> &'static OpDef {
    graph_runtime::ops::find(op).expect("the op is in the table")
}

/// The shape of a list with rows of this type.
fn whole(row: &TensorType) -> Attr {
    let shape = [&[ROWS], &sizes(row)[..]].concat();
    Attr::Shape(Shape::known(&shape))
}

/// A list in which one row is written, and the type of its rows.
fn written(w: &mut Writer) -> Option<(Expr, TensorType)> {
    let (row, ty) = w.of_dtype(NUMBERS);
    let shape = whole(&ty);
    let list = applied(
        find("list_new"),
        [Attr::DType(ty.dtype), shape],
        [int(ROWS)],
    )?;
    let at = w.position(ROWS);
    let list = applied(find("list_write"), [Attr::Bool(false)], [list, at, row])?;
    Some((list, ty))
}

/// The rows of a list as an array.
fn rows(list: Expr, row: &TensorType) -> Option<Expr> {
    let dims = [&[ROWS], &sizes(row)[..]].concat();
    let rows = applied(find("list_rows"), [whole(row)], [list])?;
    Some(pinned(rows, &dims))
}
