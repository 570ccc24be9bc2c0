//! Lists of rows. A list is one array `[n, ..]`, as here. In a list to which no row has been written, the rows may have no shape yet: it has no values
//! then, and its size is that of its first axis. So a list is brought into the shape of its rows by padding its values with zeros.

use graph_ir::ops::Attrs;
use graph_ir::types::{Shape, TensorType};
use graph_kernels::{Array, DType, NO_SHAPE};

use super::Rules;
use crate::tensorflow::export::body::Tensor;
use crate::tensorflow::export::writer::Writer;

pub(super) const RULES: Rules = &[
    ("list_new", list_new),
    ("list_write", list_write),
    ("list_scatter", list_scatter),
    ("list_extend", list_extend),
    ("list_read", list_read),
    ("list_size", list_size),
    ("list_rows", list_rows),
    ("list_concat", list_concat),
    ("list_add", |w, x, _, ty| {
        Ok(w.op("AddV2", &[&x[0], &x[1]]).gives(ty.clone()))
    }),
];

/// The sizes of a row that the attribute knows.
fn known_row(a: &Attrs) -> Result<Option<Vec<i64>>, String> {
    let dims = a.shape("shape")?.dims().and_then(<[_]>::split_first);
    let sizes =
        |(_, row): (_, &[Option<usize>])| row.iter().map(|dim| dim.map(|n| n as i64)).collect();
    Ok(dims.and_then(sizes))
}

fn list_new(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let row = known_row(a)?.unwrap_or_else(|| vec![0; NO_SHAPE.len()]);
    let (count, row) = (w.cast(&x[0], DType::I32), w.ints(&row));
    let count = w.packed(&[count]);
    let shape = w.joined(&[count, row]);
    let zero = Tensor::constant(Array::zeros(ty.dtype, &[]));
    Ok(w.op("Fill", &[&shape, &zero]).gives(ty.clone()))
}

/// The list with this number of rows of this shape.
fn with_rows(w: &mut Writer, list: &Tensor, count: &Tensor, row: &Tensor) -> Tensor {
    let count = w.packed(std::slice::from_ref(count));
    let shape = w.joined(&[count, row.clone()]);
    let axis = w.int(0);
    let total = w
        .op("Prod", &[&shape, &axis])
        .gives(TensorType::scalar(DType::I32));
    let (flat, size) = (w.flat(list), w.size(list));
    let missing = w
        .op("Sub", &[&total, &size])
        .gives(TensorType::scalar(DType::I32));
    let paddings = w.packed(&[axis, missing]);
    let one_row = w.ints(&[1, 2]);
    let paddings = w.reshape(&paddings, &one_row);
    let padded = w.op("Pad", &[&flat, &paddings]).of(list.dtype());
    w.reshape(&padded, &shape)
}

/// The number of rows, at least that of a position and all before it, if the list grows.
fn count(w: &mut Writer, list: &Tensor, last: &Tensor, grows: bool) -> Tensor {
    let size = w.axis_size(list, 0);
    if !grows {
        return size;
    }
    let (last, one) = (w.cast(last, DType::I32), w.int(1));
    let needed = w
        .op("AddV2", &[&last, &one])
        .gives(TensorType::scalar(DType::I32));
    w.op("Maximum", &[&size, &needed])
        .gives(TensorType::scalar(DType::I32))
}

fn list_write(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let [list, at, row] = x else {
        return Err("it takes three operands".to_owned());
    };
    let (count, sizes) = (count(w, list, at, a.bool("grows")?), w.shape(row));
    let list = with_rows(w, list, &count, &sizes);
    let position = w.ints(&[1, 1]);
    let position = w.reshape(at, &position);
    let axis = w.int(0);
    let row = w.op("ExpandDims", &[row, &axis]).of(ty.dtype);
    Ok(w.op("TensorScatterUpdate", &[&list, &position, &row])
        .gives(ty.clone()))
}

fn list_scatter(
    w: &mut Writer,
    x: &[Tensor],
    a: &Attrs,
    ty: &TensorType,
) -> Result<Tensor, String> {
    let [list, at, rows] = x else {
        return Err("it takes three operands".to_owned());
    };
    let axis = w.int(0);
    let last = w
        .op("Max", &[at, &axis])
        .gives(TensorType::scalar(at.dtype()));
    let count = count(w, list, &last, a.bool("grows")?);
    let sizes = w.shape(rows);
    let sizes = w.part_of_vector(&sizes, 1, None);
    let list = with_rows(w, list, &count, &sizes);
    let one = w.int(1);
    let positions = w.op("ExpandDims", &[at, &one]).of(at.dtype());
    Ok(w.op("TensorScatterUpdate", &[&list, &positions, rows])
        .gives(ty.clone()))
}

fn list_extend(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let (more, axis) = (w.flat(&x[1]), w.int(0));
    let joined = w
        .op("ConcatV2", &[])
        .list(&[x[0].clone(), more])
        .with(&axis);
    Ok(joined.gives(ty.clone()))
}

/// The list under the shape of its rows, if the program knows it.
fn shaped(w: &mut Writer, list: &Tensor, a: &Attrs) -> Result<Tensor, String> {
    let Some(row) = known_row(a)? else {
        return Ok(list.clone());
    };
    let (count, row) = (w.axis_size(list, 0), w.ints(&row));
    Ok(with_rows(w, list, &count, &row))
}

fn list_read(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let (list, axis) = (shaped(w, &x[0], a)?, w.int(0));
    Ok(w.op("GatherV2", &[&list, &x[1], &axis]).gives(ty.clone()))
}

fn list_size(w: &mut Writer, x: &[Tensor], _: &Attrs, _: &TensorType) -> Result<Tensor, String> {
    Ok(w.axis_size(&x[0], 0))
}

fn list_rows(w: &mut Writer, x: &[Tensor], a: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let list = shaped(w, &x[0], a)?;
    Ok(w.op("Identity", &[&list]).gives(ty.clone()))
}

/// The first two axes become one.
fn list_concat(w: &mut Writer, x: &[Tensor], _: &Attrs, ty: &TensorType) -> Result<Tensor, String> {
    let shape = w
        .op("Shape", &[&x[0]])
        .gives(TensorType::new(DType::I32, Shape::of([None])));
    let rest = w.part_of_vector(&shape, 2, None);
    let all = w.ints(&[-1]);
    let shape = w.joined(&[all, rest]);
    Ok(w.op("Reshape", &[&x[0], &shape]).gives(ty.clone()))
}
