//! Lists of rows, which implement a `TensorArray`. In a list to which no row has been written, the rows have no shape yet. The kernels mark
//! this by a special row shape; a type rule treats it as a row of any shape. The attribute `shape` is what the program knows about the
//! whole list, `dims[n, ..]` or `dims[*]`.

use graph_kernels::{self as kernels, Array, DType, Dims, KernelError};

use super::Attrs;
use super::rules::{
    Inferred, NUMBER, check_class, check_indices, check_int_scalar, check_same_dtype, merge,
    operands,
};
use super::shape::check_shape;
use super::table::op_table;
use crate::types::{Dim, Shape, TensorType};

op_table! {
    LIST_NEW "list_new" ["dtype", "shape"]: list_new(), (|x, a, out| {
            kernels::list_new(x[0], a.dtype("dtype")?, row_of(a)?.as_deref(), out)?;
            check_new(out, a)
        }), tf "TensorListReserve",
        "A list with the number of rows in the integer scalar; the rows are zeros if their shape is known, else they have no shape yet.";
    LIST_WRITE "list_write" ["grows"]: list_write(),
        (|x, a, out| kernels::list_write(x[0], x[1], x[2], a.bool("grows")?, out)),
        in_place (|x, others, a| kernels::list_write_in_place(x, others[0], others[1], a.bool("grows")?)),
        linear in floats, tf "TensorListSetItem",
        "The list [n, ..] with row i (an integer scalar) replaced by the third operand [..]; a growing list is filled with zeros up to it.";
    LIST_SCATTER "list_scatter" ["grows"]: list_scatter(),
        (|x, a, out| kernels::list_scatter(x[0], x[1], x[2], a.bool("grows")?, out)),
        in_place (|x, others, a| kernels::list_scatter_in_place(x, others[0], others[1], a.bool("grows")?)),
        linear in floats, tf "TensorListScatterIntoExistingList",
        "The list [n, ..] with the rows at the indices [k] replaced by those of the third operand [k, ..].";
    LIST_EXTEND "list_extend" []: list_extend(), (binary kernels::list_extend),
        in_place (|x, others, _| kernels::list_extend_in_place(x, others[0])), linear in floats,
        "The vector with the values of the second operand, in row-major order, appended: [n] and [..] -> [n + size].";
    LIST_READ "list_read" ["shape"]: list_read(),
        (|x, a, out| {
            kernels::list_read(x[0], x[1], row_of(a)?.as_deref(), out)?;
            check_shape(out, &known(a).map_err(KernelError::Shape)?.1)
        }), linear in floats, tf "TensorListGetItem",
        "Row i (an integer scalar) of the list [n, ..]: [..].";
    LIST_SIZE "list_size" []: list_size(), (|x, _, out| size(x[0], out)), fails Never, tf "TensorListLength",
        "The number of rows of the list, an int32 scalar.";
    LIST_ROWS "list_rows" ["shape"]: list_rows(), (|x, a, out| {
            kernels::list_rows(x[0], sizes_of(a)?, out)?;
            check_known(out, a)
        }), in_place (|x, _, a| {
            kernels::list_rows_in_place(x, sizes_of(a)?)?;
            check_known(x, a)
        }), linear in floats, tf "TensorListStack",
        "All rows of the list, [n, ..].";
    LIST_CONCAT "list_concat" []: list_concat(), (unary kernels::list_concat),
        in_place (|x, _, _| kernels::list_concat_in_place(x)), linear in floats, tf "TensorListConcatV2",
        "The rows of the list joined along their first axis: [n, m, ..] to [n * m, ..].";
    LIST_ADD "list_add" []: list_add(), (binary kernels::list_add), linear in floats, tf "AddN",
        "The sum of two arrays of the same shape; if one is a list whose rows have no shape yet, the other operand.";
}

/// The sizes of a row that the program knows.
fn sizes_of(attrs: &Attrs) -> Result<Option<&[Dim]>, KernelError> {
    let whole = attrs.shape("shape")?.dims().and_then(<[Dim]>::split_first);
    Ok(whole.map(|(_, row)| row))
}

/// The shape of a row, if the program knows all its sizes.
fn row_of(attrs: &Attrs) -> Result<Option<Dims>, KernelError> {
    Ok(sizes_of(attrs)?.and_then(|row| row.iter().copied().collect()))
}

/// Checks a new list like `check_known`, but its rows may have no shape yet.
fn check_new(list: &Array, attrs: &Attrs) -> Result<(), KernelError> {
    match (row_of(attrs)?, attrs.shape("shape")?.dims()) {
        (None, None) => Ok(()),
        (None, Some([n, ..])) if n.is_none_or(|n| n == list.shape()[0]) => Ok(()),
        _ => check_known(list, attrs),
    }
}

fn size(list: &Array, out: &mut Array) -> Result<(), KernelError> {
    let Some(rows) = list.shape().first() else {
        let text = "a list has at least one axis";
        return Err(KernelError::Shape(text.to_owned()));
    };
    let too_many = |_| KernelError::Value("the list has more rows than an int32 counts".to_owned());
    out.reset_as::<i32>(&[])?[0] = i32::try_from(*rows).map_err(too_many)?;
    Ok(())
}

/// Fails if the list doesn't have the shape that the program knows.
fn check_known(list: &Array, attrs: &Attrs) -> Result<(), KernelError> {
    check_shape(list, attrs.shape("shape")?)
}

/// What is known about the rows of a list.
enum RowShape<'a> {
    Unknown,
    /// Perhaps no row has been written yet.
    Open,
    Of(&'a [Dim]),
}

/// The number of rows of a list of this type, and what is known about them.
fn parts(list: &TensorType) -> Result<(Dim, RowShape<'_>), String> {
    Ok(match list.shape.dims() {
        None => (None, RowShape::Unknown),
        Some([]) => return Err("a list has at least one axis".to_owned()),
        Some([n, row @ ..]) if may_have_no_shape(row) => (*n, RowShape::Open),
        Some([n, row @ ..]) => (*n, RowShape::Of(row)),
    })
}

/// The number of rows and the row shape that the attribute gives.
fn known(attrs: &Attrs) -> Result<(Dim, Shape), String> {
    Ok(match attrs.shape("shape")?.dims() {
        None => (None, Shape::unknown()),
        Some([]) => return Err("a list has at least one axis".to_owned()),
        Some([n, row @ ..]) => (*n, Shape::of(row.iter().copied())),
    })
}

fn whole(dtype: DType, n: Dim, row: &Shape) -> TensorType {
    let shape = match row.dims() {
        None => Shape::unknown(),
        Some(row) => Shape::of([n].into_iter().chain(row.iter().copied())),
    };
    TensorType::new(dtype, shape)
}

fn list_new(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [size] = operands(op, types)?;
    check_int_scalar(op, size)?;
    let (n, row) = known(attrs)?;
    // If a row's shape is known only in part, the rows have no shape until the first is written.
    let row = if row.is_known() {
        row
    } else {
        Shape::unknown()
    };
    Ok(whole(attrs.dtype("dtype")?, n, &row))
}

/// The type of a list after rows of this type are written.
fn written(list: &TensorType, row: &Shape, dtype: DType, grows: bool) -> Inferred {
    if list.dtype != dtype {
        return Err(format!("a list of {} takes no {dtype}", list.dtype));
    }
    let (n, rows) = parts(list)?;
    let row = match rows {
        RowShape::Unknown | RowShape::Open => row.clone(),
        RowShape::Of(expected) => {
            let expected = Shape::of(expected.iter().copied());
            merge("", &expected, row)
                .map_err(|_| format!("Inconsistent shapes: saw {row} but expected {expected}"))?
        }
    };
    Ok(whole(dtype, n.filter(|_| !grows), &row))
}

fn list_write(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [list, i, row] = operands(op, types)?;
    check_int_scalar(op, i)?;
    written(list, &row.shape, row.dtype, attrs.bool("grows")?)
}

fn list_scatter(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [list, indices, rows] = operands(op, types)?;
    let count = match rows.shape.dims() {
        None => None,
        Some([count, ..]) => *count,
        Some([]) => return Err("Tensor must be at least a vector, but saw shape: []".to_owned()),
    };
    check_indices(op, indices)?;
    merge(op, &indices.shape, &Shape::of([count]))?;
    let row = match rows.shape.dims() {
        Some([_, row @ ..]) => Shape::of(row.iter().copied()),
        _ => Shape::unknown(),
    };
    let written = written(list, &row, rows.dtype, attrs.bool("grows")?)?;
    // If no rows are written, the rows of an open list still have no shape.
    let may_stay_open = !matches!(parts(list)?.1, RowShape::Of(_)) && count.is_none_or(|n| n == 0);
    Ok(if may_stay_open {
        TensorType::new(list.dtype, Shape::unknown())
    } else {
        written
    })
}

fn list_extend(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [list, x] = operands(op, types)?;
    if list.dtype != x.dtype {
        return Err(format!("a list of {} takes no {}", list.dtype, x.dtype));
    }
    let n = match list.shape.dims() {
        None => None,
        Some([n]) => *n,
        Some(_) => return Err(format!("`{op}` takes a vector, not {list}")),
    };
    let sum = n.zip(x.shape.size()).and_then(|(n, m)| n.checked_add(m));
    Ok(TensorType::new(list.dtype, Shape::of([sum])))
}

fn list_read(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [list, i] = operands(op, types)?;
    check_int_scalar(op, i)?;
    let (_, row) = known(attrs)?;
    let row = match parts(list)?.1 {
        RowShape::Unknown | RowShape::Open => row,
        RowShape::Of(rows) => merge(op, &row, &Shape::of(rows.iter().copied()))?,
    };
    Ok(TensorType::new(list.dtype, row))
}

fn list_size(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [list] = operands(op, types)?;
    parts(list)?;
    Ok(TensorType::scalar(DType::I32))
}

fn list_rows(op: &str, types: &[TensorType], attrs: &Attrs) -> Inferred {
    let [list] = operands(op, types)?;
    let (known_n, row) = known(attrs)?;
    let (n, rows) = parts(list)?;
    let n = n.or(known_n);
    Ok(match rows {
        RowShape::Unknown | RowShape::Open => whole(list.dtype, n, &row),
        RowShape::Of(rows) => {
            let row = merge(op, &row, &Shape::of(rows.iter().copied()))?;
            whole(list.dtype, n, &row)
        }
    })
}

fn list_add(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [a, b] = operands(op, types)?;
    check_same_dtype(op, a, b)?;
    check_class(op, NUMBER, a.dtype)?;
    let shape = match (may_be_open(a), may_be_open(b)) {
        (false, false) => merge(op, &a.shape, &b.shape)?,
        (true, false) => b.shape.clone(),
        (false, true) => a.shape.clone(),
        (true, true) if a == b => a.shape.clone(),
        (true, true) => Shape::unknown(),
    };
    Ok(TensorType::new(a.dtype, shape))
}

/// Whether the rows of a list may have no shape yet.
pub(crate) fn may_be_open(list: &TensorType) -> bool {
    let row = list.shape.dims().map(|dims| dims.get(1..));
    row.is_none_or(|row| row.is_some_and(may_have_no_shape))
}

/// Whether the rows of a list of this shape have no shape yet.
pub fn is_open(list: &Shape) -> bool {
    let row = list.dims().and_then(|dims| dims.get(1..));
    row.is_some_and(|row| *row == kernels::NO_SHAPE.map(Some))
}

fn may_have_no_shape(row: &[Dim]) -> bool {
    let mut sizes = row.iter().zip(kernels::NO_SHAPE);
    row.len() == kernels::NO_SHAPE.len() && sizes.all(|(size, none)| size.is_none_or(|n| n == none))
}

fn list_concat(op: &str, types: &[TensorType], _: &Attrs) -> Inferred {
    let [list] = operands(op, types)?;
    let shape = match list.shape.dims() {
        None => Shape::unknown(),
        Some([n, first, rest @ ..]) => {
            let joined = n.zip(*first).and_then(|(n, m)| n.checked_mul(m));
            Shape::of([joined].into_iter().chain(rest.iter().copied()))
        }
        Some(_) => {
            return Err(
                "Concat saw a scalar shape at index 0 but requires at least vectors.".to_owned(),
            );
        }
    };
    Ok(TensorType::new(list.dtype, shape))
}

#[cfg(test)]
pub(super) mod tests {
    //! Cases of lists of rows.

    use graph_kernels::{Array, DType};

    use crate::ops::tests::*;
    use crate::ops::*;
    use crate::types::Shape;

    const UNREAD: &str = "Trying to read an uninitialized tensor but element_shape is not fully defined: <unknown> and no list element is set.";
    const UNSTACKED: &str = "Tried to stack list which only contains uninitialized tensors and has a non-fully-defined element_shape: <unknown>";

    pub(in crate::ops) fn cases() -> Vec<Case> {
        let unknown = || Attr::Shape(Shape::unknown());
        let known = |dims: &[Option<usize>]| Attr::Shape(Shape::of(dims.iter().copied()));
        let open = |rows: usize| Array::zeros(DType::I32, &[rows, 0, 0, 0, 0, 0, 0, 0]);
        let new = |shape, size: Array, expected| {
            case_with(
                &LIST_NEW,
                [Attr::DType(DType::I32), shape],
                [size],
                expected,
            )
        };
        let write = |grows, list: Array, i: i32, row: Array, expected| {
            case_with(
                &LIST_WRITE,
                [Attr::Bool(grows)],
                [list, scalar(i), row],
                expected,
            )
        };
        let scatter = |grows, list: Array, indices: Array, rows: Array, expected| {
            case_with(
                &LIST_SCATTER,
                [Attr::Bool(grows)],
                [list, indices, rows],
                expected,
            )
        };
        let read = |shape, list: Array, i: i32, expected| {
            case_with(&LIST_READ, [shape], [list, scalar(i)], expected)
        };
        let rows = |shape, list: Array, expected| case_with(&LIST_ROWS, [shape], [list], expected);
        let pair = || vector([1, 2]);
        let matrix_list = || matrix([[1, 2], [3, 4]]);
        vec![
            new(unknown(), scalar(3), Value(open(3))),
            new(
                known(&[None, Some(2)]),
                scalar(1i64),
                Value(matrix([[0, 0]])),
            ),
            new(
                known(&[Some(2)]),
                scalar(3),
                RunError("A tensor of shape [3] is not of shape [2]"),
            ),
            new(
                unknown(),
                scalar(-1),
                RunError("The size of a list must be non-negative, got -1"),
            ),
            new(
                known(&[]),
                scalar(1),
                TypeError("a list has at least one axis"),
            ),
            write(false, open(2), 1, pair(), Value(matrix([[0, 0], [1, 2]]))),
            write(false, open(2), 1, scalar(5), Value(vector([0, 5]))),
            write(false, pair(), 0, scalar(5), Value(vector([5, 2]))),
            write(true, pair(), 3, scalar(5), Value(vector([1, 2, 0, 5]))),
            write(
                false,
                pair(),
                2,
                scalar(5),
                RunError("Trying to modify element 2 in a list with 2 elements."),
            ),
            write(
                true,
                pair(),
                -1,
                scalar(5),
                RunError("Trying to modify element -1 in a list with 2 elements."),
            ),
            write(
                false,
                matrix_list(),
                0,
                scalar(5),
                TypeError("Inconsistent shapes: saw [] but expected [2]"),
            ),
            write(
                false,
                pair(),
                0,
                scalar(5.0),
                TypeError("a list of int32 takes no float64"),
            ),
            scatter(
                false,
                open(3),
                vector([2, 0]),
                matrix([[1, 2], [3, 4]]),
                Value(matrix([[3, 4], [0, 0], [1, 2]])),
            ),
            scatter(
                true,
                pair(),
                vector([3i64]),
                vector([7]),
                Value(vector([1, 2, 0, 7])),
            ),
            scatter(
                false,
                open(2),
                Array::zeros(DType::I32, &[0]),
                Array::zeros(DType::I32, &[0, 3]),
                Value(open(2)),
            ),
            scatter(
                false,
                pair(),
                vector([0]),
                vector([7, 8]),
                TypeError("Shapes [1] and [2] are incompatible for list_scatter"),
            ),
            scatter(
                false,
                pair(),
                vector([0]),
                scalar(7),
                TypeError("Tensor must be at least a vector, but saw shape: []"),
            ),
            case(
                &LIST_EXTEND,
                [vector([1, 2]), matrix([[3, 4]])],
                Value(vector([1, 2, 3, 4])),
            ),
            case(
                &LIST_EXTEND,
                [vector([1]), scalar(1.5f32)],
                TypeError("a list of int32 takes no float32"),
            ),
            case(
                &LIST_EXTEND,
                [scalar(1), scalar(2)],
                TypeError("`list_extend` takes a vector, not int32[]"),
            ),
            case(&LIST_SIZE, [pair()], Value(scalar(2))),
            case(&LIST_SIZE, [open(3)], Value(scalar(3))),
            case(
                &LIST_SIZE,
                [scalar(1)],
                TypeError("a list has at least one axis"),
            ),
            case(
                &LIST_ADD,
                [vector([1, 2]), vector([3, 4])],
                Value(vector([4, 6])),
            ),
            case(&LIST_ADD, [open(2), vector([3, 4])], Value(vector([3, 4]))),
            case(&LIST_ADD, [vector([3, 4]), open(2)], Value(vector([3, 4]))),
            case(
                &LIST_ADD,
                [vector([3, 4]), vector([1.5f32])],
                TypeError("`list_add` takes operands of one dtype, not int32 and float32"),
            ),
            case(
                &LIST_ADD,
                [vector([3, 4]), vector([1, 2, 3])],
                TypeError("Shapes [2] and [3] are incompatible for list_add"),
            ),
            read(unknown(), matrix_list(), 1, Value(vector([3, 4]))),
            read(known(&[None, Some(2)]), open(2), 1, Value(vector([0, 0]))),
            read(unknown(), open(2), 1, RunError(UNREAD)),
            read(
                unknown(),
                pair(),
                2,
                RunError("Trying to access element 2 in a list with 2 elements."),
            ),
            read(
                unknown(),
                pair(),
                -1,
                RunError("Trying to access element -1 in a list with 2 elements."),
            ),
            rows(unknown(), matrix_list(), Value(matrix_list())),
            rows(
                known(&[Some(2), Some(1)]),
                open(2),
                Value(matrix([[0], [0]])),
            ),
            rows(unknown(), open(0), Value(Array::zeros(DType::I32, &[0]))),
            rows(unknown(), open(2), RunError(UNSTACKED)),
            rows(
                known(&[Some(3)]),
                pair(),
                RunError("A tensor of shape [2] is not of shape [3]"),
            ),
            case(&LIST_CONCAT, [matrix_list()], Value(vector([1, 2, 3, 4]))),
            case(
                &LIST_CONCAT,
                [pair()],
                TypeError("Concat saw a scalar shape at index 0 but requires at least vectors."),
            ),
        ]
    }
}
