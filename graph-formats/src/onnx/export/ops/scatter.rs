//! Ops that write values at arrays of positions. `ScatterND` may write them in any order; here they are written one after the other.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common::{self, counted};
use super::parts::{self, Meets};
use super::{Use, Write, Written};
use crate::onnx::export::writer::Tensor;

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::SCATTER_UPDATE, |u| scatter(u, Meets::Replaces)),
    (&ops::SCATTER_ADD, |u| scatter(u, Meets::Adds)),
    (&ops::SCATTER_SUB, scatter_sub),
    (&ops::SCATTER_MIN, |u| scatter(u, Meets::Smaller)),
    (&ops::SCATTER_MAX, |u| scatter(u, Meets::Larger)),
    (&ops::INVERT_PERMUTATION, invert_permutation),
];

fn scatter(u: &mut Use<'_>, meets: Meets) -> Written {
    let updates = u.x[2].clone();
    written(u, &updates, meets)
}

fn scatter_sub(u: &mut Use<'_>) -> Written {
    let zero = u.w.number(0.0, u.dtype());
    let negative = u.w.op("Sub", &[&zero, &u.x[2]]).of(u.x[2].dtype());
    written(u, &negative, Meets::Adds)
}

fn written(u: &mut Use<'_>, updates: &Tensor, meets: Meets) -> Written {
    let positions = parts::positions(u.w, &u.x[0]);
    let rows = u.w.cast(&u.x[1], DType::I64);
    let part = u.w.op("GatherND", &[&positions, &rows]).of(DType::I64);
    Ok(parts::write(u.w, &u.x[0], &part, updates, meets))
}

/// Position p[i] gets i.
fn invert_permutation(u: &mut Use<'_>) -> Written {
    let size = common::size(u.w, &u.x[0], 0);
    let numbers = counted(u.w, &size);
    let numbers = u.w.cast(&numbers, u.dtype());
    let ty = u.ty.clone();
    Ok(u.w
        .op("ScatterElements", &[&u.x[0], &u.x[0], &numbers])
        .int("axis", 0)
        .gives(ty))
}
