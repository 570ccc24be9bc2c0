//! Lists of rows: one array [n, ..]. The rows of a list have no shape until the first is written; then it has seven more axes, of size 0.

use graph_ir::graph::Shape;
use graph_ir::ops::{self, OpDef};
use graph_ir::types::TensorType;
use graph_kernels::{DType, NO_SHAPE};

use super::common::{self, as_vector, gather, join, size, unsqueeze, with_number};
use super::parts::{self, Meets};
use super::{Use, Write, Written};
use crate::onnx::export::tensors::value_info;
use crate::onnx::export::writer::{Tensor, Writer};
use crate::onnx::proto::GraphProto;

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::LIST_NEW, list_new),
    (&ops::LIST_WRITE, list_write),
    (&ops::LIST_SCATTER, list_scatter),
    (&ops::LIST_EXTEND, list_extend),
    (&ops::LIST_READ, list_read),
    (&ops::LIST_SIZE, list_size),
    (&ops::LIST_ROWS, list_rows),
    (&ops::LIST_CONCAT, list_concat),
    (&ops::LIST_ADD, list_add),
];

/// What is known about a list's row shape.
enum RowShape {
    Known,
    /// None was written.
    Open,
    /// Only the run knows.
    Perhaps,
}

fn row_shape(list: &Tensor) -> RowShape {
    let row = list.dims().map(|dims| dims.get(1..).unwrap_or_default());
    let may_be = |row: &[Option<usize>]| {
        row.len() == NO_SHAPE.len() && row.iter().all(|n| n.is_none_or(|n| n == 0))
    };
    match row {
        Some(row) if *row == NO_SHAPE.map(Some) => RowShape::Open,
        Some(row) if !may_be(row) => RowShape::Known,
        _ => RowShape::Perhaps,
    }
}

/// Whether a list's rows have no shape yet: a boolean scalar.
fn is_open(w: &mut Writer, list: &Tensor) -> Tensor {
    let sizes = w.op("Shape", &[list]).of(DType::I64);
    let rank = w.op("Size", &[&sizes]).of(DType::I64);
    let long = common::compare(w, "Equal", &rank, 1.0 + NO_SHAPE.len() as f64);
    let size = w.op("Size", &[list]).of(DType::I64);
    let empty = common::compare(w, "Equal", &size, 0.0);
    w.op("And", &[&long, &empty]).of(DType::Bool)
}

/// One of two values, which is computed only if it is chosen.
fn either(
    w: &mut Writer,
    condition: &Tensor,
    ty: &TensorType,
    values: [&dyn Fn(&mut Writer) -> Tensor; 2],
) -> Tensor {
    let [then, other] = values.map(|value| {
        let (node, results) = w.inner(|w| {
            let value = value(w);
            w.as_results(&[value])
        });
        let info = |value: &Tensor| {
            value_info(
                &value.name,
                &TensorType::new(value.dtype(), Shape::unknown()),
            )
        };
        GraphProto {
            node,
            name: "rows".to_owned(),
            output: results.iter().map(info).collect(),
            ..GraphProto::default()
        }
    });
    let node = w
        .op("If", &[condition])
        .graph("then_branch", then)
        .graph("else_branch", other);
    node.give_all(&[TensorType::new(ty.dtype, Shape::unknown())])
        .swap_remove(0)
}

/// As many rows of zeros as the list has, of the shape that a vector holds.
fn zeros(w: &mut Writer, list: &Tensor, row: &Tensor) -> Tensor {
    let shape = join_count(w, list, row);
    common::zeros(w, list.dtype(), &shape)
}

fn join_count(w: &mut Writer, list: &Tensor, row: &Tensor) -> Tensor {
    let count = common::sizes_between(w, list, 0, Some(1));
    join(w, &[&count, row])
}

/// The list with rows of this shape, a vector, if it has no shape yet.
fn with_rows(w: &mut Writer, list: &Tensor, row: &Tensor) -> Tensor {
    match row_shape(list) {
        RowShape::Known => list.clone(),
        RowShape::Open => zeros(w, list, row),
        RowShape::Perhaps => {
            let open = is_open(w, list);
            either(
                w,
                &open,
                &list.ty,
                [&|w| zeros(w, list, row), &|_| list.clone()],
            )
        }
    }
}

/// The list with rows of zeros appended, so that it has at least as many as a vector of one says.
fn grown(w: &mut Writer, list: &Tensor, least: &Tensor) -> Tensor {
    let count = common::sizes_between(w, list, 0, Some(1));
    let new = w.op("Sub", &[least, &count]).of(DType::I64);
    let new = with_number(w, "Max", &new, 0.0);
    let row = common::sizes_between(w, list, 1, None);
    let shape = join(w, &[&new, &row]);
    let new = common::zeros(w, list.dtype(), &shape);
    w.op("Concat", &[list, &new])
        .int("axis", 0)
        .of(list.dtype())
}

/// The row shape that the attribute gives, if it is known.
fn given(u: &mut Use<'_>) -> Result<Option<Tensor>, String> {
    let dims = u.attrs.shape("shape")?.dims();
    let row = dims
        .and_then(|dims| dims.get(1..))
        .and_then(|row| row.iter().copied().collect::<Option<Vec<usize>>>());
    Ok(row.map(|row| {
        let row: Vec<i64> = row.iter().map(|n| *n as i64).collect();
        u.w.ints(&row)
    }))
}

fn list_new(u: &mut Use<'_>) -> Written {
    let row = match given(u)? {
        Some(row) => row,
        None => u.w.ints(&[0; NO_SHAPE.len()]),
    };
    let count = as_vector(u.w, &u.x[0]);
    let shape = join(u.w, &[&count, &row]);
    Ok(common::zeros(u.w, u.ty.dtype, &shape))
}

fn list_write(u: &mut Use<'_>) -> Written {
    let (list, row) = (&u.x[0], &u.x[2]);
    let shape = common::sizes(u.w, row);
    let mut list = with_rows(u.w, list, &shape);
    let at = as_vector(u.w, &u.x[1]);
    if u.attrs.bool("grows")? {
        let least = with_number(u.w, "Add", &at, 1.0);
        list = grown(u.w, &list, &least);
    }
    let (at, row) = (unsqueeze(u.w, &at, &[0]), unsqueeze(u.w, row, &[0]));
    Ok(u.result("ScatterND", &[&list, &at, &row]))
}

fn list_scatter(u: &mut Use<'_>) -> Written {
    let new = &u.x[2];
    let shape = common::sizes_between(u.w, new, 1, None);
    let mut list = with_rows(u.w, &u.x[0], &shape);
    let at = u.w.cast(&u.x[1], DType::I64);
    if u.attrs.bool("grows")? {
        let none = u.w.ints(&[-1]);
        let all = join(u.w, &[&none, &at]);
        let last =
            u.w.op("ReduceMax", &[&all])
                .int("keepdims", 1)
                .of(DType::I64);
        let least = with_number(u.w, "Add", &last, 1.0);
        list = grown(u.w, &list, &least);
    }
    let positions = parts::positions(u.w, &list);
    let part = gather(u.w, &positions, &at, 0);
    Ok(parts::write(u.w, &list, &part, new, Meets::Replaces))
}

fn list_extend(u: &mut Use<'_>) -> Written {
    let new = common::flat(u.w, &u.x[1]);
    let ty = u.ty.clone();
    Ok(u.w.op("Concat", &[&u.x[0], &new]).int("axis", 0).gives(ty))
}

/// A list with rows that the attribute describes, if it has none of its own.
fn readable(u: &mut Use<'_>) -> Written {
    Ok(match given(u)? {
        Some(row) => with_rows(u.w, &u.x[0], &row),
        None => u.x[0].clone(),
    })
}

fn list_read(u: &mut Use<'_>) -> Written {
    let list = readable(u)?;
    let ty = u.ty.clone();
    Ok(u.w.op("Gather", &[&list, &u.x[1]]).int("axis", 0).gives(ty))
}

fn list_size(u: &mut Use<'_>) -> Written {
    let size = size(u.w, &u.x[0], 0);
    let size = common::scalar(u.w, &size);
    Ok(u.w.cast(&size, DType::I32))
}

fn list_rows(u: &mut Use<'_>) -> Written {
    let list = readable(u)?;
    Ok(u.result("Identity", &[&list]))
}

fn list_concat(u: &mut Use<'_>) -> Written {
    let (w, x) = (&mut *u.w, &u.x[0]);
    let outer = w.op("Shape", &[x]).int("end", 2).of(DType::I64);
    let all = w
        .op("ReduceProd", &[&outer])
        .int("keepdims", 1)
        .of(DType::I64);
    let rest = common::sizes_between(w, x, 2, None);
    let shape = join(w, &[&all, &rest]);
    Ok(common::reshape(w, x, &shape))
}

/// The sum; of a list without a row shape, the other operand.
fn list_add(u: &mut Use<'_>) -> Written {
    let (w, a, b) = (&mut *u.w, &u.x[0], &u.x[1]);
    match (row_shape(a), row_shape(b)) {
        (RowShape::Open, _) => return Ok(b.clone()),
        (_, RowShape::Open) => return Ok(a.clone()),
        (RowShape::Known, RowShape::Known) => return Ok(u.result("Add", &[a, b])),
        _ => {}
    }
    let (first, second) = (is_open(w, a), is_open(w, b));
    let add = |w: &mut Writer| w.op("Add", &[a, b]).of(a.dtype());
    let unless_second = |w: &mut Writer| either(w, &second, &a.ty, [&|_| a.clone(), &add]);
    Ok(either(w, &first, &a.ty, [&|_| b.clone(), &unless_second]))
}
