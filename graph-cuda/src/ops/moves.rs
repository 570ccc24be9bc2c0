//! Ops that arrange elements in another way. Those that change only the axes compute nothing; the others copy by a view.

use graph_kernels::{Dims, Paddings, normalize_axis};

use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Kernels, Step, Target, View};
use crate::value::{Tensor, Value, integers};

pub const OPS: &[(&str, Run)] = &[
    ("reshape", same_elements),
    ("expand_dims", same_elements),
    ("squeeze", same_elements),
    ("relax_shape", same_elements),
    ("stop_gradient", same_elements),
    ("after", same_elements),
    ("one_value", one_value),
    ("reshape_to", reshape_to),
    ("transpose", transpose),
    ("broadcast_to", broadcast),
    ("concat", concat),
    ("stack", stack),
    ("pad", pad),
    ("repeat", repeat),
    ("tile", tile),
    ("tile_by", tile_by),
    ("pad_by", pad_by),
    ("diag_part", diag_part),
];

/// The same elements with the axes of the result.
fn same_elements(_: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    // The type rule of `relax_shape` forgets sizes.
    match call.shape {
        Some(shape) => Ok(x.reshaped(shape)),
        None if call.op.name != "reshape" => Ok(x.clone()),
        None => Err(Trouble::NoKernel("the shape isn't known")),
    }
}

/// The only element as a scalar. If there isn't one element, the CPU says so.
fn one_value(_: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    match x.count() {
        1 => Ok(x.reshaped(&[])),
        _ => Err(Trouble::NoKernel("it has several elements, or none")),
    }
}

fn reshape_to(_: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, sizes] = call.all()?;
    let sizes = sizes.fetch()?;
    let given = integers(&sizes).ok_or(Trouble::NoKernel("the sizes aren't integers"))?;
    let mut shape = Dims::new();
    let known: i64 = given.iter().filter(|size| **size != -1).product();
    for size in &given {
        let size = match size {
            -1 if known > 0 => x.count() as i64 / known,
            size => *size,
        };
        let size = usize::try_from(size);
        shape.push(size.map_err(|_| Trouble::NoKernel("a size is negative"))?);
    }
    if shape.iter().product::<usize>() != x.count() {
        return Err(Trouble::NoKernel("the sizes don't fit"));
    }
    Ok(x.reshaped(&shape))
}

/// A copy of the elements that a view leads to.
pub fn copy(kernels: &Kernels, x: &Tensor, view: View, shape: &[usize]) -> Outcome {
    let input = x.input_by(view)?;
    kernels.result(x.dtype, shape, |out| {
        let steps = vec![Step::Operand(0)];
        Ok(kernels.map(&Target::Whole(out), shape, x.dtype, steps, &[input])?)
    })
}

fn transpose(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    let order: Result<Vec<usize>, _> = call
        .attrs
        .ints("perm")?
        .iter()
        .map(|axis| normalize_axis(*axis, x.shape.len()))
        .collect();
    copy(
        kernels,
        x,
        View::of(&x.shape).permuted(&order?),
        call.shape()?,
    )
}

fn broadcast(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let (x, shape) = (call.operand()?, call.shape()?);
    copy(kernels, x, View::broadcast(&x.shape, shape), shape)
}

/// Copies tensors side by side along an axis, on which each has some size.
fn side_by_side(
    kernels: &Kernels,
    call: &Call<'_>,
    axis: usize,
    part: impl Fn(&Tensor) -> Dims,
) -> Outcome {
    let shape = call.shape()?;
    let whole = View::of(shape);
    kernels.result(call.dtype, shape, |out| {
        let mut at = 0;
        for x in call.operands {
            let part = part(x);
            let view = View {
                offset: at * whole.strides[axis],
                strides: whole.strides.clone(),
            };
            at += part[axis] as i64;
            let input = x.input_by(View::of(&part))?;
            let target = Target::Part(out, view);
            let steps = vec![Step::Operand(0)];
            kernels.map(&target, &part, x.dtype, steps, &[input])?;
        }
        Ok(())
    })
}

fn concat(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let axis = normalize_axis(call.attrs.int("axis")?, call.shape()?.len())?;
    side_by_side(kernels, call, axis, |x| x.shape.clone())
}

fn stack(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let axis = normalize_axis(call.attrs.int("axis")?, call.shape()?.len())?;
    side_by_side(kernels, call, axis, |x| {
        let mut shape = x.shape.clone();
        shape.insert(axis, 1);
        shape
    })
}

fn pad(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, value] = call.all()?;
    let (before, after) = (call.attrs.ints("before")?, call.attrs.ints("after")?);
    padded(kernels, x, value, before, after)
}

/// As `pad`; the sizes of the padding are an operand, which comes to the host.
fn pad_by(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, value, paddings] = call.all()?;
    let pairs = integers(&*paddings.fetch()?);
    let pairs = pairs.ok_or(Trouble::NoKernel("the paddings aren't integers"))?;
    if paddings.shape[..] != [x.shape.len(), 2] {
        return Err(Trouble::NoKernel("the paddings aren't pairs"));
    }
    let side = |n: usize| -> Vec<i64> { pairs.iter().skip(n).step_by(2).copied().collect() };
    padded(kernels, x, value, &side(0), &side(1))
}

/// Fills the result, then writes the operand into its middle.
fn padded(kernels: &Kernels, x: &Tensor, value: &Tensor, before: &[i64], after: &[i64]) -> Outcome {
    let paddings = Paddings::new(before, after, x.shape.len())?;
    let sizes = x.shape.iter().enumerate();
    let shape: Option<Dims> = sizes
        .map(|(axis, size)| paddings.padded(axis, *size))
        .collect();
    let shape = shape.ok_or(Trouble::NoKernel("the paddings are too large"))?;
    let mut view = View::of(&shape);
    for (axis, stride) in view.strides.iter().enumerate() {
        view.offset += paddings.at(axis).0 as i64 * stride;
    }
    kernels.result(x.dtype, &shape, |out| {
        let fill = [value.input(&shape)?];
        let steps = || vec![Step::Operand(0)];
        kernels.map(&Target::Whole(out), &shape, x.dtype, steps(), &fill)?;
        let middle = [x.input_by(View::of(&x.shape))?];
        let target = Target::Part(out, view);
        Ok(kernels.map(&target, &x.shape, x.dtype, steps(), &middle)?)
    })
}

/// The tensor with more axes, which its view repeats, reshaped to the result.
fn repeated(kernels: &Kernels, x: &Tensor, dims: &[usize], view: View, shape: &[usize]) -> Outcome {
    let out = copy(kernels, x, view, dims)?;
    Ok(Value::reshaped(&out, shape))
}

/// Repeats each element along an axis `count` times.
fn repeat(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let (x, shape) = (call.operand()?, call.shape()?);
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    let count = shape[axis] / x.shape[axis].max(1);
    let mut dims = x.shape.clone();
    dims.insert(axis + 1, count);
    let mut view = View::of(&x.shape);
    view.strides.insert(axis + 1, 0);
    repeated(kernels, x, &dims, view, shape)
}

fn tile(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    tiled(kernels, call.operand()?, call.shape()?)
}

/// As `tile`; how often is an operand, which comes to the host.
fn tile_by(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, multiples] = call.all()?;
    let multiples = graph_kernels::sizes_in("tile_by", &*multiples.fetch()?)?;
    if multiples.len() != x.shape.len() {
        return Err(Trouble::NoKernel("there isn't one number for each axis"));
    }
    let pairs = x.shape.iter().zip(&multiples);
    let shape: Option<Dims> = pairs
        .map(|(size, times)| size.checked_mul(*times))
        .collect();
    let shape = shape.ok_or(Trouble::NoKernel("the result is too large"))?;
    tiled(kernels, x, &shape)
}

/// Repeats the tensor along its axes.
fn tiled(kernels: &Kernels, x: &Tensor, shape: &[usize]) -> Outcome {
    if shape.len() != x.shape.len() {
        return Err(Trouble::NoKernel("the ranks differ"));
    }
    let own = View::of(&x.shape);
    let (mut dims, mut view) = (Dims::new(), View::default());
    for (axis, size) in x.shape.iter().enumerate() {
        dims.extend([shape[axis] / size.max(&1), *size]);
        view.strides.extend([0, own.strides[axis]]);
    }
    if dims.iter().product::<usize>() != shape.iter().product() {
        return Err(Trouble::NoKernel("the tensor is empty"));
    }
    repeated(kernels, x, &dims, view, shape)
}

/// A diagonal of the last two axes.
fn diag_part(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let (x, shape) = (call.operand()?, call.shape()?);
    let diagonal = call.attrs.int("diagonal")?;
    let [.., _, _] = x.shape[..] else {
        return Err(Trouble::NoKernel("the operand has no two axes"));
    };
    let mut view = View::of(&x.shape);
    let (column, row) = (view.strides.pop(), view.strides.pop());
    let (row, column) = (row.unwrap_or(0), column.unwrap_or(0));
    view.offset = match diagonal {
        above @ 0.. => above * column,
        below => -below * row,
    };
    view.strides.push(row + column);
    copy(kernels, x, view, shape)
}
