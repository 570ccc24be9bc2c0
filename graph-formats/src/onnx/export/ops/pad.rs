//! Padding.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common::{self, slice_axis};
use super::{Use, Write, Written};
use crate::onnx::export::writer::Tensor;

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::PAD, pad),
    (&ops::MIRROR_PAD, mirror_pad),
    (&ops::PAD_BY, pad_by),
];

fn padded(u: &mut Use<'_>, pads: &Tensor) -> Written {
    if u.dtype() == DType::Str {
        return Err("`Pad` takes no strings".to_owned());
    }
    Ok(u.result("Pad", &[&u.x[0], pads, &u.x[1]]))
}

/// The paddings before each axis, then those after each.
fn pad(u: &mut Use<'_>) -> Written {
    let pads = [u.attrs.ints("before")?, u.attrs.ints("after")?].concat();
    if pads.is_empty() {
        return Ok(u.result("Identity", &[&u.x[0]]));
    }
    let pads = u.w.ints(&pads);
    padded(u, &pads)
}

fn pad_by(u: &mut Use<'_>) -> Written {
    if u.x[0].ty.shape.rank() == Some(0) {
        return Ok(u.result("Identity", &[&u.x[0]]));
    }
    let pads = u.w.cast(&u.x[2], DType::I64);
    let pads =
        u.w.op("Transpose", &[&pads])
            .ints("perm", &[1, 0])
            .of(DType::I64);
    let pads = common::flat(u.w, &pads);
    padded(u, &pads)
}

/// ONNX has no mirror with the border, so both modes join slices of negative step.
fn mirror_pad(u: &mut Use<'_>) -> Written {
    let (before, after) = (u.attrs.ints("before")?, u.attrs.ints("after")?);
    // How many values at the border aren't repeated.
    let border = i64::from(u.attrs.text("mode")? == "reflect");
    let mut x = u.x[0].clone();
    for (axis, (before, after)) in before.iter().zip(after).enumerate() {
        let axis = axis as i64;
        let mut parts = Vec::new();
        if *before > 0 {
            // The values before the first position, which has no name, are those down to the border.
            let end = if border == 0 { i64::MIN } else { 0 };
            parts.push(slice_axis(u.w, &x, axis, [before - 1 + border, end, -1]));
        }
        parts.push(x.clone());
        if *after > 0 {
            parts.push(slice_axis(
                u.w,
                &x,
                axis,
                [-1 - border, -1 - border - after, -1],
            ));
        }
        if parts.len() > 1 {
            let parts: Vec<&Tensor> = parts.iter().collect();
            x = u.w.op("Concat", &parts).int("axis", axis).of(x.dtype());
        }
    }
    Ok(u.result("Identity", &[&x]))
}
