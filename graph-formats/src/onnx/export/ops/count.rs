//! Counts of values, and distinct values.

use graph_ir::ops::{self, OpDef};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::DType;

use super::common::{self, choose, counted, unsqueeze, with_number};
use super::{Use, Write, Written};
use crate::onnx::export::kernels::computed_as;
use crate::onnx::export::writer::Tensor;

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::BINCOUNT, bincount),
    (&ops::WEIGHTED_BINCOUNT, weighted_bincount),
    (&ops::UNIQUE, unique),
    (&ops::UNIQUE_INDEX, unique_index),
];

/// For each value and each number that is counted, whether they are equal: [size, numbers].
fn is_counted(u: &mut Use<'_>) -> Written {
    let (least, most) = (u.attrs.int("min")?, u.attrs.int("max")?);
    let w = &mut *u.w;
    let x = w.cast(&u.x[0], DType::I64);
    let x = common::flat(w, &x);
    // The largest of nothing is -1.
    let none = w.ints(&[-1]);
    let some = common::join(w, &[&x, &none]);
    let largest = w
        .op("ReduceMax", &[&some])
        .int("keepdims", 1)
        .of(DType::I64);
    let one = w.ints(&[1]);
    let mut count = w.op("Add", &[&largest, &one]).of(DType::I64);
    count = with_number(w, "Max", &count, least as f64);
    if most >= 0 {
        count = with_number(w, "Min", &count, most as f64);
    }
    let numbers = counted(w, &count);
    let x = unsqueeze(w, &x, &[1]);
    Ok(w.op("Equal", &[&x, &numbers]).of(DType::Bool))
}

fn summed(u: &mut Use<'_>, values: &Tensor) -> Tensor {
    let first = u.w.ints(&[0]);
    let ty = u.ty.clone();
    u.w.op("ReduceSum", &[values, &first])
        .int("keepdims", 0)
        .gives(ty)
}

fn bincount(u: &mut Use<'_>) -> Written {
    let counted = is_counted(u)?;
    let counted = u.w.cast(&counted, DType::I32);
    Ok(summed(u, &counted))
}

fn weighted_bincount(u: &mut Use<'_>) -> Written {
    let counted = is_counted(u)?;
    let weights = common::flat(u.w, &u.x[1]);
    let weights = unsqueeze(u.w, &weights, &[1]);
    let zero = u.w.number(0.0, weights.dtype());
    let weights = choose(u.w, &counted, &weights, &zero);
    Ok(summed(u, &weights))
}

/// The distinct values, and for each value of the operand its position among them.
fn distinct(u: &mut Use<'_>) -> [Tensor; 2] {
    let x = &u.x[0];
    let x = u.w.cast(x, computed_as("Unique", x.dtype()));
    let types =
        [x.dtype(), DType::I64, DType::I64].map(|dtype| TensorType::new(dtype, Shape::unknown()));
    let node = u.w.op("Unique", &[&x]).int("sorted", 0);
    let mut outputs = node.give_all(&types);
    let positions = outputs.swap_remove(2);
    [outputs.swap_remove(0), positions]
}

fn unique(u: &mut Use<'_>) -> Written {
    let [values, _] = distinct(u);
    Ok(u.w.cast(&values, u.ty.dtype))
}

fn unique_index(u: &mut Use<'_>) -> Written {
    let [_, positions] = distinct(u);
    Ok(u.w.cast(&positions, DType::I32))
}
