//! What several families write: choices by a condition, sizes of axes, counts, masks.

use graph_kernels::{Array, DType};

use super::Use;
use crate::onnx::export::writer::{Tensor, Writer};

/// The first value where the condition is true, else the second. The runtime chooses between booleans by logic.
pub(super) fn choose(w: &mut Writer, condition: &Tensor, yes: &Tensor, no: &Tensor) -> Tensor {
    match yes.dtype() {
        DType::Bool => {
            let not = w.op("Not", &[condition]).of(DType::Bool);
            let yes = w.op("And", &[condition, yes]).of(DType::Bool);
            let no = w.op("And", &[&not, no]).of(DType::Bool);
            w.op("Or", &[&yes, &no]).of(DType::Bool)
        }
        dtype => w.op("Where", &[condition, yes, no]).of(dtype),
    }
}

/// An operator of two operands with a number as the second; the result has the dtype of the first.
pub(super) fn with_number(w: &mut Writer, operator: &str, x: &Tensor, number: f64) -> Tensor {
    let number = w.number(number, x.dtype());
    w.op(operator, &[x, &number]).like(x)
}

/// A comparison with a number.
pub(super) fn compare(w: &mut Writer, operator: &str, x: &Tensor, number: f64) -> Tensor {
    let number = w.number(number, x.dtype());
    w.op(operator, &[x, &number]).of(DType::Bool)
}

/// The sizes of all axes: an `int64` vector.
pub(super) fn sizes(w: &mut Writer, x: &Tensor) -> Tensor {
    if let Some(known) = x.ty.shape.to_known() {
        let known: Vec<i64> = known.iter().map(|n| *n as i64).collect();
        return w.ints(&known);
    }
    let sizes = w.op("Shape", &[x]).of(DType::I64);
    Tensor {
        sizes: x.dims().map(Into::into),
        ..sizes
    }
}

/// The sizes of the axes from `from` to before `to`: an `int64` vector.
pub(super) fn sizes_between(w: &mut Writer, x: &Tensor, from: usize, to: Option<usize>) -> Tensor {
    let shape = w.op("Shape", &[x]).int("start", from as i64);
    match to {
        Some(to) => shape.int("end", to as i64).of(DType::I64),
        None => shape.of(DType::I64),
    }
}

/// The size of an axis, which may count from the end: an `int64` vector of one size.
pub(super) fn size(w: &mut Writer, x: &Tensor, axis: i64) -> Tensor {
    let known = x.axis(axis).ok().and_then(|axis| x.ty.shape.get(axis));
    if let Some(known) = known {
        return w.ints(&[known as i64]);
    }
    let all = w.op("Shape", &[x]).of(DType::I64);
    let at = w.ints(&[axis]);
    w.op("Gather", &[&all, &at]).int("axis", 0).of(DType::I64)
}

/// The vectors joined.
pub(super) fn join(w: &mut Writer, parts: &[&Tensor]) -> Tensor {
    w.op("Concat", parts).int("axis", 0).of(parts[0].dtype())
}

/// The values under another shape, an `int64` vector in which 0 is a size.
pub(super) fn reshape(w: &mut Writer, x: &Tensor, shape: &Tensor) -> Tensor {
    w.op("Reshape", &[x, shape])
        .int("allowzero", 1)
        .of(x.dtype())
}

/// All values as a vector.
pub(super) fn flat(w: &mut Writer, x: &Tensor) -> Tensor {
    let shape = w.ints(&[-1]);
    w.op("Reshape", &[x, &shape]).of(x.dtype())
}

/// The only value of a vector of one.
pub(super) fn scalar(w: &mut Writer, x: &Tensor) -> Tensor {
    let shape = w.ints(&[]);
    w.op("Reshape", &[x, &shape]).of(x.dtype())
}

/// A new axis of size 1.
pub(super) fn unsqueeze(w: &mut Writer, x: &Tensor, axes: &[i64]) -> Tensor {
    let axes = w.ints(axes);
    w.op("Unsqueeze", &[x, &axes]).of(x.dtype())
}

/// An integer scalar as an `int64` vector of one.
pub(super) fn as_vector(w: &mut Writer, x: &Tensor) -> Tensor {
    let x = w.cast(x, DType::I64);
    let shape = w.ints(&[1]);
    w.op("Reshape", &[&x, &shape]).of(DType::I64)
}

/// 0, 1, .. up to a limit, an `int64` vector of one: an `int64` vector.
pub(super) fn counted(w: &mut Writer, limit: &Tensor) -> Tensor {
    let (zero, limit, one) = (w.int(0), scalar(w, limit), w.int(1));
    w.op("Range", &[&zero, &limit, &one]).of(DType::I64)
}

/// 0, 1, .. as a constant of a shape with one axis that isn't 1.
pub(super) fn numbers(w: &mut Writer, count: usize, shape: &[usize]) -> Tensor {
    let values: Vec<i64> = (0..count as i64).collect();
    w.constant(&Array::new(shape, values))
}

/// The axes in another order.
pub(super) fn transpose(w: &mut Writer, x: &Tensor, perm: &[usize]) -> Tensor {
    if perm.iter().enumerate().all(|(n, axis)| n == *axis) {
        return x.clone();
    }
    let perm: Vec<i64> = perm.iter().map(|axis| *axis as i64).collect();
    let moved = x.ty.shape.dims().map(|dims| {
        perm.iter()
            .map(|axis| dims[*axis as usize])
            .collect::<Vec<_>>()
    });
    let shape = moved.map_or_else(graph_ir::types::Shape::unknown, graph_ir::types::Shape::of);
    let ty = graph_ir::types::TensorType::new(x.dtype(), shape);
    w.op("Transpose", &[x]).ints("perm", &perm).gives(ty)
}

/// Positions from `starts` to before `ends` of axes, all `int64` vectors.
pub(super) fn slice(
    w: &mut Writer,
    x: &Tensor,
    [starts, ends, axes, steps]: [&Tensor; 4],
) -> Tensor {
    w.op("Slice", &[x, starts, ends, axes, steps]).of(x.dtype())
}

/// Positions of one axis, from a number to before another.
pub(super) fn slice_axis(
    w: &mut Writer,
    x: &Tensor,
    axis: i64,
    [start, end, step]: [i64; 3],
) -> Tensor {
    let [start, end, axis, step] = [start, end, axis, step].map(|n| w.ints(&[n]));
    slice(w, x, [&start, &end, &axis, &step])
}

/// Slices of an axis at positions, whose axes replace it.
pub(super) fn gather(w: &mut Writer, x: &Tensor, positions: &Tensor, axis: i64) -> Tensor {
    w.op("Gather", &[x, positions])
        .int("axis", axis)
        .of(x.dtype())
}

/// A number everywhere in a shape, an `int64` vector.
pub(super) fn filled(w: &mut Writer, number: f64, dtype: DType, shape: &Tensor) -> Tensor {
    let number = w.number(number, dtype);
    w.op("Expand", &[&number, shape]).of(dtype)
}

/// Zeros of any dtype, `false` or empty strings in a shape, an `int64` vector.
pub(super) fn zeros(w: &mut Writer, dtype: DType, shape: &Tensor) -> Tensor {
    let zero = w.constant(&Array::zeros(dtype, &[]));
    w.op("Expand", &[&zero, shape]).of(dtype)
}

/// Integers of `uint64` as `int64` in the same order, because the runtime compares no others here; other dtypes stay.
pub(super) fn ordered(w: &mut Writer, x: &Tensor) -> Tensor {
    match x.dtype() {
        DType::U64 => swap_sign(w, x, DType::I64),
        _ => x.clone(),
    }
}

/// Back from [`ordered`] to `uint64`.
pub(super) fn unordered(w: &mut Writer, x: &Tensor, dtype: DType) -> Tensor {
    match dtype {
        DType::U64 => swap_sign(w, x, DType::U64),
        _ => x.clone(),
    }
}

fn swap_sign(w: &mut Writer, x: &Tensor, to: DType) -> Tensor {
    let x = w.cast(x, DType::I64);
    let sign = w.int(i64::MIN);
    let swapped = w.op("BitwiseXor", &[&x, &sign]).of(DType::I64);
    w.cast(&swapped, to)
}

impl Use<'_> {
    /// The axis in an attribute, counted from the beginning.
    pub(super) fn axis(&self) -> Result<usize, String> {
        self.x[0].axis(self.attrs.int("axis")?)
    }
}
