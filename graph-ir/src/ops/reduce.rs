//! Reductions, and ops that run along one axis.

use graph_kernels::{self as kernels, DType, Running};

use super::rules::{self, BOOL, Class, FLOAT, Inferred, NUMBER, along, operands, unary};
use super::table::op_table;
use super::{AttrError, Attrs};
use crate::types::{Dim, Shape, TensorType};

op_table! {
    REDUCE_SUM "reduce_sum" ["axes", "keep_dims"]: reduce(NUMBER), (reduction Sum), linear in floats, tf "Sum", onnx "ReduceSum",
        "The sum over the axes (all if the list is empty), which are removed or kept with size 1.";
    REDUCE_PROD "reduce_prod" ["axes", "keep_dims"]: reduce(NUMBER), (reduction Prod), tf "Prod", onnx "ReduceProd",
        "The product over the axes.";
    REDUCE_MEAN "reduce_mean" ["axes", "keep_dims"]: reduce(NUMBER), (reduction Mean), linear in floats, tf "Mean", onnx "ReduceMean",
        "The mean over the axes; of integers, divided toward zero.";
    REDUCE_MAX "reduce_max" ["axes", "keep_dims"]: reduce(NUMBER), (reduction Max), tf "Max", onnx "ReduceMax",
        "The largest value over the axes; NaN wins.";
    REDUCE_MIN "reduce_min" ["axes", "keep_dims"]: reduce(NUMBER), (reduction Min), tf "Min", onnx "ReduceMin",
        "The smallest value over the axes; NaN wins.";
    REDUCE_ANY "reduce_any" ["axes", "keep_dims"]: reduce(BOOL), (reduction Any), tf "Any",
        "Whether any value over the axes is true.";
    REDUCE_ALL "reduce_all" ["axes", "keep_dims"]: reduce(BOOL), (reduction All), tf "All",
        "Whether all values over the axes are true.";

    ARGMAX "argmax" ["axis"]: arg_best(), (|x, a, out| kernels::argmax(x[0], a.int("axis")?, out)), tf "ArgMax", onnx "ArgMax",
        "The int64 index of the largest value along the axis, which is removed: the first of equal ones, never NaN.";
    ARGMIN "argmin" ["axis"]: arg_best(), (|x, a, out| kernels::argmin(x[0], a.int("axis")?, out)), tf "ArgMin", onnx "ArgMin",
        "The int64 index of the smallest value along the axis, which is removed: the first of equal ones, never NaN.";
    CUMSUM "cumsum" ["axis", "exclusive", "reverse"]: running(), (|x, a, out| kernels::cumsum(x[0], a.int("axis")?, range(a)?, out)), linear in floats, tf "Cumsum", onnx "CumSum",
        "The running sum along the axis: of the values before each value, and of that value unless exclusive; from the end if reverse.";
    CUMPROD "cumprod" ["axis", "exclusive", "reverse"]: running(), (|x, a, out| kernels::cumprod(x[0], a.int("axis")?, range(a)?, out)), tf "Cumprod", onnx "CumProd",
        "The running product along the axis: of the values before each value, and of that value unless exclusive; from the end if reverse.";
    SOFTMAX "softmax" ["axis"]: along(FLOAT), (|x, a, out| kernels::softmax(x[0], a.int("axis")?, out)), tf "Softmax", onnx "Softmax",
        "exp(x) divided by its sum along the axis.";
    LOG_SOFTMAX "log_softmax" ["axis"]: along(FLOAT), (|x, a, out| kernels::log_softmax(x[0], a.int("axis")?, out)), tf "LogSoftmax", onnx "LogSoftmax",
        "The logarithm of the softmax along the axis.";
    SPARSE_SOFTMAX_CROSS_ENTROPY "sparse_softmax_cross_entropy_with_logits" []: sparse_cross_entropy(), (binary kernels::sparse_cross_entropy), tf "SparseSoftmaxCrossEntropyWithLogits",
        "The cross entropy of integer labels [..] with logits [.., classes]: [..].";
}

fn sparse_cross_entropy(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [labels, logits] = operands(op, types)?;
    rules::check_class(op, FLOAT, logits.dtype)?;
    rules::check_integers(op, "labels", labels)?;
    let rows = match logits.shape.dims() {
        None => return Ok(TensorType::new(logits.dtype, labels.shape.clone())),
        Some([]) => return Err(format!("`{op}` takes logits of rank 1 or more")),
        Some([rows @ .., _]) => Shape::of(rows.iter().copied()),
    };
    let shape = rules::merge(op, &labels.shape, &rows)?;
    Ok(TensorType::new(logits.dtype, shape))
}

/// Which values a running sum or product includes.
fn range(attrs: &Attrs) -> Result<Running, AttrError> {
    Ok(Running {
        exclusive: attrs.bool("exclusive")?,
        reverse: attrs.bool("reverse")?,
    })
}

fn running(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    range(attrs)?;
    along(op, types, attrs, NUMBER)
}

fn reduce(op: &str, types: &[TensorType], attrs: &Attrs, class: Class) -> Inferred {
    let x = unary(op, types, attrs, class)?;
    let (axes, keep_dims) = (attrs.ints("axes")?, attrs.bool("keep_dims")?);
    let shape = match x.shape.dims() {
        Some(dims) => reduced_shape(dims, axes, keep_dims)?,
        None if axes.is_empty() && !keep_dims => Shape::scalar(),
        None => Shape::unknown(),
    };
    Ok(TensorType::new(x.dtype, shape))
}

fn reduced_shape(dims: &[Dim], axes: &[i64], keep_dims: bool) -> Result<Shape, String> {
    let mut reduced = vec![axes.is_empty(); dims.len()];
    for given in axes {
        let axis = rules::axis(*given, dims.len())?;
        if std::mem::replace(&mut reduced[axis], true) {
            return Err(format!("axis {given} is reduced twice"));
        }
    }
    let kept = dims
        .iter()
        .zip(reduced)
        .filter(|(_, reduced)| keep_dims || !reduced);
    Ok(Shape::of(kept.map(
        |(dim, reduced)| if reduced { Some(1) } else { *dim },
    )))
}

fn arg_best(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let x = along(op, types, attrs, NUMBER)?;
    let axis = attrs.int("axis")?;
    let shape = x.shape.dims().map_or(Ok(Shape::unknown()), |dims| {
        reduced_shape(dims, &[axis], false)
    })?;
    Ok(TensorType::new(DType::I64, shape))
}
