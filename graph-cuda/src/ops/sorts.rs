//! Sorting along an axis, and searching in what is sorted.

use graph_kernels::{DType, ElementOp, check_rows, normalize_axis, top_k_count};

use super::moves::copy;
use super::parts::look_up;
use super::sources::converted;
use super::{Call, Outcome, Run, Trouble};
use crate::driver::Buffer;
use crate::kernels::{
    Along, Change, Digits, Input, Kernels, Lookup, Outside, Ranked, Scatter, Search, Step, Target,
    View,
};
use crate::value::{Tensor, Value};

pub const OPS: &[(&str, Run)] = &[
    ("sort", sort),
    ("argsort", argsort),
    ("top_k", top_k),
    ("searchsorted", searchsorted),
    ("invert_permutation", invert_permutation),
];

fn sort(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    let order = argsort(kernels, call)?;
    if x.count() == 0 {
        return Ok(x.clone());
    }
    let mut start = View::of(&x.shape);
    let stride = std::mem::take(&mut start.strides[axis]);
    let along = vec![Along {
        indices: order.input(&x.shape)?,
        size: x.shape[axis],
        stride,
    }];
    look_up(kernels, x, &x.shape, start, along, Outside::Wrong)
}

fn argsort(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    let axis = normalize_axis(call.attrs.int("axis")?, x.shape.len())?;
    let descending = call.attrs.bool("descending")?;
    ordered(kernels, x, axis, descending, x.shape[axis])
}

fn top_k(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    let axis = normalize_axis(-1, x.shape.len())?;
    let count = top_k_count(x.shape[axis], call.attrs.int("k")?)?;
    ordered(kernels, x, axis, true, count)
}

/// The positions of the first `count` values along an axis in sorted order, as `int32`.
fn ordered(kernels: &Kernels, x: &Tensor, axis: usize, descending: bool, count: usize) -> Outcome {
    let length = x.shape[axis];
    let mut shape = x.shape.clone();
    shape[axis] = count;
    let mut rows = x.shape.clone();
    rows.remove(axis);
    let lanes: usize = rows.iter().product();
    if i32::try_from(length).is_err() {
        return Err(Trouble::NoKernel("the positions don't fit"));
    }
    if lanes * count == 0 {
        return Ok(Value::computed(
            DType::I32,
            &shape,
            kernels.room(DType::I32, &shape)?,
        ));
    }
    let mut order: Vec<usize> = (0..x.shape.len()).filter(|other| *other != axis).collect();
    order.push(axis);
    let ranked = Ranked {
        rows: &rows,
        length,
        values: x.input_by(View::of(&x.shape).permuted(&order))?,
        dtype: x.dtype,
        descending,
    };
    let room = length.next_power_of_two();
    let positions = match x.dtype.bytes() {
        8 => wide_positions(kernels, &ranked, [lanes, room, count])?,
        _ => {
            let keys = Buffer::new(kernels.gpu(), lanes * room * 8)?;
            kernels.rank(&keys, &ranked, Digits::All, None)?;
            positions_in(kernels, &keys, [lanes, room, count], DType::I32)?
        }
    };
    // The axis goes back to its place.
    let mut dims = rows.to_vec();
    dims.push(count);
    let mut view = View::of(&dims);
    let last = view.strides.pop().unwrap_or(1);
    view.strides.insert(axis, last);
    copy(kernels, &positions, view, &shape)
}

/// The positions in the low bits of the first keys of each row.
fn positions_in(
    kernels: &Kernels,
    keys: &Buffer,
    [lanes, room, count]: [usize; 3],
    dtype: DType,
) -> Outcome {
    let view = View {
        offset: 0,
        strides: [room as i64, 1].into_iter().collect(),
    };
    let inputs = [Input::Tensor(DType::I64, keys, view)];
    let mut steps = vec![
        Step::Operand(0),
        Step::Constant(DType::I64, 0xFFFF_FFFF),
        Step::Element(ElementOp::BitAnd, DType::I64, vec![0, 1]),
    ];
    converted(&mut steps, 2, dtype);
    let shape = [lanes, count];
    kernels.result(dtype, &shape, |out| {
        Ok(kernels.map(&Target::Whole(out), &shape, dtype, steps, &inputs)?)
    })
}

/// The positions of values of 64 bits: those by the low digits, in the order by the high ones.
fn wide_positions(
    kernels: &Kernels,
    ranked: &Ranked<'_>,
    [lanes, room, count]: [usize; 3],
) -> Outcome {
    let [low, high] = [0; 2].map(|_| Buffer::new(kernels.gpu(), lanes * room * 8));
    let (low, high) = (low?, high?);
    kernels.rank(&low, ranked, Digits::Low, None)?;
    kernels.rank(&high, ranked, Digits::High, Some(&low))?;
    let by_low = positions_in(kernels, &low, [lanes, room, room], DType::I32)?;
    let by_high = positions_in(kernels, &high, [lanes, room, count], DType::I64)?;
    let start = View {
        offset: 0,
        strides: [room as i64, 0].into_iter().collect(),
    };
    let shape = [lanes, count];
    let along = vec![Along {
        indices: by_high.input(&shape)?,
        size: room,
        stride: 1,
    }];
    look_up(kernels, &by_low, &shape, start, along, Outside::Wrong)
}

fn searchsorted(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [sorted, values] = call.all()?;
    check_rows(&sorted.shape, &values.shape)?;
    let last = |x: &Tensor| x.shape.last().copied().unwrap_or(0);
    let search = Search {
        dtype: sorted.dtype,
        right: call.attrs.bool("right")?,
    };
    let shape = &values.shape;
    let sizes = [values.count(), last(sorted), last(values).max(1)];
    let found = kernels.result(DType::I64, shape, |out| {
        let buffers = [&**sorted.buffer()?, &**values.buffer()?];
        Ok(kernels.search(out, buffers, sizes, &search)?)
    })?;
    let input = found.input(shape)?;
    kernels.result(call.dtype, shape, |out| {
        let mut steps = vec![Step::Operand(0)];
        converted(&mut steps, 0, call.dtype);
        let target = Target::Whole(out);
        Ok(kernels.map(&target, shape, call.dtype, steps, &[input])?)
    })
}

/// Writes each position at the place that the permutation has there. A place that stays without one shows that another occurs twice.
fn invert_permutation(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let x = call.operand()?;
    let [size] = x.shape[..] else {
        return Err(Trouble::NoKernel("a permutation is a vector"));
    };
    let (dtype, shape) = (x.dtype, &x.shape);
    if !Kernels::can_scatter(size, size) {
        return Err(Trouble::NoKernel("there are too many elements"));
    }
    let line = View::of(shape);
    let mut steps = vec![Step::Operand(0)];
    converted(&mut steps, 0, dtype);
    let positions = kernels.result(dtype, shape, |out| {
        let input = [Input::Position(line.clone())];
        Ok(kernels.map(&Target::Whole(out), shape, dtype, steps, &input)?)
    })?;
    let still = View::still(1);
    kernels.result(dtype, shape, |out| {
        let hole = [Input::Value(dtype, u64::MAX >> (64 - 8 * dtype.bytes()))];
        let fill = vec![Step::Operand(0)];
        kernels.map(&Target::Whole(out), shape, dtype, fill, &hole)?;
        let lookup = |indices| Lookup {
            start: still.clone(),
            along: vec![Along {
                indices,
                size,
                stride: 1,
            }],
            outside: Outside::Wrong,
        };
        let scatter = Scatter {
            dtype,
            change: Change::Replace,
            rows: shape,
            positions: lookup(x.input_by(line.clone())?),
            row: &[],
            elements: still.clone(),
            updates: positions.input_by(line.clone())?,
            sorted: false,
        };
        kernels.scatter(out, &scatter)?;
        // Looking the holes up is a fault.
        let keys = Buffer::new(kernels.gpu(), size * 8)?;
        let written = Input::Tensor(dtype, out, line.clone());
        Ok(kernels.keys(&keys, shape, &lookup(written))?)
    })
}
