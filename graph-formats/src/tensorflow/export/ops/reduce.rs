//! Reductions, running sums, softmax and losses.

use graph_ir::ops::Attrs;
use graph_ir::types::{Shape, TensorType};
use graph_kernels::DType;

use super::Rules;
use super::common::axis;
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::{Tensor, ValueInfo};
use crate::tensorflow::export::writer::Writer;

pub(super) const RULES: Rules = &[
    ("reduce_sum", |w, x, a, ty| reduce(w, "Sum", x, a, ty)),
    ("reduce_prod", |w, x, a, ty| reduce(w, "Prod", x, a, ty)),
    ("reduce_mean", |w, x, a, ty| reduce(w, "Mean", x, a, ty)),
    ("reduce_max", |w, x, a, ty| reduce(w, "Max", x, a, ty)),
    ("reduce_min", |w, x, a, ty| reduce(w, "Min", x, a, ty)),
    ("reduce_any", |w, x, a, ty| reduce(w, "Any", x, a, ty)),
    ("reduce_all", |w, x, a, ty| reduce(w, "All", x, a, ty)),
    ("argmax", |w, x, a, ty| best(w, "ArgMax", x, a, ty)),
    ("argmin", |w, x, a, ty| best(w, "ArgMin", x, a, ty)),
    ("cumsum", |w, x, a, ty| running(w, "Cumsum", x, a, ty)),
    ("cumprod", |w, x, a, ty| running(w, "Cumprod", x, a, ty)),
    ("softmax", |w, x, a, ty| normalized(w, "Softmax", x, a, ty)),
    ("log_softmax", |w, x, a, ty| {
        normalized(w, "LogSoftmax", x, a, ty)
    }),
    (
        "sparse_softmax_cross_entropy_with_logits",
        sparse_cross_entropy,
    ),
];

fn reduce(
    w: &mut Writer,
    op: &str,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let axes = a.ints("axes")?;
    let axes = match (axes, x[0].rank()) {
        ([], Some(rank)) => w.ints(&(0..rank as i64).collect::<Vec<_>>()),
        ([], None) => {
            let rank = w.op("Rank", &[&x[0]]).of(DType::I32);
            let (start, step) = (w.int(0), w.int(1));
            w.op("Range", &[&start, &rank, &step]).of(DType::I32)
        }
        (axes, _) => w.ints(axes),
    };
    let keep = attributes::bool(a.bool("keep_dims")?);
    Ok(w.op(op, &[&x[0], &axes])
        .attr("keep_dims", keep)
        .gives(ty.clone()))
}

fn best(
    w: &mut Writer,
    op: &str,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let along = w.int(axis(&x[0], a.int("axis")?)?);
    Ok(w.op(op, &[&x[0], &along]).gives(ty.clone()))
}

fn running(
    w: &mut Writer,
    op: &str,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let along = w.int(axis(&x[0], a.int("axis")?)?);
    let [exclusive, reverse] = [a.bool("exclusive")?, a.bool("reverse")?].map(attributes::bool);
    let sum = w.op(op, &[&x[0], &along]).attr("exclusive", exclusive);
    Ok(sum.attr("reverse", reverse).gives(ty.clone()))
}

fn normalized(
    w: &mut Writer,
    op: &str,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    // TensorFlow's op wants at least one axis, and takes the last.
    w.along_last(&x[0], a.int("axis")?, |w, x| {
        let result = w.op(op, &[x]);
        Ok(result.gives(TensorType::new(ty.dtype, x.info.ty.shape.clone())))
    })
}

/// TensorFlow's op takes a matrix of logits and a vector of labels.
fn sparse_cross_entropy(
    w: &mut Writer,
    x: &[Tensor],
    _: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let infos = |dims: Shape| {
        let loss = ValueInfo::tensor(TensorType::new(ty.dtype, dims));
        [loss.clone(), loss]
    };
    const OP: &str = "SparseSoftmaxCrossEntropyWithLogits";
    if x[1].rank() == Some(2) {
        let losses = w.op(OP, &[&x[1], &x[0]]).give(&infos(ty.shape.clone()));
        return losses.into_iter().next().ok_or_else(String::new);
    }
    let classes = w.axis_size(&x[1], -1);
    let all = w.int(-1);
    let rows = w.packed(&[all, classes]);
    let (logits, labels) = (w.reshape(&x[1], &rows), w.flat(&x[0]));
    let losses = w
        .op(OP, &[&logits, &labels])
        .give(&infos(Shape::of([None])));
    let shape = w.shape(&x[0]);
    let loss = losses.first().ok_or_else(String::new)?;
    Ok(w.op("Reshape", &[loss, &shape]).gives(ty.clone()))
}
