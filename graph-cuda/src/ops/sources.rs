//! Ops that make tensors of a few numbers, and ops whose result depends on shapes alone, which is known without the GPU.

use std::sync::Arc;

use graph_kernels::{Array, DType, ElementOp, normalize_axis};

use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{Input, Kernels, Step, Target, View};
use crate::value::Value;

pub const OPS: &[(&str, Run)] = &[
    ("fill", fill),
    ("fill_to", fill_to),
    ("broadcast_as", broadcast_as),
    ("eye", eye),
    ("one_hot", one_hot),
    ("band_part", band_part),
    ("shape_of", of_shape),
    ("size_of", of_shape),
    ("rank_of", of_shape),
    ("list_size", of_shape),
    ("range", range),
    ("linspace", linspace),
    ("undefined", undefined),
];

/// Memory that nobody reads. It has the size of a value, because in a recorded program the value of another branch or iteration takes its place.
fn undefined(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let unknown = Trouble::NoKernel("it has no value, and its shape isn't known");
    let shape = call.shape.ok_or(unknown)?;
    let room = kernels.room(call.dtype, shape)?;
    Ok(Value::computed(call.dtype, shape, room))
}

fn fill(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    broadcast(kernels, call, call.shape()?)
}

fn fill_to(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let sizes = call.all::<2>()?[1].fetch()?;
    broadcast(kernels, call, &graph_kernels::sizes_in("fill_to", &sizes)?)
}

fn broadcast_as(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, sizes] = call.all()?;
    let sizes = graph_kernels::sizes_in("broadcast_as", &*sizes.fetch()?)?;
    let missing = sizes.len().checked_sub(x.shape.len());
    let missing = missing.ok_or(Trouble::NoKernel("the shape has fewer axes"))?;
    let mut pairs = x.shape.iter().zip(&sizes[missing..]);
    if !pairs.all(|(own, size)| own == size || *own == 1) {
        return Err(Trouble::NoKernel("the shapes don't broadcast"));
    }
    broadcast(kernels, call, &sizes)
}

/// The first operand, repeated.
fn broadcast(kernels: &Kernels, call: &Call<'_>, shape: &[usize]) -> Outcome {
    let x = call.operands.first();
    let x = x.ok_or(Trouble::NoKernel("an operand is missing"))?;
    let input = x.input(shape)?;
    kernels.result(x.dtype, shape, |out| {
        let steps = vec![Step::Operand(0)];
        Ok(kernels.map(&Target::Whole(out), shape, x.dtype, steps, &[input])?)
    })
}

/// The coordinate along one of `rank` axes.
pub fn coordinate(axis: usize, rank: usize) -> Input<'static> {
    let mut view = View::still(rank);
    view.strides[axis] = 1;
    Input::Position(view)
}

/// The conversion of a truth value to a dtype, as the last step.
fn as_number(steps: &mut Vec<Step>, dtype: DType) -> Result<(), Trouble> {
    let last = steps.len() - 1;
    match ElementOp::conversion(dtype) {
        _ if dtype == DType::Bool => {}
        Some(op) => steps.push(Step::Element(op, DType::Bool, vec![last])),
        None => return Err(Trouble::NoKernel("the dtype holds no numbers")),
    }
    Ok(())
}

fn eye(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let shape = call.shape()?;
    let inputs = [coordinate(0, 2), coordinate(1, 2)];
    let mut steps = vec![
        Step::Operand(0),
        Step::Operand(1),
        Step::Element(ElementOp::Equal, DType::I64, vec![0, 1]),
    ];
    as_number(&mut steps, call.dtype)?;
    kernels.result(call.dtype, shape, |out| {
        Ok(kernels.map(&Target::Whole(out), shape, call.dtype, steps, &inputs)?)
    })
}

fn one_hot(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let (indices, shape) = (call.operand()?, call.shape()?);
    let mut view = View::of(&indices.shape);
    view.strides.push(0);
    let inputs = [
        indices.input_by(view)?,
        coordinate(shape.len() - 1, shape.len()),
    ];
    let mut steps = vec![Step::Operand(0), Step::Operand(1)];
    let mut wide = 0;
    if indices.dtype != DType::I64 {
        steps.push(Step::Element(ElementOp::ToI64, indices.dtype, vec![0]));
        wide = 2;
    }
    steps.push(Step::Element(ElementOp::Equal, DType::I64, vec![wide, 1]));
    as_number(&mut steps, call.dtype)?;
    kernels.result(call.dtype, shape, |out| {
        Ok(kernels.map(&Target::Whole(out), shape, call.dtype, steps, &inputs)?)
    })
}

/// The diagonals from `low` to `high` of each matrix, zeros elsewhere.
fn band_part(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let (x, shape) = (call.operand()?, call.shape()?);
    let rank = shape.len();
    let last = normalize_axis(-1, rank)?;
    let (low, high) = (call.attrs.int("low")?, call.attrs.int("high")?);
    let (row, column) = (coordinate(last - 1, rank), coordinate(last, rank));
    let inputs = [x.input(shape)?, row, column];
    let steps = vec![
        Step::Operand(0),
        Step::Operand(1),
        Step::Operand(2),
        Step::Element(ElementOp::Sub, DType::I64, vec![2, 1]),
        Step::Constant(DType::I64, low as u64),
        Step::Constant(DType::I64, high as u64),
        Step::Element(ElementOp::GreaterEqual, DType::I64, vec![3, 4]),
        Step::Element(ElementOp::LessEqual, DType::I64, vec![3, 5]),
        Step::Element(ElementOp::LogicalAnd, DType::Bool, vec![6, 7]),
        Step::Constant(x.dtype, 0),
        Step::Element(ElementOp::Select, x.dtype, vec![8, 0, 9]),
    ];
    kernels.result(x.dtype, shape, |out| {
        Ok(kernels.map(&Target::Whole(out), shape, x.dtype, steps, &inputs)?)
    })
}

/// A start, and multiples of a step added to it. How many there are depends on the operands, which come to the host.
fn range(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [start, limit, delta] = call.all()?;
    let arrays = [start.fetch()?, limit.fetch()?, delta.fetch()?];
    let count = graph_kernels::range_len(&arrays[0], &arrays[1], &arrays[2])?;
    let (dtype, shape) = (call.dtype, [count]);
    let inputs = [start.input(&shape)?, delta.input(&shape)?, coordinate(0, 1)];
    let mut steps: Vec<Step> = (0..3).map(Step::Operand).collect();
    let position = converted(&mut steps, 2, dtype);
    steps.push(Step::Element(ElementOp::Mul, dtype, vec![1, position]));
    let product = steps.len() - 1;
    steps.push(Step::Element(ElementOp::Add, dtype, vec![0, product]));
    kernels.result(dtype, &shape, |out| {
        Ok(kernels.map(&Target::Whole(out), &shape, dtype, steps, &inputs)?)
    })
}

/// A position, which is a value of a chain, as a number of a dtype.
pub fn converted(steps: &mut Vec<Step>, position: usize, dtype: DType) -> usize {
    match ElementOp::conversion(dtype) {
        Some(op) if dtype != DType::I64 => {
            steps.push(Step::Element(op, DType::I64, vec![position]));
            steps.len() - 1
        }
        _ => position,
    }
}

/// Numbers at equal distances. The first and the last are the operands themselves.
fn linspace(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [start, stop] = call.all()?;
    let (dtype, shape) = (call.dtype, call.shape()?);
    let last = shape.first().map_or(0, |count| count.saturating_sub(1)) as u64;
    let inputs = [start.input(shape)?, stop.input(shape)?, coordinate(0, 1)];
    let mut steps: Vec<Step> = (0..3).map(Step::Operand).collect();
    steps.extend([
        Step::Constant(DType::I64, last),
        Step::Constant(DType::I64, last.max(1)),
        Step::Constant(DType::I64, 0),
    ]);
    let [position, count] = [2, 4].map(|value| converted(&mut steps, value, dtype));
    let mut push = |step: Step| {
        steps.push(step);
        steps.len() - 1
    };
    let of = |op, operands| Step::Element(op, dtype, operands);
    let span = push(of(ElementOp::Sub, vec![1, 0]));
    let delta = push(of(ElementOp::Div, vec![span, count]));
    let distance = push(of(ElementOp::Mul, vec![delta, position]));
    let between = push(of(ElementOp::Add, vec![0, distance]));
    let is_last = push(Step::Element(ElementOp::Equal, DType::I64, vec![2, 3]));
    let is_first = push(Step::Element(ElementOp::Equal, DType::I64, vec![2, 5]));
    let after = push(of(ElementOp::Select, vec![is_last, 1, between]));
    push(of(ElementOp::Select, vec![is_first, 0, after]));
    kernels.result(dtype, shape, |out| {
        Ok(kernels.map(&Target::Whole(out), shape, dtype, steps, &inputs)?)
    })
}

/// The shape, rank or number of elements or rows of a tensor.
fn of_shape(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    let array = match call.op.name {
        "shape_of" => integers_as(call.dtype, x.shape.iter().map(|size| *size as i64), true),
        "size_of" => integers_as(call.dtype, [x.count() as i64], false),
        "rank_of" => integers_as(call.dtype, [x.shape.len() as i64], false),
        _ => integers_as(call.dtype, [*x.shape.first().unwrap_or(&0) as i64], false),
    };
    let array = array.ok_or(Trouble::NoKernel("the result isn't of integers"))?;
    Ok(Value::of_host(kernels.gpu(), Arc::new(array))?)
}

/// Integers as an array, a vector or a scalar.
fn integers_as(
    dtype: DType,
    values: impl IntoIterator<Item = i64>,
    is_vector: bool,
) -> Option<Array> {
    let values: Vec<i64> = values.into_iter().collect();
    let shape: &[usize] = if is_vector { &[values.len()] } else { &[] };
    match dtype {
        DType::I64 => Some(Array::copy_of(shape, &values)),
        DType::I32 => {
            let values: Vec<i32> = values.iter().map(|value| *value as i32).collect();
            Some(Array::copy_of(shape, &values))
        }
        _ => None,
    }
}
