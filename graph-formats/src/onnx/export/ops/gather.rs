//! Ops that take values by arrays of positions.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common::{self, transpose, unsqueeze};
use super::parts::{self, Meets};
use super::{Use, Write, Written};
use crate::onnx::export::writer::{Tensor, Writer};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::GATHER, gather),
    (&ops::BATCH_GATHER, batch_gather),
    (&ops::GATHER_ND, gather_nd),
    (&ops::TAKE_ALONG_AXIS, take_along_axis),
    (&ops::NONZERO, nonzero),
    (&ops::GATHER_ADD, gather_add),
    (&ops::ADD_ALONG_AXIS, add_along_axis),
];

fn gather(u: &mut Use<'_>) -> Written {
    let (axis, ty) = (u.attrs.int("axis")?, u.ty.clone());
    Ok(u.w
        .op("Gather", &[&u.x[0], &u.x[1]])
        .int("axis", axis)
        .gives(ty))
}

fn batch_gather(u: &mut Use<'_>) -> Written {
    let (axis, batch) = (u.attrs.int("axis")?, u.attrs.int("batch_dims")?);
    gathered(u.w, &u.x[0], &u.x[1], [axis, batch])
}

/// `GatherND` gathers along the first axis after those of the batch. So the axis is moved there, and what stood before it, in front again.
fn gathered(w: &mut Writer, x: &Tensor, positions: &Tensor, [axis, batch]: [i64; 2]) -> Written {
    if batch == 0 {
        return Ok(common::gather(w, x, positions, axis));
    }
    let (axis, count, rank) = (x.axis(axis)?, positions.rank()?, x.rank()?);
    let batch = graph_kernels::batch_axes(batch, axis, count).map_err(|error| error.to_string())?;
    let order: Vec<usize> = (0..batch)
        .chain([axis])
        .chain(batch..axis)
        .chain(axis + 1..rank)
        .collect();
    let moved = transpose(w, x, &order);
    let rows = w.cast(positions, DType::I64);
    let rows = unsqueeze(w, &rows, &[-1]);
    let found = w
        .op("GatherND", &[&moved, &rows])
        .int("batch_dims", batch as i64)
        .of(x.dtype());
    let (own, before) = (count - batch, axis - batch);
    let after = batch + own + before..own + rank - 1;
    let order: Vec<usize> = (0..batch)
        .chain(batch + own..batch + own + before)
        .chain(batch..batch + own)
        .chain(after)
        .collect();
    Ok(transpose(w, &found, &order))
}

fn gather_nd(u: &mut Use<'_>) -> Written {
    let (batch, ty) = (u.attrs.int("batch_dims")?, u.ty.clone());
    let positions = u.w.cast(&u.x[1], DType::I64);
    Ok(u.w
        .op("GatherND", &[&u.x[0], &positions])
        .int("batch_dims", batch)
        .gives(ty))
}

fn take_along_axis(u: &mut Use<'_>) -> Written {
    let axis = u.axis()?;
    along(u.w, &u.x[0], &u.x[1], axis)
}

/// `GatherElements`, after both operands have the same sizes but for the axis.
fn along(w: &mut Writer, x: &Tensor, positions: &Tensor, axis: usize) -> Written {
    let fits = match (x.dims(), positions.dims()) {
        (Some(x), Some(positions)) if x.len() == positions.len() => {
            let mut pairs = x.iter().zip(positions).enumerate();
            pairs.all(|(n, (a, b))| n == axis || a.is_some() && a == b)
        }
        _ => false,
    };
    let (mut x, mut positions) = (x.clone(), w.cast(positions, DType::I64));
    if !fits {
        let [of_x, of_positions] = [&x, &positions].map(|value| {
            let before = common::sizes_between(w, value, 0, Some(axis));
            let (one, after) = (
                w.ints(&[1]),
                common::sizes_between(w, value, axis + 1, None),
            );
            common::join(w, &[&before, &one, &after])
        });
        x = w.op("Expand", &[&x, &of_positions]).of(x.dtype());
        positions = w.op("Expand", &[&positions, &of_x]).of(DType::I64);
    }
    let node = w.op("GatherElements", &[&x, &positions]);
    Ok(node.int("axis", axis as i64).of(x.dtype()))
}

/// `NonZero` gives a row for each axis.
fn nonzero(u: &mut Use<'_>) -> Written {
    if u.dtype() == DType::Str {
        return Err("`NonZero` takes no strings".to_owned());
    }
    if u.x[0].ty.shape.rank() == Some(0) {
        return Err("a scalar has no positions in ONNX".to_owned());
    }
    let x = u.w.cast(&u.x[0], DType::Bool);
    let rows = u.w.op("NonZero", &[&x]).of(DType::I64);
    Ok(u.w
        .op("Transpose", &[&rows])
        .ints("perm", &[1, 0])
        .of(DType::I64))
}

/// The values that are gathered get the slices added, in order.
fn gather_add(u: &mut Use<'_>) -> Written {
    let (axis, batch) = (u.attrs.int("axis")?, u.attrs.int("batch_dims")?);
    let positions = parts::positions(u.w, &u.x[0]);
    let part = gathered(u.w, &positions, &u.x[2], [axis, batch])?;
    Ok(parts::write(u.w, &u.x[0], &part, &u.x[1], Meets::Adds))
}

fn add_along_axis(u: &mut Use<'_>) -> Written {
    let axis = u.axis()?;
    let positions = parts::positions(u.w, &u.x[0]);
    let part = along(u.w, &positions, &u.x[1], axis)?;
    Ok(parts::write(u.w, &u.x[0], &part, &u.x[2], Meets::Adds))
}
