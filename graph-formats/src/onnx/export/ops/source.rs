//! Ops that make arrays from a few numbers.

use graph_ir::ops::{self, OpDef};
use graph_kernels::{Array, DType};

use super::common::{self, numbers};
use super::{Use, Write, Written};

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::RANGE, range),
    (&ops::FILL, fill),
    (&ops::LINSPACE, linspace),
    (&ops::EYE, eye),
    (&ops::UNDEFINED, undefined),
];

fn range(u: &mut Use<'_>) -> Written {
    Ok(u.result("Range", &[&u.x[0], &u.x[1], &u.x[2]]))
}

fn fill(u: &mut Use<'_>) -> Written {
    let shape = u.w.ints(u.attrs.ints("shape")?);
    Ok(u.result("Expand", &[&u.x[0], &shape]))
}

/// start + n step, and the end itself as the last value.
fn linspace(u: &mut Use<'_>) -> Written {
    let count = u.attrs.int("count")?;
    let steps = count - 1;
    let dtype = u.dtype();
    let one = u.w.ints(&[1]);
    let [start, stop] = [0, 1].map(|n| u.w.op("Reshape", &[&u.x[n], &one]).of(dtype));
    let first = u.w.converted(
        &Array::new(&[steps.max(0) as usize], (0..steps.max(0)).collect()),
        dtype,
    );
    if steps < 1 {
        let count = u.w.ints(&[count]);
        return Ok(u.result("Expand", &[&u.x[0], &count]));
    }
    let distance = u.w.op("Sub", &[&stop, &start]).of(dtype);
    let step = common::with_number(u.w, "Div", &distance, steps as f64);
    let moved = u.w.op("Mul", &[&first, &step]).of(dtype);
    let values = u.w.op("Add", &[&start, &moved]).of(dtype);
    let ty = u.ty.clone();
    Ok(u.w.op("Concat", &[&values, &stop]).int("axis", 0).gives(ty))
}

fn eye(u: &mut Use<'_>) -> Written {
    let [rows, columns] = ["rows", "cols"].map(|name| u.attrs.int(name));
    let [rows, columns] = [rows?, columns?].map(|n| n.max(0) as usize);
    let (down, right) = (
        numbers(u.w, rows, &[rows, 1]),
        numbers(u.w, columns, &[columns]),
    );
    let own = u.w.op("Equal", &[&down, &right]).of(DType::Bool);
    Ok(u.w.cast(&own, u.ty.dtype))
}

/// An empty array of the type's rank: nobody reads it.
fn undefined(u: &mut Use<'_>) -> Written {
    let shape = vec![0; u.ty.shape.rank().unwrap_or(1)];
    Ok(u.w.constant(&Array::zeros(u.ty.dtype, &shape)))
}
