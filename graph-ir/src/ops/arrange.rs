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

#[cfg(test)]
pub(super) mod tests {
    //! Cases of rolling, repeating and reversing, with TensorFlow's results.

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;

    fn x() -> Array {
        matrix([[1, 2, 3], [4, 5, 6]])
    }

    pub(in crate::ops) fn cases() -> Vec<Case> {
        [rolls(), repeats(), reversed()]
            .into_iter()
            .flatten()
            .collect()
    }

    fn rolls() -> Vec<Case> {
        let roll = |shifts: Array, expected| case_with(&ROLL, [ints([1])], [x(), shifts], expected);
        vec![
            roll(vector([1]), Value(matrix([[3, 1, 2], [6, 4, 5]]))),
            roll(vector([-4i64]), Value(matrix([[2, 3, 1], [5, 6, 4]]))),
            roll(vector([i64::MIN]), Value(matrix([[3, 1, 2], [6, 4, 5]]))),
            case_with(
                &ROLL,
                [ints([0, -1, 1])],
                [x(), vector([1, 1, 1])],
                Value(matrix([[5, 6, 4], [2, 3, 1]])),
            ),
            case_with(
                &ROLL,
                [ints([0])],
                [Array::zeros(DType::Str, &[0]), vector([1])],
                Value(Array::zeros(DType::Str, &[0])),
            ),
            roll(
                vector([1, 2]),
                TypeError("shift and axis must have the same size"),
            ),
        ]
    }

    fn repeats() -> Vec<Case> {
        let repeat = |axis, count, expected| {
            case_with(
                &REPEAT,
                [Attr::Int(axis), Attr::Int(count)],
                [x()],
                expected,
            )
        };
        let each = |counts: Array, expected| {
            case_with(&REPEAT_EACH, [Attr::Int(1)], [x(), counts], expected)
        };
        vec![
            repeat(
                1,
                2,
                Value(matrix([[1, 1, 2, 2, 3, 3], [4, 4, 5, 5, 6, 6]])),
            ),
            repeat(
                0,
                2,
                Value(matrix([[1, 2, 3], [1, 2, 3], [4, 5, 6], [4, 5, 6]])),
            ),
            repeat(-1, 0, Value(Array::zeros(DType::I32, &[2, 0]))),
            repeat(0, -1, TypeError("1 slices can't be repeated -1 times")),
            each(vector([1, 0, 2]), Value(matrix([[1, 3, 3], [4, 6, 6]]))),
            each(vector([1i64, -1, 2]), Value(matrix([[1, 3, 3], [4, 6, 6]]))),
            each(vector([0, 0, 0]), Value(Array::zeros(DType::I32, &[2, 0]))),
            each(
                vector([1, 2]),
                TypeError("Dimensions 3 and 2 are not compatible"),
            ),
            case_with(
                &REPEAT_EACH,
                [Attr::Int(0)],
                [texts(["a", "b"]), vector([2, 1])],
                Value(texts(["a", "a", "b"])),
            ),
        ]
    }

    fn reversed() -> Vec<Case> {
        let reverse = |sequence, batch, lengths: Array, expected| {
            let attrs = [Attr::Int(sequence), Attr::Int(batch)];
            case_with(&REVERSE_SEQUENCE, attrs, [x(), lengths], expected)
        };
        vec![
            reverse(1, 0, vector([2, 3]), Value(matrix([[2, 1, 3], [6, 5, 4]]))),
            reverse(
                0,
                -1,
                vector([2i64, 0, 1]),
                Value(matrix([[4, 2, 3], [1, 5, 6]])),
            ),
            reverse(
                1,
                0,
                vector([2, 4]),
                RunError("seq_lens(1) > input.dims(1)"),
            ),
            reverse(1, 0, vector([2, -1]), RunError("seq_lens(1) < 0")),
            reverse(
                0,
                -2,
                vector([1, 1]),
                TypeError("batch_dim == seq_dim == 0"),
            ),
            reverse(
                1,
                0,
                vector([1]),
                TypeError("Length of seq_lens != input.dims(0), ([1] vs. 2)"),
            ),
        ]
    }
}
