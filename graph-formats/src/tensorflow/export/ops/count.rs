//! Counting numbers, and finding distinct values.

use graph_ir::ops::Attrs;
use graph_ir::types::{Shape, TensorType};
use graph_kernels::{Array, DType};

use super::Rules;
use crate::tensorflow::export::body::{Tensor, ValueInfo};
use crate::tensorflow::export::writer::Writer;

pub(super) const RULES: Rules = &[
    ("bincount", |w, x, a, ty| {
        let none = Tensor::constant(Array::zeros(DType::I32, &[0]));
        bins(w, &x[0], &none, a, ty)
    }),
    ("weighted_bincount", |w, x, a, ty| {
        bins(w, &x[0], &x[1], a, ty)
    }),
    ("unique", |w, x, _, _| Ok(unique(w, &x[0])[0].clone())),
    ("unique_index", |w, x, _, _| Ok(unique(w, &x[0])[1].clone())),
];

/// The number of bins is one more than the largest number, at least `min` and at most `max`, if that isn't negative.
fn bins(
    w: &mut Writer,
    x: &Tensor,
    weights: &Tensor,
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let numbers = w.cast(x, DType::I32);
    let numbers = w.flat(&numbers);
    let weights = w.flat(weights);
    let (none, axis, one) = (w.ints(&[-1]), w.int(0), w.int(1));
    let at_least = w.joined(&[numbers.clone(), none]);
    let largest = w.op("Max", &[&at_least, &axis]).of(DType::I32);
    let count = w.binary("AddV2", &largest, &one);
    let min = w.int(a.int("min")?.max(0));
    let mut count = w.binary("Maximum", &count, &min);
    if a.int("max")? >= 0 {
        let max = w.int(a.int("max")?);
        count = w.binary("Minimum", &count, &max);
    }
    Ok(w.op("Bincount", &[&numbers, &count, &weights])
        .gives(ty.clone()))
}

/// The distinct values, and the position of each value among them.
fn unique(w: &mut Writer, x: &Tensor) -> [Tensor; 2] {
    let vector = |dtype| ValueInfo::tensor(TensorType::new(dtype, Shape::of([None])));
    let results = w
        .op("Unique", &[x])
        .give(&[vector(x.dtype()), vector(DType::I32)]);
    let mut results = results.into_iter();
    [(); 2].map(|()| results.next().unwrap_or_else(|| x.clone()))
}
