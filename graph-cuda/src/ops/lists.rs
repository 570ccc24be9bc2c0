//! Lists of rows. A list whose rows have no shape yet stays the CPU's, except that a new one may be made; it has no elements.

use graph_kernels::{Dims, ElementOp, NO_SHAPE};

use super::scatters::replaced;
use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Input, Kernels, Step, Target, View};
use crate::value::{Tensor, integers};

pub const OPS: &[(&str, Run)] = &[
    ("list_new", list_new),
    ("list_scatter", list_scatter),
    ("list_extend", list_extend),
    ("list_rows", list_rows),
    ("list_concat", list_concat),
    ("list_add", list_add),
];

/// Whether the rows of a list have no shape yet.
fn is_open(list: &Tensor) -> bool {
    let row = list.shape.split_first().map(|(_, row)| row);
    row.is_some_and(|row| *row == NO_SHAPE)
}

/// Fails if the rows of a list have no shape yet.
fn check_written(list: &Tensor) -> Result<(), Trouble> {
    match is_open(list) || list.shape.is_empty() {
        true => Err(Trouble::NoKernel("the rows have no shape yet")),
        false => Ok(()),
    }
}

/// Zeros, if the shape of the rows is known.
fn list_new(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let size = integers(&*call.operand()?.fetch()?);
    let size = size.and_then(|sizes| usize::try_from(*sizes.first()?).ok());
    let size = size.ok_or(Trouble::NoKernel("the size is negative"))?;
    let declared = call.attrs.shape("shape")?.dims();
    let known: Option<Dims> = declared.and_then(|dims| dims.get(1..)?.iter().copied().collect());
    let row = known.ok_or(Trouble::NoKernel("the rows have no shape yet"))?;
    let declared = declared.and_then(|dims| *dims.first()?);
    if declared.is_some_and(|declared| declared != size) {
        return Err(Trouble::NoKernel("the size isn't the declared one"));
    }
    let mut shape = Dims::from_slice(&[size]);
    shape.extend(row);
    kernels.result(call.dtype, &shape, |out| {
        let zero = [Input::Value(call.dtype, 0)];
        let steps = vec![Step::Operand(0)];
        Ok(kernels.map(&Target::Whole(out), &shape, call.dtype, steps, &zero)?)
    })
}

/// Writes rows of a list that is long enough.
fn list_scatter(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [list, indices, rows] = call.all()?;
    check_written(list)?;
    if call.attrs.bool("grows")? {
        let rows = list.shape[0] as i64;
        let indices = integers(&*indices.fetch()?).unwrap_or_default();
        if indices.iter().any(|at| *at >= rows) {
            return Err(Trouble::NoKernel("the list grows"));
        }
    }
    let fits = rows.shape.get(1..) == Some(&list.shape[1..]);
    if !fits || indices.shape[..] != rows.shape[..1] {
        return Err(Trouble::NoKernel("the rows don't fit"));
    }
    let indices = indices.reshaped(&[rows.shape[0], 1]);
    replaced(kernels, list, &indices, rows)
}

/// Appends the values of a tensor to a vector.
fn list_extend(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [list, x] = call.all()?;
    let [rows] = list.shape[..] else {
        return Err(Trouble::NoKernel("the list isn't a vector"));
    };
    let shape = [rows + x.count()];
    kernels.result(list.dtype, &shape, |out| {
        for (part, offset) in [(list, 0), (x, rows)] {
            let line = [part.count()];
            let mut to = View::of(&shape);
            to.offset = offset as i64;
            let part = part.reshaped(&line);
            let input = [part.input(&line)?];
            let steps = vec![Step::Operand(0)];
            let target = Target::Part(out, to);
            kernels.map(&target, &line, list.dtype, steps, &input)?;
        }
        Ok(())
    })
}

/// The rows, whose shape must be the declared one.
fn list_rows(_: &Kernels, call: &Call<'_>) -> Outcome {
    let list = call.operand()?;
    check_written(list)?;
    let fits = match call.attrs.shape("shape")?.dims() {
        None => true,
        Some(dims) => {
            let mut pairs = dims.iter().zip(&list.shape);
            dims.len() == list.shape.len()
                && pairs.all(|(declared, size)| declared.is_none_or(|declared| declared == *size))
        }
    };
    match fits {
        true => Ok(list.clone()),
        false => Err(Trouble::NoKernel("the rows haven't the declared shape")),
    }
}

/// The rows joined along their first axis.
fn list_concat(_: &Kernels, call: &Call<'_>) -> Outcome {
    let list = call.operand()?;
    check_written(list)?;
    let [rows, first, rest @ ..] = &list.shape[..] else {
        return Err(Trouble::NoKernel("the rows are scalars"));
    };
    let mut shape = Dims::from_slice(&[rows * first]);
    shape.extend_from_slice(rest);
    Ok(list.reshaped(&shape))
}

/// The sum of two lists; one whose rows have no shape yet counts as zeros.
fn list_add(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [a, b] = call.all()?;
    match (is_open(a), is_open(b)) {
        (true, _) => return Ok(b.clone()),
        (_, true) => return Ok(a.clone()),
        _ if a.shape != b.shape => return Err(Trouble::NoKernel("the shapes differ")),
        _ => {}
    }
    let shape = &a.shape;
    let inputs = [a.input(shape)?, b.input(shape)?];
    let steps = vec![
        Step::Operand(0),
        Step::Operand(1),
        Step::Element(ElementOp::Add, a.dtype, vec![0, 1]),
    ];
    kernels.result(a.dtype, shape, |out| {
        Ok(kernels.map(&Target::Whole(out), shape, a.dtype, steps, &inputs)?)
    })
}
