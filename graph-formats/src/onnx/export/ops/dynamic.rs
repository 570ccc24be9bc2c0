//! Ops with shapes as operands.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common::{self, compare, join};
use super::{Use, Write, Written};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::RESHAPE_TO, reshape_to),
    (&ops::FILL_TO, |u| by_shape(u, "Expand")),
    (&ops::BROADCAST_AS, |u| by_shape(u, "Expand")),
    (&ops::TILE_BY, |u| by_shape(u, "Tile")),
    (&ops::SUM_TO, sum_to),
];

/// In a shape with a -1, 0 isn't a size in ONNX; so such an array must not be empty there.
fn reshape_to(u: &mut Use<'_>) -> Written {
    let (shape, ty) = (u.w.cast(&u.x[1], DType::I64), u.ty.clone());
    Ok(u.w
        .op("Reshape", &[&u.x[0], &shape])
        .int("allowzero", 1)
        .gives(ty))
}

fn by_shape(u: &mut Use<'_>, operator: &str) -> Written {
    let shape = u.w.cast(&u.x[1], DType::I64);
    Ok(u.result(operator, &[&u.x[0], &shape]))
}

/// The sum over the axes whose size is to be 1, those in front that are to go included; then the shape itself.
fn sum_to(u: &mut Use<'_>) -> Written {
    let (x, target) = (u.x[0].clone(), u.w.cast(&u.x[1], DType::I64));
    let rank = common::sizes(u.w, &x);
    let [rank, kept] = [&rank, &target].map(|sizes| u.w.op("Size", &[sizes]).of(DType::I64));
    let new = u.w.op("Sub", &[&rank, &kept]).of(DType::I64);
    let new = common::as_vector(u.w, &new);
    let ones = common::filled(u.w, 1.0, DType::I64, &new);
    let padded = join(u.w, &[&ones, &target]);
    let summed = compare(u.w, "Equal", &padded, 1.0);
    let axes = u.w.op("NonZero", &[&summed]).of(DType::I64);
    let axes = common::flat(u.w, &axes);
    let sum = u.w.op("ReduceSum", &[&x, &axes]).int("keepdims", 1);
    let sum = sum.int("noop_with_empty_axes", 1).of(x.dtype());
    Ok(common::reshape(u.w, &sum, &target))
}
