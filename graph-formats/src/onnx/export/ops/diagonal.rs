//! Diagonals of matrices.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common::{self, choose, counted, gather, join, unsqueeze, with_number};
use super::parts::{self, Meets};
use super::{Use, Write, Written};
use crate::onnx::export::writer::{Tensor, Writer};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::DIAG, diag),
    (&ops::DIAG_PART, diag_part),
    (&ops::SET_DIAG, set_diag),
    (&ops::BAND_PART, band_part),
];

/// For each place of matrices with these numbers of rows and columns, vectors of one, the number of its diagonal: [rows, columns].
fn diagonals(w: &mut Writer, rows: &Tensor, columns: &Tensor) -> Tensor {
    let (rows, columns) = (counted(w, rows), counted(w, columns));
    let rows = unsqueeze(w, &rows, &[1]);
    w.op("Sub", &[&columns, &rows]).of(DType::I64)
}

/// The values beside each other, as wide as the matrix, and zeros off the diagonal.
fn diag(u: &mut Use<'_>) -> Written {
    let diagonal = u.attrs.int("diagonal")?;
    let (w, x) = (&mut *u.w, &u.x[0]);
    let count = common::size(w, x, -1);
    let all = with_number(w, "Add", &count, diagonal.unsigned_abs() as f64);
    // Each row of the result gets the value at its number, or each column does if the diagonal is below the main one. Rows behind the last
    // value have no place on the diagonal, so any value will do for them.
    let places = counted(w, &all);
    let last = with_number(w, "Sub", &count, 1.0);
    let last = with_number(w, "Max", &last, 0.0);
    let places = w.op("Min", &[&places, &last]).of(DType::I64);
    let values = gather(w, x, &places, -1);
    let values = unsqueeze(w, &values, &[if diagonal >= 0 { -1 } else { -2 }]);
    let own = diagonals(w, &all, &all);
    let on = common::compare(w, "Equal", &own, diagonal as f64);
    let zero = default(w, x.dtype());
    Ok(choose(w, &on, &values, &zero))
}

/// The value off a diagonal: zero.
fn default(w: &mut Writer, dtype: DType) -> Tensor {
    w.constant(&graph_kernels::Array::zeros(dtype, &[]))
}

fn diag_part(u: &mut Use<'_>) -> Written {
    let diagonal = u.attrs.int("diagonal")?;
    Ok(part(u.w, &u.x[0], diagonal))
}

/// The values of a diagonal: every (columns + 1)-th of all values of the matrix.
fn part(w: &mut Writer, x: &Tensor, diagonal: i64) -> Tensor {
    let [rows, columns] = [-2, -1].map(|axis| common::size(w, x, axis));
    let (below, above) = ((-diagonal).max(0), diagonal.max(0));
    let height = with_number(w, "Sub", &rows, below as f64);
    let width = with_number(w, "Sub", &columns, above as f64);
    let count = w.op("Min", &[&height, &width]).of(DType::I64);
    let count = with_number(w, "Max", &count, 0.0);
    let start = with_number(w, "Mul", &columns, below as f64);
    let start = with_number(w, "Add", &start, above as f64);
    let step = with_number(w, "Add", &columns, 1.0);
    let numbers = counted(w, &count);
    let places = w.op("Mul", &[&numbers, &step]).of(DType::I64);
    let places = w.op("Add", &[&places, &start]).of(DType::I64);
    let shape = w.op("Shape", &[x]).int("end", -2).of(DType::I64);
    let size = w.op("Mul", &[&rows, &columns]).of(DType::I64);
    let shape = join(w, &[&shape, &size]);
    let values = common::reshape(w, x, &shape);
    gather(w, &values, &places, -1)
}

fn set_diag(u: &mut Use<'_>) -> Written {
    let diagonal = u.attrs.int("diagonal")?;
    let positions = parts::positions(u.w, &u.x[0]);
    let part = part(u.w, &positions, diagonal);
    Ok(parts::write(u.w, &u.x[0], &part, &u.x[1], Meets::Replaces))
}

fn band_part(u: &mut Use<'_>) -> Written {
    let (low, high) = (u.attrs.int("low")?, u.attrs.int("high")?);
    let (w, x) = (&mut *u.w, &u.x[0]);
    let [rows, columns] = [-2, -1].map(|axis| common::size(w, x, axis));
    let own = diagonals(w, &rows, &columns);
    let (low, high) = (w.int(low), w.int(high));
    let above = w.op("GreaterOrEqual", &[&own, &low]).of(DType::Bool);
    let below = w.op("LessOrEqual", &[&own, &high]).of(DType::Bool);
    let inside = w.op("And", &[&above, &below]).of(DType::Bool);
    let zero = default(w, x.dtype());
    Ok(choose(w, &inside, x, &zero))
}
