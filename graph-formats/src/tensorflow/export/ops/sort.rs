//! Sorting, by `TopKV2`, which sorts the last axis from the largest value to the smallest.

use graph_ir::ops::Attrs;
use graph_ir::types::{Shape, TensorType};
use graph_kernels::DType;

use super::Rules;
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::{Tensor, ValueInfo};
use crate::tensorflow::export::writer::Writer;

pub(super) const RULES: Rules = &[
    ("sort", sort),
    ("argsort", argsort),
    ("top_k", top_k),
    ("searchsorted", searchsorted),
];

/// The values and indices of the k largest.
fn largest(w: &mut Writer, x: &Tensor, k: &Tensor) -> [Tensor; 2] {
    let unknown = |dtype| {
        ValueInfo::tensor(TensorType::new(
            dtype,
            Shape::of(vec![None; x.rank().unwrap_or(1)]),
        ))
    };
    let infos = [unknown(x.dtype()), unknown(DType::I32)];
    let top = w
        .op("TopKV2", &[x, k])
        .attr("sorted", attributes::bool(true))
        .give(&infos);
    let mut top = top.into_iter();
    [(); 2].map(|()| top.next().unwrap_or_else(|| x.clone()))
}

/// What has the opposite order. The lowest integer has no negative, but the bits of each integer have a complement.
fn reversed(w: &mut Writer, x: &Tensor) -> Tensor {
    match x.dtype().is_float() {
        true => w.op("Neg", &[x]).like(x),
        false => w.op("Invert", &[x]).like(x),
    }
}

fn sort(w: &mut Writer, x: &[Tensor], a: &Attrs, _: &TensorType) -> Result<Tensor, String> {
    let descending = a.bool("descending")?;
    w.along_last(&x[0], a.int("axis")?, |w, x| {
        let size = w.axis_size(x, -1);
        if descending {
            return Ok(largest(w, x, &size)[0].clone());
        }
        let keys = reversed(w, x);
        let [sorted, _] = largest(w, &keys, &size);
        Ok(reversed(w, &sorted))
    })
}

fn argsort(w: &mut Writer, x: &[Tensor], a: &Attrs, _: &TensorType) -> Result<Tensor, String> {
    let descending = a.bool("descending")?;
    w.along_last(&x[0], a.int("axis")?, |w, x| {
        let size = w.axis_size(x, -1);
        let keys = if descending {
            x.clone()
        } else {
            reversed(w, x)
        };
        let [_, indices] = largest(w, &keys, &size);
        Ok(indices)
    })
}

fn top_k(w: &mut Writer, x: &[Tensor], a: &Attrs, _: &TensorType) -> Result<Tensor, String> {
    let k = w.int(a.int("k")?);
    let [_, indices] = largest(w, &x[0], &k);
    Ok(indices)
}

/// TensorFlow's ops take matrices.
fn searchsorted(
    w: &mut Writer,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let op = if a.bool("right")? {
        "UpperBound"
    } else {
        "LowerBound"
    };
    if x.iter().all(|x| x.rank() == Some(2)) {
        return Ok(w.op(op, &[&x[0], &x[1]]).gives(ty.clone()));
    }
    let mut rows = |x: &Tensor| {
        let (all, size) = (w.int(-1), w.axis_size(x, -1));
        let shape = w.packed(&[all, size]);
        w.reshape(x, &shape)
    };
    let (sorted, values) = (rows(&x[0]), rows(&x[1]));
    let found = w.op(op, &[&sorted, &values]).of(DType::I32);
    let shape = w.shape(&x[1]);
    Ok(w.op("Reshape", &[&found, &shape]).gives(ty.clone()))
}
