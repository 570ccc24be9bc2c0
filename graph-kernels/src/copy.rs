//! Copying values in another order: the strided copy below transposing, broadcasting, slicing and tiling.

use crate::nest::Nest;
use crate::{Array, Element};

/// The side of the squares in which transposed values are copied, so that both sides stay in cache.
const TILE: usize = 16;

/// Writes an array of `shape` whose value at index `i` is `x[start + i · strides]`.
pub(crate) fn strided_copy<T: Element>(
    x: &[T],
    start: usize,
    strides: &[isize],
    shape: &[usize],
    out: &mut Array,
) {
    let mut nest = Nest::new(shape, [strides]);
    let out = out.reset_as::<T>(shape);
    if out.is_empty() {
        return;
    }
    let [step] = nest.strides;
    match nest.second() {
        Some((rows, [1])) if step > 1 && rows > 1 => {
            nest.take_second();
            let mut blocks = out.chunks_exact_mut(rows * nest.inner);
            nest.for_each([start], |[at]| {
                if let Some(block) = blocks.next() {
                    let (columns, step) = (nest.inner, step as usize);
                    transpose_block(&x[at..], step, block, columns, (rows, columns));
                }
            });
        }
        _ => {
            let mut rows = out.chunks_exact_mut(nest.inner);
            nest.for_each([start], |[at]| {
                if let Some(row) = rows.next() {
                    copy_row(x, at, step, row);
                }
            });
        }
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

/// `block[r][c] = x[r + c * step]` for `rows` and `columns`, tile by tile; the rows of `block` are `width` apart.
pub(crate) fn transpose_block<T: Element>(
    x: &[T],
    step: usize,
    block: &mut [T],
    width: usize,
    (rows, columns): (usize, usize),
) {
    for r0 in (0..rows).step_by(TILE) {
        for c0 in (0..columns).step_by(TILE) {
            let c1 = (c0 + TILE).min(columns);
            for r in r0..(r0 + TILE).min(rows) {
                let row = &mut block[r * width + c0..r * width + c1];
                row.iter_mut()
                    .zip(x[r + c0 * step..].iter().step_by(step))
                    .for_each(|(o, v)| *o = v.clone());
            }
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
