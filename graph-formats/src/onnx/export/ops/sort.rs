//! Sorting and searching. `TopK` of all values sorts, and of equal values it takes the lower position first, as the ops here do.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common::{self, ordered, unordered, unsqueeze};
use super::{Use, Write, Written};
use crate::onnx::export::kernels::computed_as;
use crate::onnx::export::writer::{Tensor, Writer};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::SORT, sort),
    (&ops::ARGSORT, argsort),
    (&ops::TOP_K, top_k),
    (&ops::SEARCHSORTED, searchsorted),
];

/// The first values in order, and their positions.
fn first(w: &mut Writer, x: &Tensor, count: &Tensor, axis: i64, descending: bool) -> [Tensor; 2] {
    let x = ordered(w, x);
    let x = w.cast(&x, computed_as("TopK", x.dtype()));
    let node = w.op("TopK", &[&x, count]).int("axis", axis);
    let node = node.int("largest", i64::from(descending)).int("sorted", 1);
    let shape = graph_ir::types::Shape::unknown;
    let types =
        [x.dtype(), DType::I64].map(|dtype| graph_ir::types::TensorType::new(dtype, shape()));
    let mut outputs = node.give_all(&types);
    let positions = outputs.swap_remove(1);
    [outputs.swap_remove(0), positions]
}

fn sorted(u: &mut Use<'_>) -> Result<[Tensor; 2], String> {
    if u.dtype() == DType::Str {
        return Err("`TopK` takes no strings".to_owned());
    }
    let (axis, descending) = (u.attrs.int("axis")?, u.attrs.bool("descending")?);
    let count = common::size(u.w, &u.x[0], axis);
    Ok(first(u.w, &u.x[0], &count, axis, descending))
}

fn sort(u: &mut Use<'_>) -> Written {
    let [values, _] = sorted(u)?;
    let values = unordered(u.w, &values, u.ty.dtype);
    Ok(u.w.cast(&values, u.ty.dtype))
}

fn argsort(u: &mut Use<'_>) -> Written {
    let [_, positions] = sorted(u)?;
    Ok(u.w.cast(&positions, DType::I32))
}

fn top_k(u: &mut Use<'_>) -> Written {
    let count = u.w.ints(&[u.attrs.int("k")?]);
    let [_, positions] = first(u.w, &u.x[0], &count, -1, true);
    Ok(u.w.cast(&positions, DType::I32))
}

/// The number of values in the sorted row that come before.
fn searchsorted(u: &mut Use<'_>) -> Written {
    let operator = if u.attrs.bool("right")? {
        "LessOrEqual"
    } else {
        "Less"
    };
    let sorted = unsqueeze(u.w, &u.x[0], &[-2]);
    let values = unsqueeze(u.w, &u.x[1], &[-1]);
    let before = u.w.op(operator, &[&sorted, &values]).of(DType::Bool);
    let before = u.w.cast(&before, DType::I32);
    let last = u.w.ints(&[-1]);
    Ok(u.w
        .op("ReduceSum", &[&before, &last])
        .int("keepdims", 0)
        .of(DType::I32))
}
