//! Ops that rearrange the values along an axis.

use graph_kernels as kernels;

use super::Attrs;
use super::rules::{self, Inferred, int_vector, operands, text, with_axis};
use super::table::op_table;
use crate::types::TensorType;

op_table! {
    ROLL "roll" ["axes"]: roll(), (|x, a, out| kernels::roll(x[0], x[1], a.ints("axes")?, out)), fails OnShapes, linear in floats, tf "Roll",
        "The values shifted by shifts[i] positions along axes[i]; those shifted beyond the end reappear at the beginning.";
    REPEAT "repeat" ["axis", "count"]: repeat(), (|x, a, out| kernels::repeat(x[0], a.int("axis")?, a.int("count")?, out)), fails OnShapes,
        linear in floats, "Each slice of the axis count times in a row.";
    REPEAT_EACH "repeat_each" ["axis"]: repeat_each(), (|x, a, out| kernels::repeat_each(x[0], x[1], a.int("axis")?, out)),
        linear in floats, "Slice i of the axis counts[i] times in a row; the second operand is the counts.";
    REVERSE_SEQUENCE "reverse_sequence" ["seq_axis", "batch_axis"]: reverse_sequence(),
        (|x, a, out| kernels::reverse_sequence(x[0], x[1], a.int("seq_axis")?, a.int("batch_axis")?, out)),
        linear in floats, tf "ReverseSequence", onnx "ReverseSequence",
        "For each position i of the batch axis, the first lengths[i] positions of the sequence axis in reverse order.";
}

fn roll(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, shifts] = operands(op, types)?;
    let axes = attrs.ints("axes")?;
    if int_vector(op, shifts)?.is_some_and(|len| len != axes.len()) {
        return Err("shift and axis must have the same size".to_owned());
    }
    if let Some(rank) = x.shape.rank() {
        axes.iter()
            .try_for_each(|axis| rules::axis(*axis, rank).map(drop))?;
    }
    Ok(x.clone())
}

fn repeat(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let count = attrs.int("count")?;
    text(kernels::repeated(1, count))?;
    let shape = with_axis(&x.shape, attrs.int("axis")?, |size| {
        size.map(|len| text(kernels::repeated(len, count)).map(|(len, _)| len))
            .transpose()
    })?;
    Ok(TensorType::new(x.dtype, shape))
}

fn repeat_each(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, counts] = operands(op, types)?;
    let given = int_vector(op, counts)?;
    let shape = with_axis(&x.shape, attrs.int("axis")?, |size| match (size, given) {
        (Some(m), Some(n)) if m != n => Err(format!("Dimensions {m} and {n} are not compatible")),
        _ => Ok(None),
    })?;
    Ok(TensorType::new(x.dtype, shape))
}

fn reverse_sequence(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, lengths] = operands(op, types)?;
    let given = int_vector(op, lengths)?;
    let (sequence, batch) = (attrs.int("seq_axis")?, attrs.int("batch_axis")?);
    let Some(dims) = x.shape.dims() else {
        return Ok(x.clone());
    };
    let sequence = rules::axis(sequence, dims.len())?;
    let batch = rules::axis(batch, dims.len())?;
    if batch == sequence {
        return Err(format!("batch_dim == seq_dim == {batch}"));
    }
    match (given, dims[batch]) {
        (Some(len), Some(size)) if len != size => Err(format!(
            "Length of seq_lens != input.dims({batch}), ([{len}] vs. {size})"
        )),
        _ => Ok(x.clone()),
    }
}
