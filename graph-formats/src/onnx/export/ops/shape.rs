//! Ops that change shapes, join arrays, and ask for shapes.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common;
use super::{Use, Write, Written};
use crate::onnx::export::writer::Tensor;

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::RESHAPE, reshape),
    (&ops::RELAX_SHAPE, same),
    (&ops::STOP_GRADIENT, same),
    (&ops::AFTER, same),
    (&ops::TRANSPOSE, transpose),
    (&ops::EXPAND_DIMS, expand_dims),
    (&ops::SQUEEZE, squeeze),
    (&ops::CONCAT, concat),
    (&ops::STACK, stack),
    (&ops::BROADCAST_TO, broadcast_to),
    (&ops::TILE, tile),
    (&ops::SHAPE_OF, shape_of),
    (&ops::SIZE_OF, size_of),
    (&ops::RANK_OF, rank_of),
    (&ops::ONE_VALUE, one_value),
];

/// The values themselves: what the op checks or orders here, a model doesn't say.
fn same(u: &mut Use<'_>) -> Written {
    Ok(u.result("Identity", &[&u.x[0]]))
}

/// `allowzero` says that 0 is a size; then ONNX allows no -1, but the sizes are known.
fn reshape(u: &mut Use<'_>) -> Written {
    let mut sizes = u.attrs.ints("shape")?.to_vec();
    if sizes.contains(&0) {
        for (axis, size) in sizes.iter_mut().enumerate().filter(|(_, size)| **size < 0) {
            let known = u.ty.shape.get(axis);
            *size = known.ok_or("the size of an axis beside one of size 0 isn't known")? as i64;
        }
    }
    let zero = i64::from(sizes.contains(&0));
    let (sizes, ty) = (u.w.ints(&sizes), u.ty.clone());
    Ok(u.w
        .op("Reshape", &[&u.x[0], &sizes])
        .int("allowzero", zero)
        .gives(ty))
}

fn transpose(u: &mut Use<'_>) -> Written {
    let perm = u.attrs.ints("perm")?;
    if perm.is_empty() {
        return same(u);
    }
    let axes: Result<Vec<i64>, String> = perm
        .iter()
        .map(|axis| match *axis {
            negative if negative < 0 => Ok(negative + perm.len() as i64),
            axis => Ok(axis),
        })
        .collect();
    let (axes, ty) = (axes?, u.ty.clone());
    Ok(u.w
        .op("Transpose", &[&u.x[0]])
        .ints("perm", &axes)
        .gives(ty))
}

fn expand_dims(u: &mut Use<'_>) -> Written {
    let axis = u.w.ints(&[u.attrs.int("axis")?]);
    Ok(u.result("Unsqueeze", &[&u.x[0], &axis]))
}

fn squeeze(u: &mut Use<'_>) -> Written {
    let axes = u.attrs.ints("axes")?;
    if axes.is_empty() {
        return Ok(u.result("Squeeze", &[&u.x[0]]));
    }
    let axes = u.w.ints(axes);
    Ok(u.result("Squeeze", &[&u.x[0], &axes]))
}

fn concat(u: &mut Use<'_>) -> Written {
    let (axis, ty) = (u.attrs.int("axis")?, u.ty.clone());
    let parts: Vec<&Tensor> = u.x.iter().collect();
    Ok(u.w.op("Concat", &parts).int("axis", axis).gives(ty))
}

fn stack(u: &mut Use<'_>) -> Written {
    let (axis, ty) = (u.attrs.int("axis")?, u.ty.clone());
    let parts: Vec<Tensor> =
        u.x.iter()
            .map(|x| common::unsqueeze(u.w, x, &[axis]))
            .collect();
    let parts: Vec<&Tensor> = parts.iter().collect();
    Ok(u.w.op("Concat", &parts).int("axis", axis).gives(ty))
}

fn broadcast_to(u: &mut Use<'_>) -> Written {
    let shape = u.w.ints(u.attrs.ints("shape")?);
    Ok(u.result("Expand", &[&u.x[0], &shape]))
}

fn tile(u: &mut Use<'_>) -> Written {
    let multiples = u.w.ints(u.attrs.ints("multiples")?);
    Ok(u.result("Tile", &[&u.x[0], &multiples]))
}

fn shape_of(u: &mut Use<'_>) -> Written {
    let sizes = common::sizes(u.w, &u.x[0]);
    Ok(u.w.cast(&sizes, DType::I32))
}

fn size_of(u: &mut Use<'_>) -> Written {
    let size = u.w.op("Size", &[&u.x[0]]).of(DType::I64);
    Ok(u.w.cast(&size, DType::I32))
}

fn rank_of(u: &mut Use<'_>) -> Written {
    if let Some(rank) = u.x[0].ty.shape.rank() {
        return Ok(u.w.number(rank as f64, DType::I32));
    }
    let sizes = u.w.op("Shape", &[&u.x[0]]).of(DType::I64);
    let rank = u.w.op("Size", &[&sizes]).of(DType::I64);
    Ok(u.w.cast(&rank, DType::I32))
}

/// Fails there as well, with the runtime's message, if there isn't exactly one value.
fn one_value(u: &mut Use<'_>) -> Written {
    let shape = u.w.ints(&[]);
    Ok(u.result("Reshape", &[&u.x[0], &shape]))
}
