//! Ops that change elements at positions that a tensor contains: scatters, and the gradients of lookups.

use graph_kernels::{Dims, ElementOp, batch_axes, normalize_axis};

use super::parts::{to_change, with_size};
use super::{Call, Outcome, Run, Trouble};
use crate::driver::Buffer;
use crate::kernels::{Along, Change, Kernels, Lookup, Outside, Scatter, View};
use crate::value::{Tensor, Value};

pub const OPS: &[(&str, Run)] = &[
    ("scatter_update", |kernels, call| {
        scatter(kernels, call, Change::Replace)
    }),
    ("scatter_add", |kernels, call| {
        scatter(kernels, call, Change::Combine(ElementOp::Add))
    }),
    ("scatter_sub", |kernels, call| {
        scatter(kernels, call, Change::Combine(ElementOp::Sub))
    }),
    ("scatter_min", |kernels, call| {
        scatter(kernels, call, Change::Combine(ElementOp::Minimum))
    }),
    ("scatter_max", |kernels, call| {
        scatter(kernels, call, Change::Combine(ElementOp::Maximum))
    }),
    ("index_add", index_add),
    ("gather_add", gather_add),
    ("add_along_axis", add_along_axis),
];

/// Where a tensor's elements are changed, by what and how.
struct Updates<'a> {
    /// The axes of the rows of updates, and those of a row.
    axes: [Dims; 2],
    positions: Lookup<'a>,
    elements: View,
    updates: &'a Tensor,
    /// The updates over all axes.
    view: View,
    change: Change,
}

/// A copy of a tensor with updates.
fn changed(kernels: &Kernels, x: &Tensor, updates: &Updates<'_>) -> Outcome {
    let out = to_change(kernels, x)?;
    apply(kernels, &out, x, updates)?;
    Ok(Value::computed(x.dtype, &x.shape, out))
}

fn apply(
    kernels: &Kernels,
    out: &Buffer,
    x: &Tensor,
    updates: &Updates<'_>,
) -> Result<(), Trouble> {
    let [rows, row] = &updates.axes;
    let (count, length): (usize, usize) = (rows.iter().product(), row.iter().product());
    if !Kernels::can_scatter(x.count(), count) {
        return Err(Trouble::NoKernel("there are too many elements"));
    }
    if x.count() == 0 && count > 0 {
        return Err(Trouble::NoKernel("the tensor is empty"));
    }
    // The positions count even if there is nothing to write at them.
    if length == 0 && count > 0 {
        return Err(Trouble::NoKernel("the updates are empty"));
    }
    let scatter = Scatter {
        dtype: x.dtype,
        change: updates.change,
        rows,
        positions: updates.positions.clone(),
        row,
        elements: updates.elements.clone(),
        updates: updates.updates.input_by(updates.view.clone())?,
        sorted: false,
    };
    Ok(kernels.scatter(out, &scatter)?)
}

/// The axes of a view from the first on, and other axes behind them.
fn followed(first: &[i64], second: &[i64]) -> View {
    let mut view = View::default();
    view.strides.extend_from_slice(first);
    view.strides.extend_from_slice(second);
    view
}

/// Zeros for so many axes.
fn still(axes: usize) -> Vec<i64> {
    vec![0; axes]
}

/// Updates at rows of positions.
fn scatter(kernels: &Kernels, call: &Call<'_>, change: Change) -> Outcome {
    let [x, indices, updates] = call.all()?;
    at_rows(kernels, x, indices, updates, change)
}

/// A copy of a tensor with other parts at rows of positions.
pub fn replaced(kernels: &Kernels, x: &Tensor, indices: &Tensor, parts: &Tensor) -> Outcome {
    at_rows(kernels, x, indices, parts, Change::Replace)
}

fn at_rows(
    kernels: &Kernels,
    x: &Tensor,
    indices: &Tensor,
    updates: &Tensor,
    change: Change,
) -> Outcome {
    let Some((depth, outer)) = indices.shape.split_last() else {
        return Err(Trouble::NoKernel("indices must be at least a vector"));
    };
    let row = x.shape.get(*depth..);
    let row = row.ok_or(Trouble::NoKernel("the rows of positions are too long"))?;
    if updates.shape.len() != outer.len() + row.len()
        || !updates.shape.starts_with(outer)
        || !updates.shape.ends_with(row)
    {
        return Err(Trouble::NoKernel("the updates don't fit"));
    }
    let (own, of_indices) = (View::of(&x.shape), View::of(&indices.shape));
    let mut along = Vec::new();
    for axis in 0..*depth {
        let view = View {
            offset: axis as i64,
            strides: of_indices.strides[..outer.len()].into(),
        };
        along.push(Along {
            indices: indices.input_by(view)?,
            size: x.shape[axis],
            stride: own.strides[axis],
        });
    }
    let updates = Updates {
        axes: [outer.into(), row.into()],
        positions: Lookup {
            start: followed(&still(outer.len()), &[]),
            along,
            outside: Outside::Wrong,
        },
        elements: followed(&still(outer.len()), &own.strides[*depth..]),
        updates,
        view: View::of(&updates.shape),
        change,
    };
    changed(kernels, x, &updates)
}

/// Adds to the part at scalar positions of the first axes: one row of updates.
fn index_add(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, part, positions @ ..] = call.operands else {
        return Err(Trouble::NoKernel("an operand is missing"));
    };
    if x.shape.get(positions.len()..) != Some(&part.shape[..]) {
        return Err(Trouble::NoKernel("the part doesn't fit"));
    }
    let own = View::of(&x.shape);
    let mut along = Vec::new();
    for (axis, position) in positions.iter().enumerate() {
        along.push(Along {
            indices: position.input(&[])?,
            size: x.shape[axis],
            stride: own.strides[axis],
        });
    }
    let updates = Updates {
        axes: [Dims::new(), part.shape.clone()],
        positions: Lookup {
            start: View::default(),
            along,
            outside: Outside::FromTheEnd,
        },
        elements: followed(&[], &own.strides[positions.len()..]),
        updates: part,
        view: View::of(&part.shape),
        change: Change::Combine(ElementOp::Add),
    };
    changed(kernels, x, &updates)
}

/// Adds slices at indices of an axis. The rows of updates are the indices; a row has the other axes of the tensor, without those of the batch.
fn gather_add(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, part, indices] = call.all()?;
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    let batch = batch_axes(call.attrs.int("batch_dims")?, axis, indices.shape.len())?;
    let places = &indices.shape[batch..];
    let mut shape = Dims::from_slice(&x.shape[..axis]);
    shape.extend_from_slice(places);
    shape.extend_from_slice(&x.shape[axis + 1..]);
    if part.shape != shape || indices.shape[..batch] != x.shape[..batch] {
        return Err(Trouble::NoKernel("the part doesn't fit"));
    }
    let (own, of_part) = (View::of(&x.shape), View::of(&shape));
    let behind = axis + places.len();
    let mut row = Dims::from_slice(&x.shape[batch..axis]);
    row.extend_from_slice(&x.shape[axis + 1..]);
    let of_row = |steps: &[i64], behind: usize| {
        let mut steps_of_row = steps[batch..axis].to_vec();
        steps_of_row.extend_from_slice(&steps[behind..]);
        steps_of_row
    };
    let mut rows = of_part.strides[..batch].to_vec();
    rows.extend_from_slice(&of_part.strides[axis..behind]);
    let updates = Updates {
        axes: [indices.shape.clone(), row],
        positions: Lookup {
            start: followed(&own.strides[..batch], &still(places.len())),
            along: vec![Along {
                indices: indices.input_by(View::of(&indices.shape))?,
                size: x.shape[axis],
                stride: own.strides[axis],
            }],
            outside: Outside::Wrong,
        },
        elements: followed(&still(indices.shape.len()), &of_row(&own.strides, axis + 1)),
        updates: part,
        view: followed(&rows, &of_row(&of_part.strides, behind)),
        change: Change::Combine(ElementOp::Add),
    };
    changed(kernels, x, &updates)
}

/// Adds values one by one, each at an index of its lane along an axis.
fn add_along_axis(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, indices, values] = call.all()?;
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    let shape = &values.shape;
    if shape.len() != x.shape.len() || indices.shape.len() != shape.len() {
        return Err(Trouble::NoKernel("the ranks differ"));
    }
    let own = View::of(&x.shape);
    let mut start = View::broadcast(&x.shape, &with_size(shape, axis, x.shape[axis]));
    start.strides[axis] = 0;
    let updates = Updates {
        axes: [shape.clone(), Dims::new()],
        positions: Lookup {
            start,
            along: vec![Along {
                indices: indices.input(shape)?,
                size: x.shape[axis],
                stride: own.strides[axis],
            }],
            outside: Outside::Wrong,
        },
        elements: followed(&still(shape.len()), &[]),
        updates: values,
        view: View::of(shape),
        change: Change::Combine(ElementOp::Add),
    };
    changed(kernels, x, &updates)
}
