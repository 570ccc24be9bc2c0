//! Ops that arrange the slices of an axis in another order, or repeat them.

use graph_ir::ops::{self, OpDef};
use graph_kernels::DType;

use super::common::{self, counted, gather, slice, transpose, unsqueeze, with_number};
use super::{Use, Write, Written};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::ROLL, roll),
    (&ops::REPEAT, repeat),
    (&ops::REPEAT_EACH, repeat_each),
    (&ops::REVERSE_SEQUENCE, reverse_sequence),
];

/// The last positions of each axis in front of the others.
fn roll(u: &mut Use<'_>) -> Written {
    let axes = u.attrs.ints("axes")?;
    let shifts = u.w.cast(&u.x[1], DType::I64);
    let shifts = common::flat(u.w, &shifts);
    let mut x = u.x[0].clone();
    for (n, axis) in axes.iter().enumerate() {
        let w = &mut *u.w;
        let at = w.ints(&[n as i64]);
        let shift = gather(w, &shifts, &at, 0);
        let size = common::size(w, &u.x[0], *axis);
        let divisor = with_number(w, "Max", &size, 1.0);
        let shift = w.op("Mod", &[&shift, &divisor]).of(DType::I64);
        let middle = w.op("Sub", &[&size, &shift]).of(DType::I64);
        let [zero, end, step, axes] = [0, i64::MAX, 1, *axis].map(|n| w.ints(&[n]));
        let last = slice(w, &x, [&middle, &end, &axes, &step]);
        let first = slice(w, &x, [&zero, &middle, &axes, &step]);
        x = w
            .op("Concat", &[&last, &first])
            .int("axis", *axis)
            .of(x.dtype());
    }
    Ok(u.result("Identity", &[&x]))
}

fn repeat(u: &mut Use<'_>) -> Written {
    let (axis, count) = (u.attrs.int("axis")?, u.attrs.int("count")?);
    if count == 0 {
        // `Expand` makes nothing empty of something.
        return Ok(common::slice_axis(u.w, &u.x[0], axis, [0, 0, 1]));
    }
    let size = common::size(u.w, &u.x[0], axis);
    let positions = counted(u.w, &size);
    let positions = unsqueeze(u.w, &positions, &[1]);
    let shape = u.w.ints(&[1, count]);
    let positions = u.w.op("Expand", &[&positions, &shape]).of(DType::I64);
    let positions = common::flat(u.w, &positions);
    Ok(gather(u.w, &u.x[0], &positions, axis))
}

/// Slice i is at the positions from the sum of the counts before it: a position's slice is the number of sums up to it.
fn repeat_each(u: &mut Use<'_>) -> Written {
    let axis = u.attrs.int("axis")?;
    let w = &mut *u.w;
    let counts = w.cast(&u.x[1], DType::I64);
    let counts = with_number(w, "Max", &counts, 0.0);
    let first = w.int(0);
    let sums = w.op("CumSum", &[&counts, &first]).of(DType::I64);
    let all = w
        .op("ReduceSum", &[&counts])
        .int("keepdims", 0)
        .of(DType::I64);
    let all = common::as_vector(w, &all);
    let places = counted(w, &all);
    let places = unsqueeze(w, &places, &[1]);
    let before = w.op("LessOrEqual", &[&sums, &places]).of(DType::Bool);
    let before = w.cast(&before, DType::I64);
    let last = w.ints(&[1]);
    let positions = w
        .op("ReduceSum", &[&before, &last])
        .int("keepdims", 0)
        .of(DType::I64);
    Ok(gather(w, &u.x[0], &positions, axis))
}

/// ONNX takes the batch and the sequence as the first two axes.
fn reverse_sequence(u: &mut Use<'_>) -> Written {
    let x = u.x[0].clone();
    let (sequence, batch) = (
        x.axis(u.attrs.int("seq_axis")?)?,
        x.axis(u.attrs.int("batch_axis")?)?,
    );
    let others = (0..x.rank()?).filter(|axis| *axis != sequence && *axis != batch);
    let order: Vec<usize> = [batch, sequence].into_iter().chain(others).collect();
    let mut back = vec![0; order.len()];
    for (to, from) in order.iter().enumerate() {
        back[*from] = to;
    }
    let moved = transpose(u.w, &x, &order);
    let lengths = u.w.cast(&u.x[1], DType::I64);
    let node = u.w.op("ReverseSequence", &[&moved, &lengths]);
    let reversed = node.int("batch_axis", 0).int("time_axis", 1).of(x.dtype());
    Ok(transpose(u.w, &reversed, &back))
}
