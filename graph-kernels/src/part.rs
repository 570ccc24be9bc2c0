//! Updates in place of a part of an array; nothing else is written. The `*_add` functions add to a part: they are the transposes of
//! index, slices, gather and lookups along an axis, for gradients of loops with such ops. [`set_part`] replaces a part.

use crate::along::normalize_axis;
use crate::dispatch::{alike_mut, dispatch, shape_text, undefined};
use crate::dynamic::{axis_slice, box_at};
use crate::gather::{for_each_run, gathered};
use crate::indices::{check_positions, with_indices};
use crate::indices::{position, row_at};
use crate::lanes::Lanes;
use crate::nest::{Nest, broadcast_strides, row_major};
use crate::number::Number;
use crate::shape::View;
use crate::slices::AxisSlice;
use crate::slices::sliced;
use crate::widened::AsInt64;
use crate::{Array, Element, KernelError};

/// Adds `part` at positions of the first axes of `x`: the transpose of [`index`](crate::index()). Only the part is written.
///
/// # Errors
/// As [`index`](crate::index()), or if `part` has another dtype or shape than the part of `x`; then nothing is written.
pub fn index_add(x: &mut Array, positions: &[&Array], part: &Array) -> Result<(), KernelError> {
    if let Some(done) = AsInt64::ByBits.change(x, part, |x, part| index_add(x, positions, part)) {
        return done;
    }
    let (row, inner) = row_at("index_add", x, positions)?;
    check_part(inner, part)?;
    dispatch!(number "index_add", part, values => {
        let to = row * values.len()..(row + 1) * values.len();
        add_to(&mut values_of("index_add", x)?[to], values);
        Ok(())
    })
}

/// Adds `part` to the part of `x` that slices select: the transpose of [`strided_slice`](crate::strided_slice()).
///
/// # Errors
/// As [`strided_slice`](crate::strided_slice()), or if the part doesn't fit; then nothing is written.
pub fn strided_slice_add(
    x: &mut Array,
    slices: impl IntoIterator<Item = AxisSlice>,
    part: &Array,
) -> Result<(), KernelError> {
    let view = sliced(x.shape(), slices)?;
    add_view("strided_slice_add", x, &view, part)
}

/// Adds `part` to a slice of an axis of `x`: the transpose of [`slice_axis`](crate::slice_axis()).
///
/// # Errors
/// As [`slice_axis`](crate::slice_axis()), or if the part doesn't fit; then nothing is written.
pub fn slice_axis_add(
    x: &mut Array,
    part: &Array,
    bounds: [&Array; 3],
    axis: i64,
    mask: i64,
) -> Result<(), KernelError> {
    let view = sliced(x.shape(), [axis_slice(bounds, axis, mask)?])?;
    add_view("slice_axis_add", x, &view, part)
}

/// Adds `part` to `x` from `begins` on: the transpose of [`slice`](fn@crate::slice).
///
/// # Errors
/// As [`slice`](fn@crate::slice), or if the part doesn't fit; then nothing is written.
pub fn slice_add(x: &mut Array, part: &Array, begins: &Array) -> Result<(), KernelError> {
    let sizes: crate::indices::Ints = part.shape().iter().map(|n| *n as i64).collect();
    let view = box_at(x.shape(), begins, &sizes)?;
    add_view("slice_add", x, &view, part)
}

/// Adds the slices of `part` to those of `x` at the given indices of an axis: the transpose of [`gather`](crate::gather()).
///
/// # Errors
/// As [`gather`](crate::gather()), or if the part doesn't fit; then nothing is written.
pub fn gather_add(
    x: &mut Array,
    part: &Array,
    indices: &Array,
    axis: i64,
    batch: i64,
) -> Result<(), KernelError> {
    if let Some(done) =
        AsInt64::ByBits.change(x, part, |x, part| gather_add(x, part, indices, axis, batch))
    {
        return done;
    }
    let (split, batches, shape) = gathered(x, indices, axis, batch)?;
    check_part(&shape, part)?;
    with_indices!("gather_add", indices, i => {
        check_positions(i, indices.shape(), split.len)?;
        dispatch!(number "gather_add", part, values => {
            let x = values_of("gather_add", x)?;
            let run = |n: usize| n * split.inner..(n + 1) * split.inner;
            for_each_run(split, batches, i, |n, at| add_to(&mut x[run(at)], &values[run(n)]));
            Ok(())
        })
    })
}

/// Adds `updates` to the values of `x` that [`take_along_axis`](crate::take_along_axis) takes: its transpose. Updates for the same value
/// are added in their order.
///
/// # Errors
/// As [`take_along_axis`](crate::take_along_axis), or if the updates don't fit; then nothing is written.
pub fn add_along_axis(
    x: &mut Array,
    indices: &Array,
    updates: &Array,
    axis: i64,
) -> Result<(), KernelError> {
    if let Some(done) = AsInt64::ByBits.change(x, updates, |x, updates| {
        add_along_axis(x, indices, updates, axis)
    }) {
        return done;
    }
    let lanes = Lanes::new("add_along_axis", x.shape(), indices.shape(), axis)?;
    check_part(&lanes.shape, updates)?;
    with_indices!("add_along_axis", indices, i => {
        lanes.check(i)?;
        dispatch!(number "add_along_axis", updates, values => {
            let x = values_of("add_along_axis", x)?;
            for (row, values) in lanes.rows(i).zip(values.chunks_exact(lanes.row_len())) {
                match row.run() {
                    Some(at) => add_to(&mut x[at..at + values.len()], values),
                    None => add_each(x, |n| row.at(n), values),
                }
            }
            Ok(())
        })
    })
}

/// The bit of a mask that selects a single position, whose axis is dropped.
const POSITION: i64 = 4;

/// Sets a part of `x` to `value`, which is broadcast. Each of the `axes` has three `bounds` (begin, end and step) and a mask: bits 1 and
/// 2 are those of [`slice_axis`](crate::slice_axis()); with bit 4 the begin is a position, and the part doesn't have the axis.
///
/// # Errors
/// `slice index 5 of dimension 1 out of bounds.`, or if the value doesn't fit; then nothing is written.
pub fn set_part(
    x: &mut Array,
    value: &Array,
    bounds: &[&Array],
    axes: &[i64],
    masks: &[i64],
) -> Result<(), KernelError> {
    let view = part_of(x.shape(), bounds, axes, masks)?;
    let fits = value.rank() <= view.shape.len() && {
        let last = view.shape.iter().rev().zip(value.shape().iter().rev());
        last.into_iter().all(|(n, own)| n == own || *own == 1)
    };
    if !fits {
        let (part, value) = (shape_text(&view.shape), shape_text(value.shape()));
        return Err(KernelError::Shape(format!(
            "a value of shape {value} does not fit into a part of shape {part}"
        )));
    }
    let own = broadcast_strides(value.shape(), &view.shape);
    dispatch!(moved value, values => {
        let x = alike_mut("set_part", value, x)?;
        set_strided(x, &view, values, &own);
        Ok(())
    })
}

/// The part that slices and positions select of an array with the shape.
fn part_of(
    shape: &[usize],
    bounds: &[&Array],
    axes: &[i64],
    masks: &[i64],
) -> Result<View, KernelError> {
    let (mut slices, mut gone) = (Vec::new(), vec![false; shape.len()]);
    let (bounds, left) = bounds.as_chunks::<3>();
    if bounds.len() != axes.len() || masks.len() != axes.len() || !left.is_empty() {
        return Err(KernelError::Shape(
            "`set_part` takes three bounds and a mask for each axis".to_owned(),
        ));
    }
    for ((bounds, axis), mask) in bounds.iter().zip(axes).zip(masks) {
        let mut slice = axis_slice(*bounds, *axis, *mask)?;
        if mask & POSITION != 0 {
            let axis = normalize_axis(*axis, shape.len())?;
            let at = position(slice.begin.unwrap_or(0), axis, shape[axis])? as i64;
            slice = AxisSlice {
                begin: Some(at),
                end: Some(at + 1),
                step: 1,
                ..slice
            };
            gone[axis] = true;
        }
        slices.push(slice);
    }
    let mut view = sliced(shape, slices)?;
    for axis in (0..shape.len()).rev().filter(|axis| gone[*axis]) {
        view.shape.remove(axis);
        view.strides.remove(axis);
    }
    Ok(view)
}

fn set_strided<T: Element>(x: &mut [T], view: &View, values: &[T], own: &[isize]) {
    if view.shape.contains(&0) {
        return;
    }
    let nest = Nest::new(&view.shape, [&view.strides, own]);
    let [step, own] = nest.strides;
    nest.for_each([view.start, 0], |[at, from]| {
        if [step, own] == [1, 1] {
            return x[at..at + nest.inner].clone_from_slice(&values[from..from + nest.inner]);
        }
        for n in 0..nest.inner as isize {
            let to = &mut x[at.wrapping_add_signed(n * step)];
            to.clone_from(&values[from.wrapping_add_signed(n * own)]);
        }
    });
}

fn check_part(expected: &[usize], part: &Array) -> Result<(), KernelError> {
    if expected == part.shape() {
        return Ok(());
    }
    let (part, expected) = (shape_text(part.shape()), shape_text(expected));
    Err(KernelError::Shape(format!(
        "the part at these positions has the shape {expected}, not {part}"
    )))
}

fn values_of<'a, T: Number>(op: &str, x: &'a mut Array) -> Result<&'a mut [T], KernelError> {
    let dtype = x.dtype();
    x.values_mut().ok_or_else(|| undefined(op, dtype))
}

fn add_to<T: Number>(values: &mut [T], part: &[T]) {
    for (value, part) in values.iter_mut().zip(part) {
        *value = value.add(*part);
    }
}

/// Adds to values that aren't contiguous: `at` gives their positions.
fn add_each<T: Number>(x: &mut [T], at: impl Fn(usize) -> usize, values: &[T]) {
    for (n, value) in values.iter().enumerate() {
        let sum = &mut x[at(n)];
        *sum = sum.add(*value);
    }
}

fn add_view(op: &str, x: &mut Array, view: &View, part: &Array) -> Result<(), KernelError> {
    if let Some(done) = AsInt64::ByBits.change(x, part, |x, part| add_view(op, x, view, part)) {
        return done;
    }
    check_part(&view.shape, part)?;
    dispatch!(number op, part, values => {
        add_strided(values_of(op, x)?, view, values);
        Ok(())
    })
}

fn add_strided<T: Number>(x: &mut [T], view: &View, part: &[T]) {
    if part.is_empty() {
        return;
    }
    let nest = Nest::new(&view.shape, [&view.strides, &row_major(&view.shape)]);
    let [step, own] = nest.strides;
    nest.for_each([view.start, 0], |[at, from]| {
        if [step, own] == [1, 1] {
            return add_to(&mut x[at..at + nest.inner], &part[from..from + nest.inner]);
        }
        for n in 0..nest.inner as isize {
            let to = &mut x[at.wrapping_add_signed(n * step)];
            *to = to.add(part[from.wrapping_add_signed(n * own)]);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_added_where_it_stands() {
        let mut x = Array::new(&[2, 2], vec![1.0f32, 2.0, 3.0, 4.0]);
        let at = |i: i32| Array::scalar(i);
        let row = Array::new(&[2], vec![10.0f32, 20.0]);
        index_add(&mut x, &[&at(-1)], &row).unwrap();
        index_add(&mut x, &[&at(0), &at(1)], &Array::scalar(0.5f32)).unwrap();
        let expected = Array::new(&[2, 2], vec![1.0f32, 2.5, 13.0, 24.0]);
        assert_eq!(x, expected);
        assert!(index_add(&mut x, &[&at(2)], &row).is_err());
        assert!(index_add(&mut x, &[&at(0), &at(0)], &row).is_err());
        assert!(index_add(&mut x, &[&at(0)], &Array::new(&[2], vec![1, 2])).is_err());
        assert_eq!(x, expected);
    }

    fn ramp(shape: &[usize]) -> Array {
        let len = shape.iter().product::<usize>();
        Array::new(shape, (1..=len).map(|n| n as i64).collect())
    }

    fn product(a: &Array, b: &Array) -> i64 {
        assert_eq!(a.shape(), b.shape());
        let (a, b) = (a.values::<i64>().unwrap(), b.values::<i64>().unwrap());
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// Checks that `<take(x), g> = <x, add(0, g)>`, exactly.
    fn check(
        shape: &[usize],
        take: impl Fn(&Array, &mut Array),
        add: impl Fn(&mut Array, &Array) -> Result<(), KernelError>,
    ) {
        let (x, mut taken) = (ramp(shape), Array::default());
        take(&x, &mut taken);
        let g = ramp(taken.shape());
        let mut sum = Array::zeros(crate::DType::I64, shape);
        add(&mut sum, &g).unwrap();
        assert_eq!(product(&taken, &g), product(&x, &sum));
        assert!(add(&mut sum, &ramp(&[1, 1, 1, 1, 1])).is_err());
    }

    #[test]
    fn what_adds_a_part_is_the_transpose_of_what_takes_it() {
        let slice = |axis, begin, end, step| AxisSlice {
            axis,
            begin,
            end,
            step,
        };
        for slices in [
            vec![slice(0, Some(1), None, 1)],
            vec![slice(-1, None, None, -1), slice(0, Some(-2), Some(9), 1)],
            vec![
                slice(1, Some(3), Some(0), -2),
                slice(2, Some(1), None, 1 << 60),
            ],
            vec![slice(1, Some(3), Some(1), 1)],
        ] {
            check(
                &[3, 4, 5],
                |x, out| crate::strided_slice(x, slices.clone(), out).unwrap(),
                |x, g| strided_slice_add(x, slices.clone(), g),
            );
        }
        let at = |i: i32| Array::scalar(i);
        let bounds = [&at(-1), &at(0), &at(-2)];
        check(
            &[3, 4],
            |x, out| crate::slice_axis(x, bounds, 1, 0, out).unwrap(),
            |x, g| slice_axis_add(x, g, bounds, 1, 0),
        );
        let begins = Array::new(&[2], vec![1i32, 2]);
        check(
            &[3, 4],
            |x, out| crate::slice(x, &begins, &[2, 1], out).unwrap(),
            |x, g| slice_add(x, g, &begins),
        );
        let indices = Array::new(&[2, 2], vec![1i64, 0, 1, 1]);
        for (shape, axis, batch) in [(&[2, 3][..], 0, 0), (&[3, 2, 2], 1, 0), (&[2, 3, 2], 1, 1)] {
            check(
                shape,
                |x, out| crate::gather(x, &indices, axis, batch, out).unwrap(),
                |x, g| gather_add(x, g, &indices, axis, batch),
            );
        }
    }
}
