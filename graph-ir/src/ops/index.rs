//! Ops that take parts of an array by index, and that write parts.

use graph_kernels::{self as kernels, AxisSlice, DType};
use smallvec::SmallVec;

use super::rules::{self, Inferred, PLAIN, check_int_scalar, check_same_dtype, merge, operands};
use super::table::op_table;
use super::{AttrError, Attrs};
use crate::types::{Dim, Shape, TensorType};

op_table! {
    INDEX "index" []: index(), (|x, _, out| kernels::index(x[0], &x[1..], out)),
        linear in floats, "What stands at positions of the first axes, which go: [m, n, ..] and an integer scalar for each of them -> [..]; negative ones count from the end.";
    INDEX_AXIS "index_axis" ["axis"]: index_axis(), (|x, a, out| kernels::index_axis(x[0], x[1], a.int("axis")?, out)),
        linear in floats, "The slice of an axis, which goes, at an integer scalar; a negative one counts from the end.";
    STRIDED_SLICE "strided_slice" ["axes", "begins", "ends", "steps", "masks"]: strided_slice(),
        (|x, a, out| kernels::strided_slice(x[0], slices(a)?, out)), fails OnShapes, linear in floats, tf "StridedSlice", onnx "Slice",
        "A part of each listed axis, clipped as NumPy does; mask bit 1 means no begin, bit 2 no end.";
    SLICE_ROWS "slice_rows" []: slice_rows(), (|x, _, out| kernels::slice_rows(x[0], x[1], x[2], out)),
        linear in floats, "Rows begin..end of axis 0, clipped as NumPy does, with integer scalars.";
    SET_ROW "set_row" []: set_row(), (|x, _, out| kernels::set_row(x[0], x[1], x[2], out)),
        in_place (|x, others, _| kernels::set_row_in_place(x, others[0], others[1])),
        linear in floats, "A copy of [n, ..] whose row i is the third operand [..]; a negative i counts from the end.";
    SET_PART "set_part" ["axes", "masks"]: set_part(),
        (|x, a, out| { out.assign(x[0])?; kernels::set_part(out, x[1], &x[2..], a.ints("axes")?, a.ints("masks")?) }),
        in_place (|x, others, a| kernels::set_part(x, others[0], &others[1..], a.ints("axes")?, a.ints("masks")?)), linear in floats, tf "TensorStridedSliceUpdate",
        "A copy with the second operand, which broadcasts, in a part: begin, end and step follow for each axis, as `slice_axis` takes them; mask bit 4 means the position at begin, without its axis.";
    ONE_HOT "one_hot" ["depth", "dtype"]: one_hot(),
        (|x, a, out| kernels::one_hot(x[0], a.int("depth")?, a.dtype("dtype")?, out)), tf "OneHot", onnx "OneHot",
        "A new last axis of the given depth: 1 at the index, 0 elsewhere.";
    BOOLEAN_MASK "boolean_mask" []: boolean_mask(), (binary kernels::boolean_mask),
        linear in floats, "The parts of the first operand where the mask, which covers its leading axes, is true.";
}

/// The shape of a row: the sizes after axis 0, if the rank is known. A scalar has no rows.
fn row_shape(op: &str, shape: &Shape) -> Result<Shape, String> {
    match shape.dims() {
        None => Ok(Shape::unknown()),
        Some([_, rest @ ..]) => Ok(Shape::of(rest.iter().copied())),
        Some([]) => Err(format!(
            "`{op}` takes an array with at least one axis, not a scalar"
        )),
    }
}

fn index(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, positions @ ..] = types else {
        return Err(format!("`{op}` takes at least 2 operands, not 0"));
    };
    if positions.is_empty() {
        return Err(format!("`{op}` takes at least 2 operands, not 1"));
    }
    positions.iter().try_for_each(|i| check_int_scalar(op, i))?;
    let mut shape = x.shape.clone();
    for _ in positions {
        shape = row_shape(op, &shape)?;
    }
    Ok(TensorType::new(x.dtype, shape))
}

fn index_axis(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, i] = operands(op, types)?;
    check_int_scalar(op, i)?;
    let given = attrs.int("axis")?;
    let shape = match x.shape.dims() {
        None => Shape::unknown(),
        Some(dims) => {
            let axis = rules::axis(given, dims.len())?;
            Shape::of([&dims[..axis], &dims[axis + 1..]].concat())
        }
    };
    Ok(TensorType::new(x.dtype, shape))
}

/// The slices described by the attributes, one for each listed axis.
pub fn slices(attrs: &Attrs) -> Result<SmallVec<[AxisSlice; 4]>, AttrError> {
    let lists = [
        attrs.ints("axes")?,
        attrs.ints("begins")?,
        attrs.ints("ends")?,
        attrs.ints("steps")?,
        attrs.ints("masks")?,
    ];
    let slice = |n: usize| {
        let [axis, begin, end, step, mask] = lists.map(|list| list.get(n).copied());
        let mask = mask?;
        let unless = |bit: i64, at: i64| (mask & bit == 0).then_some(at);
        Some(AxisSlice {
            axis: axis?,
            begin: unless(1, begin?),
            end: unless(2, end?),
            step: step?,
        })
    };
    let longest = lists.iter().map(|list| list.len()).max().unwrap_or(0);
    let all: Option<_> = (0..longest).map(slice).collect();
    all.ok_or_else(|| AttrError::new("axes", "as many axes as begins, ends, steps and masks"))
}

pub(super) fn strided_slice(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x] = operands(op, types)?;
    let slices = slices(attrs)?;
    let Some(dims) = x.shape.dims() else {
        return Ok(TensorType::new(x.dtype, Shape::unknown()));
    };
    let mut sliced = dims.to_vec();
    let mut seen = vec![false; dims.len()];
    for slice in slices {
        let axis = rules::axis(slice.axis, dims.len())?;
        if std::mem::replace(&mut seen[axis], true) {
            return Err(format!("axis {} is sliced twice", slice.axis));
        }
        // An unknown size is replaced by 0; a step of 0 is found anyway.
        let (_, count) = slice
            .resolve(dims[axis].unwrap_or(0))
            .map_err(|error| error.to_string())?;
        sliced[axis] = dims[axis].map(|_| count);
    }
    Ok(TensorType::new(x.dtype, Shape::of(sliced)))
}

fn slice_rows(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, begin, end] = operands(op, types)?;
    check_int_scalar(op, begin)?;
    check_int_scalar(op, end)?;
    let row = row_shape(op, &x.shape)?;
    let shape = match row.dims() {
        None => Shape::unknown(),
        Some(rest) => Shape::of([None].into_iter().chain(rest.iter().copied())),
    };
    Ok(TensorType::new(x.dtype, shape))
}

fn set_row(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, i, row] = operands(op, types)?;
    check_int_scalar(op, i)?;
    check_same_dtype(op, x, row)?;
    merge(op, &row_shape(op, &x.shape)?, &row.shape)?;
    Ok(x.clone())
}

fn set_part(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [x, value, bounds @ ..] = types else {
        return Err(format!(
            "`{op}` takes at least 2 operands, not {}",
            types.len()
        ));
    };
    check_same_dtype(op, x, value)?;
    bounds.iter().try_for_each(|ty| check_int_scalar(op, ty))?;
    let (axes, masks) = (attrs.ints("axes")?, attrs.ints("masks")?);
    if bounds.len() != 3 * axes.len() || masks.len() != axes.len() {
        return Err(format!(
            "`{op}` takes three bounds and a mask for each axis"
        ));
    }
    if let Some(rank) = x.shape.rank() {
        let mut seen = vec![false; rank];
        for given in axes {
            let axis = rules::axis(*given, rank)?;
            if std::mem::replace(&mut seen[axis], true) {
                return Err(format!("axis {given} is sliced twice"));
            }
        }
        let gone = masks.iter().filter(|mask| **mask & 4 != 0).count();
        if value.shape.rank().is_some_and(|own| own > rank - gone) {
            return Err(format!(
                "a value of shape {} does not fit into a part of {} axes",
                value.shape,
                rank - gone
            ));
        }
    }
    Ok(x.clone())
}

fn one_hot(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [indices] = operands(op, types)?;
    rules::check_indices(op, indices)?;
    let (depth, dtype) = (attrs.int("depth")?, attrs.dtype("dtype")?);
    rules::check_class(op, PLAIN, dtype)?;
    let depth =
        usize::try_from(depth).map_err(|_| format!("depth must be non-negative, got {depth}"))?;
    let shape = match indices.shape.dims() {
        None => Shape::unknown(),
        Some(dims) => Shape::of(dims.iter().copied().chain([Some(depth)])),
    };
    Ok(TensorType::new(dtype, shape))
}

fn boolean_mask(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [x, mask] = operands(op, types)?;
    if mask.dtype != DType::Bool {
        return Err(format!("`{op}` takes a bool mask, not {}", mask.dtype));
    }
    let Some(covered) = mask.shape.dims() else {
        return Ok(TensorType::new(x.dtype, Shape::unknown()));
    };
    if covered.is_empty() {
        return Err(format!(
            "`{op}` takes a mask with at least one axis, not a scalar"
        ));
    }
    let Some(dims) = x.shape.dims() else {
        return Ok(TensorType::new(x.dtype, Shape::unknown()));
    };
    let agree = |(m, n): (&Dim, &Dim)| m.is_none() || n.is_none() || m == n;
    if covered.len() > dims.len() || !covered.iter().zip(dims).all(agree) {
        return Err(format!(
            "Shapes {} and {} are incompatible: a mask covers leading axes",
            x.shape, mask.shape
        ));
    }
    let rest = dims[covered.len()..].iter().copied();
    Ok(TensorType::new(
        x.dtype,
        Shape::of([None].into_iter().chain(rest)),
    ))
}

#[cfg(test)]
pub(super) mod tests {
    //! Cases of indexing.

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;

    pub(in crate::ops) fn cases() -> Vec<Case> {
        [rows(), parts(), slices(), masks()]
            .into_iter()
            .flatten()
            .collect()
    }

    /// A part of each axis: the axis, its mask, and begin, end and step.
    fn set<const N: usize>(
        axes: [(i64, i64, [i32; 3]); N],
        value: Array,
        expected: Expected,
    ) -> Case {
        let bounds = axes.iter().flat_map(|(.., bounds)| bounds.map(scalar));
        let operands: Vec<Array> = [matrix([[1, 2, 3], [4, 5, 6]]), value]
            .into_iter()
            .chain(bounds)
            .collect();
        let attrs = [ints(axes.map(|a| a.0)), ints(axes.map(|a| a.1))];
        case_with(&SET_PART, attrs, operands, expected)
    }

    fn parts() -> Vec<Case> {
        let element = [(0, 4, [1, 0, 1]), (1, 4, [-3, 0, 1])];
        vec![
            set(element, scalar(9), Value(matrix([[1, 2, 3], [9, 5, 6]]))),
            set(
                [(-1, 4, [1, 0, 1])],
                vector([8, 9]),
                Value(matrix([[1, 8, 3], [4, 9, 6]])),
            ),
            set(
                [(1, 2, [-1, 0, -2])],
                vector([8, 9]),
                Value(matrix([[9, 2, 8], [9, 5, 8]])),
            ),
            set(
                [(1, 1, [7, -1, 1]), (0, 0, [1, 9, 1])],
                scalar(0),
                Value(matrix([[1, 2, 3], [0, 0, 6]])),
            ),
            set(
                [(0, 0, [1, 1, 1])],
                scalar(0),
                Value(matrix([[1, 2, 3], [4, 5, 6]])),
            ),
            set([], matrix([[8], [9]]), Value(matrix([[8; 3], [9; 3]]))),
            set(
                [(0, 4, [2, 0, 1])],
                scalar(0),
                RunError("slice index 2 of dimension 0 out of bounds."),
            ),
            set(
                [(1, 0, [0, 2, 1])],
                vector([1, 2, 3]),
                RunError("a value of shape [3] does not fit into a part of shape [2,2]"),
            ),
            set(
                element,
                vector([1]),
                TypeError("a value of shape [1] does not fit into a part of 0 axes"),
            ),
            set(
                [(1, 0, [0, 2, 1]), (-1, 0, [0, 2, 1])],
                scalar(0),
                TypeError("axis -1 is sliced twice"),
            ),
            set(
                element,
                scalar(1.5),
                TypeError("`set_part` takes operands of one dtype, not int32 and float64"),
            ),
        ]
    }

    fn x() -> Array {
        matrix([[1, 2], [3, 4], [5, 6]])
    }

    fn rows() -> Vec<Case> {
        vec![
            case(&INDEX, [x(), scalar(1)], Value(vector([3, 4]))),
            case(&INDEX, [x(), scalar(-1i64)], Value(vector([5, 6]))),
            case(
                &INDEX,
                [texts(["a", "b"]), scalar(1)],
                Value(scalar("b".to_owned())),
            ),
            case(
                &INDEX,
                [vector([1, 2, 3]), scalar(4)],
                RunError("slice index 4 of dimension 0 out of bounds."),
            ),
            case(
                &INDEX,
                [vector([1, 2, 3]), scalar(-4)],
                RunError("slice index -4 of dimension 0 out of bounds."),
            ),
            case(&INDEX, [x(), scalar(-1), scalar(0i64)], Value(scalar(5))),
            case(
                &INDEX,
                [
                    Array::new(&[2, 2, 2], (0..8).collect::<Vec<i32>>()),
                    scalar(1),
                    scalar(-2),
                ],
                Value(vector([4, 5])),
            ),
            case(
                &INDEX,
                [x(), scalar(1), scalar(5)],
                RunError("slice index 5 of dimension 1 out of bounds."),
            ),
            case(
                &INDEX,
                [vector([1]), scalar(0), scalar(0)],
                TypeError("`index` takes an array with at least one axis, not a scalar"),
            ),
            case(
                &INDEX,
                [scalar(1), scalar(0)],
                TypeError("`index` takes an array with at least one axis, not a scalar"),
            ),
            case(
                &INDEX,
                [x(), scalar(0.0)],
                TypeError("`index` takes int32 or int64 indices, not float64"),
            ),
            case_with(
                &INDEX_AXIS,
                [Attr::Int(1)],
                [x(), scalar(-1)],
                Value(vector([2, 4, 6])),
            ),
            case_with(
                &INDEX_AXIS,
                [Attr::Int(-2)],
                [x(), scalar(1i64)],
                Value(vector([3, 4])),
            ),
            case_with(
                &INDEX_AXIS,
                [Attr::Int(1)],
                [x(), scalar(5)],
                RunError("slice index 5 of dimension 1 out of bounds."),
            ),
            case(
                &SET_ROW,
                [x(), scalar(1), vector([8, 9])],
                Value(matrix([[1, 2], [8, 9], [5, 6]])),
            ),
            case(
                &SET_ROW,
                [vector([1, 2]), scalar(-1), scalar(7)],
                Value(vector([1, 7])),
            ),
            case(
                &SET_ROW,
                [x(), scalar(7), vector([8, 9])],
                RunError("Trying to modify element 7 in a list with 3 elements."),
            ),
            case(
                &SET_ROW,
                [x(), scalar(0), scalar(9)],
                TypeError("Shapes [2] and [] are incompatible for set_row"),
            ),
            case_with(
                &ONE_HOT,
                [Attr::Int(3), Attr::DType(DType::F32)],
                [vector([1, 3, -1])],
                Value(matrix([[0f32, 1.0, 0.0], [0.0; 3], [0.0; 3]])),
            ),
            case_with(
                &ONE_HOT,
                [Attr::Int(2), Attr::DType(DType::Bool)],
                [scalar(0)],
                Value(vector([true, false])),
            ),
        ]
    }

    fn slices() -> Vec<Case> {
        let five = || vector([0, 1, 2, 3, 4]);
        let slice = |begin, end, step, mask, expected| {
            let attrs = [
                ints([0]),
                ints([begin]),
                ints([end]),
                ints([step]),
                ints([mask]),
            ];
            case_with(&STRIDED_SLICE, attrs, [five()], expected)
        };
        let on_x = |axes, begins, ends, steps, masks, expected| {
            case_with(
                &STRIDED_SLICE,
                [
                    ints(axes),
                    ints(begins),
                    ints(ends),
                    ints(steps),
                    ints(masks),
                ],
                [x()],
                expected,
            )
        };
        let rows =
            |begin, end, expected| case(&SLICE_ROWS, [x(), scalar(begin), scalar(end)], expected);
        vec![
            slice(1, 4, 1, 0, Value(vector([1, 2, 3]))),
            slice(-2, 0, 1, 2, Value(vector([3, 4]))),
            slice(0, -1, 2, 1, Value(vector([0, 2]))),
            slice(0, 0, -1, 3, Value(vector([4, 3, 2, 1, 0]))),
            slice(3, 0, -2, 0, Value(vector([3, 1]))),
            slice(-100, 100, 1, 0, Value(five())),
            slice(100, -100, -3, 0, Value(vector([4, 1]))),
            slice(4, 2, 1, 0, Value(Array::zeros(DType::I32, &[0]))),
            slice(i64::MIN, i64::MAX, i64::MAX, 0, Value(vector([0]))),
            slice(0, 0, 0, 0, TypeError("slice step cannot be zero")),
            on_x(
                [1, 0],
                [0, 1],
                [1, 3],
                [1, 1],
                [0, 0],
                Value(matrix([[3], [5]])),
            ),
            on_x(
                [0, 1],
                [0, 0],
                [0, 0],
                [-1, -1],
                [3, 3],
                Value(matrix([[6, 5], [4, 3], [2, 1]])),
            ),
            on_x(
                [0, -2],
                [1, 1],
                [3, 3],
                [1, 1],
                [0, 0],
                TypeError("axis -2 is sliced twice"),
            ),
            rows(1, 3, Value(matrix([[3, 4], [5, 6]]))),
            rows(-2, 100, Value(matrix([[3, 4], [5, 6]]))),
            rows(2, 1, Value(Array::zeros(DType::I32, &[0, 2]))),
        ]
    }

    fn masks() -> Vec<Case> {
        vec![
            case(
                &BOOLEAN_MASK,
                [x(), vector([true, false, true])],
                Value(matrix([[1, 2], [5, 6]])),
            ),
            case(
                &BOOLEAN_MASK,
                [x(), matrix([[true, false], [false, true], [false, false]])],
                Value(vector([1, 4])),
            ),
            case(
                &BOOLEAN_MASK,
                [x(), vector([true, false])],
                TypeError("Shapes [3,2] and [2] are incompatible: a mask covers leading axes"),
            ),
        ]
    }
}
