//! Gathering, and scattering what a gather's gradient adds.

use graph_ir::ops::Attrs;
use graph_ir::types::TensorType;
use graph_kernels::DType;

use super::Rules;
use super::common::{axis, from_start, rank};
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::Tensor;
use crate::tensorflow::export::writer::Writer;

pub(super) const RULES: Rules = &[
    ("gather", |w, x, a, ty| gather(w, x, a.int("axis")?, 0, ty)),
    ("batch_gather", |w, x, a, ty| {
        gather(w, x, a.int("axis")?, a.int("batch_dims")?, ty)
    }),
    ("gather_nd", gather_nd),
    ("gather_add", gather_add),
    ("unsorted_segment_sum", |w, x, a, ty| {
        segments(w, "UnsortedSegmentSum", x, a, ty)
    }),
    ("unsorted_segment_prod", |w, x, a, ty| {
        segments(w, "UnsortedSegmentProd", x, a, ty)
    }),
    ("unsorted_segment_max", |w, x, a, ty| {
        segments(w, "UnsortedSegmentMax", x, a, ty)
    }),
    ("unsorted_segment_min", |w, x, a, ty| {
        segments(w, "UnsortedSegmentMin", x, a, ty)
    }),
    ("unsorted_segment_mean", segment_mean),
];

fn gather(
    w: &mut Writer,
    x: &[Tensor],
    along: i64,
    batch: i64,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let along = w.int(axis(&x[0], along)?);
    let gather = w.op("GatherV2", &[&x[0], &x[1], &along]);
    Ok(gather
        .attr("batch_dims", attributes::int(batch))
        .gives(ty.clone()))
}

/// TensorFlow's op has no batch axes. So the positions on them become part of the indices.
fn gather_nd(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    match a.int("batch_dims")? {
        0 => Ok(w.op("GatherNd", &[&x[0], &x[1]]).gives(ty.clone())),
        n => Err(format!(
            "TensorFlow's GatherNd has no batch axes, and this one has {n}"
        )),
    }
}

/// The array with slices added: the axis is moved to the front, so that the indices are rows.
fn gather_add(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let [array, values, indices] = x else {
        return Err("it takes three operands".to_owned());
    };
    if a.int("batch_dims")? != 0 {
        return Err("TensorFlow has no op that scatters into rows of a batch".to_owned());
    }
    let along = from_start(array, a.int("axis")?)?;
    let last = w.int(-1);
    let rows = w.op("ExpandDims", &[indices, &last]).of(indices.dtype());
    let add = |w: &mut Writer, array: &Tensor, values: &Tensor| {
        w.op("TensorScatterAdd", &[array, &rows, values])
            .of(ty.dtype)
    };
    if along == 0 {
        return Ok(add(w, array, values));
    }
    let (axes, inner) = (rank(array)?, rank(indices)?);
    let front: Vec<usize> = [along]
        .into_iter()
        .chain((0..axes).filter(|axis| *axis != along))
        .collect();
    let of_values = (along..along + inner)
        .chain(0..along)
        .chain(along + inner..axes - 1 + inner);
    let of_values: Vec<i64> = of_values.map(|axis| axis as i64).collect();
    let moved = front.iter().map(|axis| *axis as i64).collect::<Vec<_>>();
    let (array, values) = (w.transpose(array, &moved), w.transpose(values, &of_values));
    let sum = add(w, &array, &values);
    let back: Vec<i64> = (0..axes)
        .filter_map(|axis| front.iter().position(|at| *at == axis))
        .map(|at| at as i64)
        .collect();
    let order = w.ints(&back);
    Ok(w.op("Transpose", &[&sum, &order]).gives(ty.clone()))
}

fn segments(
    w: &mut Writer,
    op: &str,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let count = w.int(a.int("count")?);
    Ok(w.op(op, &[&x[0], &x[1], &count]).gives(ty.clone()))
}

/// The sums over the numbers of parts; 0 for none.
fn segment_mean(
    w: &mut Writer,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let sums = segments(w, "UnsortedSegmentSum", x, a, ty)?;
    let ones = w.op("OnesLike", &[&x[0]]).like(&x[0]);
    let counts = segments(w, "UnsortedSegmentSum", &[ones, x[1].clone()], a, ty)?;
    Ok(w.op("DivNoNan", &[&sums, &counts]).gives(ty.clone()))
}

/// The positions of the slices that `UpperBound` finds for running counts.
pub(super) fn upper_bounds(w: &mut Writer, sorted: &Tensor, values: &Tensor) -> Tensor {
    let row = w.int(0);
    let sorted = w.op("ExpandDims", &[sorted, &row]).of(sorted.dtype());
    let values = w.op("ExpandDims", &[values, &row]).of(values.dtype());
    let bounds = w.op("UpperBound", &[&sorted, &values]).of(DType::I32);
    w.flat(&bounds)
}
