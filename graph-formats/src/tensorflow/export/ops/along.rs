//! Taking and adding values at a position for each lane. TensorFlow has no such ops: here each value's whole position becomes an index.

use graph_ir::ops::Attrs;
use graph_ir::types::TensorType;
use graph_kernels::DType;

use super::Rules;
use super::common::from_start;
use crate::tensorflow::attributes;
use crate::tensorflow::export::body::Tensor;
use crate::tensorflow::export::writer::Writer;

pub(super) const RULES: Rules = &[("take_along_axis", take), ("add_along_axis", add)];

fn take(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let [array, indices] = x else {
        return Err("it takes two operands".to_owned());
    };
    let axis = from_start(array, a.int("axis")?)?;
    let shape = broadcast_shape(w, array, indices, axis);
    let positions = positions(w, array, indices, axis, &shape);
    Ok(w.op("GatherNd", &[array, &positions]).gives(ty.clone()))
}

fn add(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let [array, indices, values] = x else {
        return Err("it takes three operands".to_owned());
    };
    let axis = from_start(array, a.int("axis")?)?;
    let shape = w.shape(values);
    let positions = positions(w, array, indices, axis, &shape);
    let sum = w.op("TensorScatterAdd", &[array, &positions, values]);
    Ok(sum.gives(ty.clone()))
}

/// The shape of the values taken: the lanes broadcast, and the axis is as long as the indices are.
fn broadcast_shape(w: &mut Writer, array: &Tensor, indices: &Tensor, axis: usize) -> Tensor {
    let (lanes, places) = (w.shape(array), w.shape(indices));
    let parts = [
        w.part_of_vector(&lanes, 0, Some(axis as i64)),
        w.ints(&[1]),
        w.part_of_vector(&lanes, axis as i64 + 1, None),
    ];
    let lanes = w.joined(&parts);
    w.op("BroadcastArgs", &[&lanes, &places]).of(DType::I32)
}

/// The positions on all axes, one row for each value.
fn positions(
    w: &mut Writer,
    array: &Tensor,
    indices: &Tensor,
    axis: usize,
    shape: &Tensor,
) -> Tensor {
    let dtype = indices.dtype();
    let rank = array.rank().unwrap_or(axis + 1);
    let (zero, one) = (w.int(0), w.int(1));
    let mut all = Vec::new();
    for at in 0..rank {
        let own = if at == axis {
            from_the_front(w, array, indices, axis)
        } else {
            let size = w.axis_size(array, at as i64);
            let range = w.op("Range", &[&zero, &size, &one]).of(DType::I32);
            let mut lane = vec![1; rank];
            lane[at] = -1;
            let lane = w.ints(&lane);
            let range = w.reshape(&range, &lane);
            w.cast(&range, dtype)
        };
        all.push(w.binary("BroadcastTo", &own, shape));
    }
    let pack = w.op("Pack", &[]).list(&all);
    pack.attr("axis", attributes::int(-1)).of(dtype)
}

/// The indices, with those from the end counted from the beginning: TensorFlow's ops refuse negative ones.
fn from_the_front(w: &mut Writer, array: &Tensor, indices: &Tensor, axis: usize) -> Tensor {
    let size = w.axis_size(array, axis as i64);
    let size = w.cast(&size, indices.dtype());
    let zero = w.number(0.0, indices.dtype());
    let below = w.op("Less", &[indices, &zero]).of(DType::Bool);
    let above = w.binary("AddV2", indices, &size);
    w.op("SelectV2", &[&below, &above, indices]).like(indices)
}
