//! Ops that make arrays from a few numbers.

use graph_kernels::{self as kernels, Array, DType, KernelError};

use super::Attrs;
use super::rules::{Inferred, PLAIN, check_class, check_same_dtype, check_scalar, operands, text};
use super::table::op_table;
use crate::types::{Shape, TensorType};

op_table! {
    RANGE "range" []: range(), (|x, _, out| kernels::range(x[0], x[1], x[2], out)), tf "Range", onnx "Range",
        "start, start + delta, .. up to limit (excluded): three scalars of one number dtype -> [?].";
    FILL "fill" ["shape"]: fill(), (|x, a, out| kernels::fill(x[0], a.ints("shape")?, out)), fails OnShapes, linear in floats, tf "Fill",
        "The scalar everywhere in an array of the given shape.";
    LINSPACE "linspace" ["count"]: linspace(),
        (|x, a, out| kernels::linspace(x[0], x[1], a.int("count")?, out)), linear in floats, tf "LinSpace",
        "count values at equal distances from the first float scalar to the second, both included: -> [count].";
    EYE "eye" ["rows", "cols", "dtype"]: eye(),
        (|_, a, out| kernels::eye(a.int("rows")?, a.int("cols")?, a.dtype("dtype")?, out)),
        "The identity matrix [rows, cols].";
    UNDEFINED "undefined" ["dtype", "shape"]: undefined(), (|_, a, out| nothing(a, out)), fails Never,
        "A value of the given type that is never used: the output of a branch for a value that only other branches have. It is empty.";
}

/// An empty array of the type's rank. Only a scalar has a value, because its rank leaves no choice.
fn nothing(attrs: &Attrs, out: &mut Array) -> Result<(), KernelError> {
    let rank = attrs.shape("shape")?.rank().unwrap_or(1);
    out.reset(attrs.dtype("dtype")?, &vec![0; rank])
}

fn undefined(_: &str, _: &[TensorType], attrs: &Attrs) -> Inferred {
    Ok(TensorType::new(
        attrs.dtype("dtype")?,
        attrs.shape("shape")?.clone(),
    ))
}

fn range(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [start, limit, delta] = operands(op, types)?;
    for ty in [limit, delta] {
        check_same_dtype(op, start, ty)?;
    }
    types.iter().try_for_each(|ty| check_scalar(op, ty))?;
    check_class(op, DType::is_number, start.dtype)?;
    Ok(TensorType::new(start.dtype, Shape::of([None])))
}

fn linspace(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [start, stop] = operands(op, types)?;
    check_same_dtype(op, start, stop)?;
    types.iter().try_for_each(|ty| check_scalar(op, ty))?;
    check_class(op, DType::is_float, start.dtype)?;
    let count = text(kernels::linspace_count(attrs.int("count")?))?;
    Ok(TensorType::new(start.dtype, Shape::known(&[count])))
}

fn fill(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [value] = operands(op, types)?;
    check_scalar(op, value)?;
    let shape = kernels::sizes(attrs.ints("shape")?).map_err(|error| error.to_string())?;
    Ok(TensorType::new(value.dtype, Shape::known(&shape)))
}

fn eye(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [] = operands(op, types)?;
    let dtype = attrs.dtype("dtype")?;
    check_class(op, PLAIN, dtype)?;
    let shape = kernels::sizes(&[attrs.int("rows")?, attrs.int("cols")?])
        .map_err(|error| error.to_string())?;
    Ok(TensorType::new(dtype, Shape::known(&shape)))
}

#[cfg(test)]
pub(super) mod tests {
    //! Cases of sources and of strings.

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;
    use crate::types::Shape;

    pub(in crate::ops) fn cases() -> Vec<Case> {
        let range = |a: Array, b: Array, c: Array, expected| case(&RANGE, [a, b, c], expected);
        let empty = || Array::zeros(DType::I32, &[0]);
        let join = |parts: [Array; 3], expected| {
            case_with(&STRING_JOIN, [Attr::Text("-".to_owned())], parts, expected)
        };
        let text = |text: &str| scalar(text.to_owned());
        vec![
            range(scalar(0), scalar(5), scalar(2), Value(vector([0, 2, 4]))),
            range(scalar(3), scalar(0), scalar(-1), Value(vector([3, 2, 1]))),
            range(scalar(3), scalar(0), scalar(1), Value(empty())),
            range(
                scalar(0.0),
                scalar(1.0),
                scalar(0.25),
                Value(vector([0.0, 0.25, 0.5, 0.75])),
            ),
            range(
                scalar(i32::MIN),
                scalar(i32::MAX),
                scalar(i32::MAX),
                Value(vector([i32::MIN, -1, i32::MAX - 1])),
            ),
            range(
                scalar(0),
                scalar(5),
                scalar(0),
                RunError("Requires delta != 0: 0"),
            ),
            range(
                scalar(0),
                scalar(5.0),
                scalar(1),
                TypeError("`range` takes operands of one dtype, not int32 and float64"),
            ),
            case_with(
                &FILL,
                [ints([2, 2])],
                [scalar(7)],
                Value(matrix([[7, 7], [7, 7]])),
            ),
            case_with(&FILL, [ints([2])], [text("a")], Value(texts(["a", "a"]))),
            case_with(
                &FILL,
                [ints([-1])],
                [scalar(7)],
                TypeError("[-1] is not a shape"),
            ),
            case_with(
                &UNDEFINED,
                [
                    Attr::DType(DType::I32),
                    Attr::Shape(Shape::of([None, Some(0)])),
                ],
                [],
                Value(Array::zeros(DType::I32, &[0, 0])),
            ),
            case_with(
                &EYE,
                [Attr::Int(2), Attr::Int(3), Attr::DType(DType::I32)],
                [],
                Value(matrix([[1, 0, 0], [0, 1, 0]])),
            ),
            case_with(
                &EYE,
                [Attr::Int(3), Attr::Int(2), Attr::DType(DType::F32)],
                [],
                Value(matrix([[1f32, 0.0], [0.0, 1.0], [0.0, 0.0]])),
            ),
            case(
                &STRING_LENGTH,
                [texts(["", "ab", "é"])],
                Value(vector([0, 2, 2])),
            ),
            join(
                [texts(["a", "b"]), text("x"), texts(["c", "d"])],
                Value(texts(["a-x-c", "b-x-d"])),
            ),
            join([text("a"), text("b"), text("c")], Value(text("a-b-c"))),
            join(
                [text("a"), scalar(1), text("c")],
                TypeError("`string_join` is not defined for int32"),
            ),
        ]
    }
}
