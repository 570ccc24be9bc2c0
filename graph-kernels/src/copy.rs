//! Strided and interleaved copies: the loops below transposing, broadcasting, slicing and tiling.

use crate::nest::{Nest, row_major};
use crate::transpose::transpose_block;
use crate::{Element, parallel};

/// The number of rows of a transposed block in one item of work.
const ROWS: usize = 128;
/// The number of values of rows in one item of work.
const PART: usize = 1 << 15;
/// The number of values copied in a nanosecond.
const PER_NANOSECOND: usize = 4;

/// Writes the values of an array of `shape` whose value at index `i` is `x[start + i · strides]`.
pub(crate) fn strided_copy<T: Element>(
    x: &[T],
    start: usize,
    strides: &[isize],
    shape: &[usize],
    out: &mut [T],
) {
    let mut nest = Nest::new(shape, [strides, &row_major(shape)]);
    if out.is_empty() {
        return;
    }
    let nanoseconds = out.len() / PER_NANOSECOND;
    let [step, _] = nest.strides;
    if step > 1
        && let Some((rows, [1, width])) = nest.second()
    {
        nest.take_second();
        let (columns, width, step) = (nest.inner, width as usize, step as usize);
        let blocks = nest.offsets([start, 0]).zip(out.chunks_mut(rows * width));
        let items = blocks.flat_map(|([at, _], block)| {
            let parts = block.chunks_mut(ROWS * width).enumerate();
            parts.map(move |(n, part)| (at + n * ROWS, part))
        });
        parallel::for_each(items, nanoseconds, |(at, part)| {
            let rows = part.len().div_ceil(width);
            transpose_block(&x[at..], step, part, width, (rows, columns));
        });
    } else if step > 1
        && let Some((rows, [_, width])) = nest.take_unit_axis()
    {
        let (columns, width, step) = (nest.inner, width as usize, step as usize);
        nest.for_each([start, 0], |[at, to]| {
            transpose_block(&x[at..], step, &mut out[to..], width, (rows, columns));
        });
    } else {
        let inner = nest.inner;
        let part = (PART / inner).max(1);
        parallel::for_each_chunk(out, part * inner, nanoseconds, |first, out| {
            let starts = nest.offsets_from([start, 0], first / inner);
            for (row, [at, _]) in out.chunks_exact_mut(inner).zip(starts) {
                copy_row(x, at, step, row);
            }
        });
    }
}

fn copy_row<T: Element>(x: &[T], at: usize, step: isize, row: &mut [T]) {
    match step {
        1 => row.clone_from_slice(&x[at..at + row.len()]),
        0 => row.fill(x[at].clone()),
        2.. => row
            .iter_mut()
            .zip(x[at..].iter().step_by(step as usize))
            .for_each(|(o, v)| *o = v.clone()),
        _ => {
            let back = step.unsigned_abs();
            row.iter_mut()
                .zip(x[..=at].iter().rev().step_by(back))
                .for_each(|(o, v)| *o = v.clone());
        }
    }
}

/// Concatenates blocks of several arrays: for each of `outer` rounds, the next `lens[i]` values of `parts[i]` in turn.
pub(crate) fn interleave<T: Element>(parts: &[(&[T], usize)], outer: usize, out: &mut [T]) {
    let mut rest = out;
    for round in 0..outer {
        for (values, len) in parts {
            let (block, after) = rest.split_at_mut(*len);
            block.clone_from_slice(&values[round * len..(round + 1) * len]);
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Array, DType, transpose};

    /// The permutation of the axes with an index.
    fn permutation(rank: usize, mut number: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..rank).collect();
        (1..=rank)
            .rev()
            .map(|n| {
                let at = number % n;
                number /= n;
                left.remove(at)
            })
            .collect()
    }

    fn check(shape: &[usize], order: &[usize]) {
        let len = shape.iter().product::<usize>();
        let x = Array::new(shape, (0..len as i32).collect::<Vec<_>>());
        let axes: Vec<i64> = order.iter().map(|axis| *axis as i64).collect();
        let mut out = Array::zeros(DType::I32, &[]);
        transpose(&x, &axes, &mut out).unwrap();
        let steps = row_major(shape);
        for (at, value) in out.values::<i32>().unwrap().iter().enumerate() {
            let (mut rest, mut from) = (at, 0);
            for axis in order.iter().rev() {
                from += rest % shape[*axis] * steps[*axis] as usize;
                rest /= shape[*axis];
            }
            assert_eq!(*value as usize, from, "{shape:?} {order:?} at {at}");
        }
    }

    #[test]
    fn sizes_around_a_tile_in_every_order() {
        for number in 0..6 {
            let order = permutation(3, number);
            check(&[15, 64, 17], &order);
            check(&[70, 2, 66], &order);
        }
        check(&[140, 65], &[1, 0]);
        check(&[64, 200], &[1, 0]);
        check(&[300, 150], &[1, 0]);
        check(&[3, 17, 5, 18], &[2, 3, 1, 0]);
    }

    proptest! {
        #[test]
        fn any_shape_in_any_order(shape in prop::collection::vec(1usize..9, 1..5), number in 0usize..24) {
            check(&shape, &permutation(shape.len(), number));
        }
    }
}
