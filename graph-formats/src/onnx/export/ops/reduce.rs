//! Reductions, running sums and products, softmax.

use graph_ir::ops::{self, OpDef};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::DType;

use super::common::{self, compare};
use super::{Use, Write, Written};
use crate::onnx::export::tensors::value_info;
use crate::onnx::export::writer::{Tensor, Writer};
use crate::onnx::proto::GraphProto;

pub(super) static ROWS: &[(&OpDef, Write)] = &[
    (&ops::REDUCE_SUM, |u| reduce(u, "ReduceSum")),
    (&ops::REDUCE_PROD, |u| reduce(u, "ReduceProd")),
    (&ops::REDUCE_MEAN, mean),
    (&ops::REDUCE_MAX, |u| extreme(u, "ReduceMax")),
    (&ops::REDUCE_MIN, |u| extreme(u, "ReduceMin")),
    (&ops::REDUCE_ANY, any),
    (&ops::REDUCE_ALL, all),
    (&ops::ARGMAX, |u| best(u, "ArgMax")),
    (&ops::ARGMIN, |u| best(u, "ArgMin")),
    (&ops::CUMSUM, cumsum),
    (&ops::CUMPROD, cumprod),
    (&ops::SOFTMAX, |u| along(u, "Softmax")),
    (&ops::LOG_SOFTMAX, |u| along(u, "LogSoftmax")),
    (&ops::SPARSE_SOFTMAX_CROSS_ENTROPY, cross_entropy),
];

/// A reduction by the attributes. The runtime doesn't reduce empty arrays along axes that count from the end.
fn reduced(u: &mut Use<'_>, operator: &str, x: &Tensor) -> Written {
    let (axes, keep) = (u.attrs.ints("axes")?, u.attrs.bool("keep_dims")?);
    let from_start = |axis: &i64| x.axis(*axis).map_or(*axis, |axis| axis as i64);
    let axes: Vec<i64> = axes.iter().map(from_start).collect();
    let axes = (!axes.is_empty()).then(|| u.w.ints(&axes));
    let node = u.w.op(operator, &[x]).with(axes.as_slice());
    Ok(node.int("keepdims", i64::from(keep)).of(x.dtype()))
}

fn reduce(u: &mut Use<'_>, operator: &str) -> Written {
    reduced(u, operator, &u.x[0].clone())
}

/// The runtime would round the mean of integers in its own way.
fn mean(u: &mut Use<'_>) -> Written {
    let (x, dtype) = (u.x[0].clone(), u.dtype());
    if dtype.is_float() {
        return reduced(u, "ReduceMean", &x);
    }
    let wide = if dtype == DType::U64 {
        dtype
    } else {
        DType::I64
    };
    let x = u.w.cast(&x, wide);
    let sum = reduced(u, "ReduceSum", &x)?;
    let [all, left] = [&x, &sum].map(|x| u.w.op("Size", &[x]).of(DType::I64));
    // There is nothing to divide if nothing is left.
    let left = common::with_number(u.w, "Max", &left, 1.0);
    let count = u.w.op("Div", &[&all, &left]).of(DType::I64);
    let count = u.w.cast(&count, wide);
    let mean = u.w.op("Div", &[&sum, &count]).of(wide);
    Ok(u.w.cast(&mean, dtype))
}

/// The runtime has no kernel for `uint32`, and that for `int64` compares some numbers above 31 bits wrongly; a `float64` holds them all.
fn extreme(u: &mut Use<'_>, operator: &str) -> Written {
    let x = match u.dtype() {
        DType::U32 => u.w.cast(&u.x[0].clone(), DType::F64),
        _ => common::ordered(u.w, &u.x[0]),
    };
    let reduced = reduced(u, operator, &x)?;
    let back = common::unordered(u.w, &reduced, u.ty.dtype);
    Ok(u.w.cast(&back, u.ty.dtype))
}

/// Whether the number of true values isn't 0. `ReduceMax` takes no booleans, and nothing empty.
fn any(u: &mut Use<'_>) -> Written {
    let x = u.w.cast(&u.x[0], DType::I32);
    let count = reduced(u, "ReduceSum", &x)?;
    Ok(compare(u.w, "Greater", &count, 0.0))
}

fn all(u: &mut Use<'_>) -> Written {
    let x = &u.x[0];
    let not = u.w.op("Not", &[x]).like(x);
    let not = u.w.cast(&not, DType::I32);
    let count = reduced(u, "ReduceSum", &not)?;
    Ok(compare(u.w, "Equal", &count, 0.0))
}

fn best(u: &mut Use<'_>, operator: &str) -> Written {
    let axis = u.attrs.int("axis")?;
    let x = common::ordered(u.w, &u.x[0]);
    let node = u.w.op(operator, &[&x]).int("axis", axis);
    Ok(node.int("keepdims", 0).of(DType::I64))
}

fn cumsum(u: &mut Use<'_>) -> Written {
    let axis = u.attrs.int("axis")?;
    let flags = ["exclusive", "reverse"].map(|name| u.attrs.bool(name));
    let [exclusive, reverse] = flags;
    let (exclusive, reverse) = (i64::from(exclusive?), i64::from(reverse?));
    let axis = u.w.int(axis);
    let ty = u.ty.clone();
    let node = u.w.op("CumSum", &[&u.x[0], &axis]);
    Ok(node
        .int("exclusive", exclusive)
        .int("reverse", reverse)
        .gives(ty))
}

/// ONNX has no running product before opset 26: a `Scan` along the axis, whose state is the product of what came before. It also scans a
/// slice of ones, since the runtime scans nothing empty; the result for that slice is the product before the first one.
fn cumprod(u: &mut Use<'_>) -> Written {
    let axis = u.axis()?;
    let (exclusive, reverse) = (u.attrs.bool("exclusive")?, u.attrs.bool("reverse")?);
    let (x, dtype) = (u.x[0].clone(), u.dtype());
    let dims = x.dims().unwrap_or_default();
    let slice = Shape::of([&dims[..axis], &dims[axis + 1..]].concat());
    let slice = TensorType::new(dtype, slice);
    let w = &mut *u.w;
    let before = common::sizes_between(w, &x, 0, Some(axis));
    let after = common::sizes_between(w, &x, axis + 1, None);
    let (one, at) = (w.ints(&[1]), axis as i64);
    let shape = common::join(w, &[&before, &after]);
    let first = common::filled(w, 1.0, dtype, &shape);
    let shape = common::join(w, &[&before, &one, &after]);
    let ones = common::filled(w, 1.0, dtype, &shape);
    let parts = if reverse { [&x, &ones] } else { [&ones, &x] };
    let all = w.op("Concat", &parts).int("axis", at).of(dtype);
    let scanned = scan(w, &first, &all, &slice, at, reverse);
    // All but the last or all but the first.
    let range = if exclusive == reverse {
        [1, i64::MAX, 1]
    } else {
        [0, -1, 1]
    };
    Ok(common::slice_axis(w, &scanned, at, range))
}

/// The products of the slices of an axis, each with what came before.
fn scan(
    w: &mut Writer,
    first: &Tensor,
    x: &Tensor,
    slice: &TensorType,
    axis: i64,
    reverse: bool,
) -> Tensor {
    let names = &mut w.body.names;
    let [state, value] =
        ["product", "value"].map(|name| Tensor::new(names.unique(name), slice.clone()));
    let (nodes, results) = w.inner(|w| {
        let product = w.op("Mul", &[&state, &value]).gives(slice.clone());
        w.as_results(&[product.clone(), product])
    });
    let info = |value: &Tensor| value_info(&value.name, &value.ty);
    let body = GraphProto {
        node: nodes,
        name: "product".to_owned(),
        input: [&state, &value].map(info).to_vec(),
        output: results.iter().map(info).collect(),
        ..GraphProto::default()
    };
    let node = w
        .op("Scan", &[first, x])
        .graph("body", body)
        .int("num_scan_inputs", 1);
    let node = node
        .ints("scan_input_axes", &[axis])
        .ints("scan_output_axes", &[axis]);
    let direction = [i64::from(reverse)];
    let node = node
        .ints("scan_input_directions", &direction)
        .ints("scan_output_directions", &direction);
    let types = [slice.clone(), TensorType::new(x.dtype(), Shape::unknown())];
    node.give_all(&types).swap_remove(1)
}

fn along(u: &mut Use<'_>, operator: &str) -> Written {
    let (axis, ty) = (u.attrs.int("axis")?, u.ty.clone());
    Ok(u.w.op(operator, &[&u.x[0]]).int("axis", axis).gives(ty))
}

/// Minus the logarithm of the softmax at the label.
fn cross_entropy(u: &mut Use<'_>) -> Written {
    // Which operand has the labels, their dtypes say.
    let is_float = u.x[0].dtype().is_float();
    let (logits, labels) = if is_float {
        (&u.x[0], &u.x[1])
    } else {
        (&u.x[1], &u.x[0])
    };
    let dtype = logits.dtype();
    let w = &mut *u.w;
    let logs = w.op("LogSoftmax", &[logits]).int("axis", -1).like(logits);
    let labels = common::unsqueeze(w, labels, &[-1]);
    let found = w
        .op("GatherElements", &[&logs, &labels])
        .int("axis", -1)
        .of(dtype);
    let last = w.ints(&[-1]);
    let found = w.op("Squeeze", &[&found, &last]).of(dtype);
    Ok(u.result("Neg", &[&found]))
}
