//! Slices between bounds and parts at positions: reading, writing and adding to them.

use graph_runtime::Array;
use graph_runtime::ops::*;

use crate::Case;
use crate::draw::Draw;
use crate::used::Use;

/// Positions along the first axes, one scalar for each.
fn positions(d: &mut Draw, shape: &[usize]) -> Vec<Array> {
    let position = |n: &usize| (-(*n as i64), *n as i64 - 1);
    shape
        .iter()
        .map(position)
        .map(|(from, to)| d.ints(&[], from, to))
        .collect()
}

fn index(d: &mut Draw) -> (Vec<usize>, usize, Vec<Array>) {
    let shape = d.shape(1, 3);
    let axes = 1 + d.below(shape.len());
    let at = positions(d, &shape[..axes]);
    (shape, axes, at)
}

/// Slices of some axes: the attribute lists, with bounds inside and outside of the array.
fn slices(d: &mut Draw, rank: usize) -> [Vec<i64>; 5] {
    let axes = d.axes(rank);
    let list =
        |d: &mut Draw, from, to| -> Vec<i64> { axes.iter().map(|_| d.int(from, to)).collect() };
    let steps = axes.iter().map(|_| d.pick(&[-2, -1, 1, 1, 2])).collect();
    [
        axes.clone(),
        list(d, -4, 4),
        list(d, -4, 4),
        steps,
        list(d, 0, 3),
    ]
}

fn strided(used: Use, lists: &[Vec<i64>; 5]) -> Use {
    lists.iter().fold(used, |used, list| used.ints(list))
}

/// The bounds of an axis: two scalars and a step.
fn bounds(d: &mut Draw) -> [Array; 3] {
    let step = d.pick(&[-2i64, -1, 1, 2]);
    [
        d.ints(&[], -4, 4),
        d.ints(&[], -4, 4),
        d.of_either(&[], vec![step]),
    ]
}

/// The start of a part of the array, and the part's sizes.
fn boxed(d: &mut Draw, shape: &[usize]) -> (Array, Vec<usize>) {
    let sizes: Vec<usize> = shape.iter().map(|n| d.below(n + 1)).collect();
    let begins = shape
        .iter()
        .zip(&sizes)
        .map(|(n, size)| d.int(0, (n - size) as i64))
        .collect();
    (d.of_either(&[shape.len()], begins), sizes)
}

/// An array, and indices along an axis after some batch axes.
fn gathers(d: &mut Draw) -> (Array, Array, i64, i64) {
    let shape = d.shape(1, 3);
    let axis = d.below(shape.len());
    let batch = d.below(axis + 1);
    let places = [&shape[..batch], &d.shape(0, 2)].concat();
    let indices = d.ints(&places, 0, shape[axis] as i64 - 1);
    let axis = axis as i64 - if d.flag() { shape.len() as i64 } else { 0 };
    (d.any(&shape), indices, axis, batch as i64)
}

/// An array and positions along an axis, perhaps none; the other axes of both broadcast.
fn lookups(d: &mut Draw) -> (Array, Array, i64) {
    let whole = d.shape(1, 3);
    let axis = d.axis(whole.len());
    let at = axis.rem_euclid(whole.len() as i64) as usize;
    let [mut shape, mut places] = [0; 2].map(|_| -> Vec<usize> {
        let size = |n: &usize| if d.below(3) == 0 { 1 } else { *n };
        whole.iter().map(size).collect()
    });
    shape[at] = whole[at];
    places[at] = d.below(4);
    let size = shape[at] as i64;
    let indices = d.ints(&places, -size, size - 1);
    (d.any(&shape), indices, axis)
}

/// An array, rows of positions, some of them equal, and updates.
fn scattered(d: &mut Draw, op: &'static OpDef) -> Use {
    let shape = d.shape(1, 3);
    let depth = 1 + d.below(shape.len());
    let (indexed, rest) = shape.split_at(depth);
    let places: usize = indexed.iter().product();
    let chosen: Vec<usize> = (0..d.below(5)).map(|_| d.below(places)).collect();
    let count = chosen.len();
    let mut rows = Vec::new();
    for mut place in chosen {
        let mut row = vec![0; depth];
        for (to, size) in row.iter_mut().zip(indexed).rev() {
            *to = (place % size) as i64;
            place /= size;
        }
        rows.extend(row);
    }
    let updates = [&[count], rest].concat();
    let (first, second) = (
        shape.iter().product::<usize>(),
        updates.iter().product::<usize>(),
    );
    let all = d.distinct(&[first + second]);
    let (x, updated) = all.values::<f64>().expect("floats").split_at(first);
    let x = Array::new(&shape, x.to_vec());
    let updated = Array::new(&updates, updated.to_vec());
    Use::new(op, [x, d.of_either(&[count, depth], rows), updated])
}

pub const CASES: &[Case] = &[
    (&INDEX, |d| {
        let (shape, _, at) = index(d);
        Use::new(&INDEX, [vec![d.any(&shape)], at].concat())
    }),
    (&INDEX_ADD, |d| {
        let (shape, axes, at) = index(d);
        Use::new(
            &INDEX_ADD,
            [vec![d.any(&shape), d.any(&shape[axes..])], at].concat(),
        )
    }),
    (&INDEX_AXIS, |d| {
        let shape = d.shape(1, 3);
        let axis = d.axis(shape.len());
        let size = shape[axis.rem_euclid(shape.len() as i64) as usize] as i64;
        Use::new(&INDEX_AXIS, [d.any(&shape), d.ints(&[], -size, size - 1)]).int(axis)
    }),
    (&STRIDED_SLICE, |d| {
        let shape = d.shape(0, 3);
        let lists = slices(d, shape.len());
        strided(Use::new(&STRIDED_SLICE, [d.any(&shape)]), &lists)
    }),
    (&STRIDED_SLICE_ADD, |d| {
        let shape = d.shape(0, 3);
        let (x, lists) = (d.any(&shape), slices(d, shape.len()));
        let taken = strided(Use::new(&STRIDED_SLICE, [x.clone()]), &lists);
        strided(
            Use::new(&STRIDED_SLICE_ADD, [x, d.any(&taken.shape())]),
            &lists,
        )
    }),
    (&SLICE_ROWS, |d| {
        let shape = d.shape(1, 3);
        Use::new(
            &SLICE_ROWS,
            [d.any(&shape), d.ints(&[], -4, 4), d.ints(&[], -4, 4)],
        )
    }),
    (&SLICE_AXIS, |d| {
        let shape = d.shape(1, 3);
        let [begin, end, step] = bounds(d);
        let used = Use::new(&SLICE_AXIS, [d.any(&shape), begin, end, step]);
        used.int(d.axis(shape.len())).int(d.int(0, 3))
    }),
    (&SLICE_AXIS_ADD, |d| {
        let shape = d.shape(1, 3);
        let (x, [begin, end, step]) = (d.any(&shape), bounds(d));
        let (axis, mask) = (d.axis(shape.len()), d.int(0, 3));
        let taken = [x.clone(), begin.clone(), end.clone(), step.clone()];
        let taken = Use::new(&SLICE_AXIS, taken).int(axis).int(mask);
        let part = d.any(&taken.shape());
        Use::new(&SLICE_AXIS_ADD, [x, part, begin, end, step])
            .int(axis)
            .int(mask)
    }),
    (&SLICE, |d| {
        let shape = d.shape(0, 3);
        let (begins, sizes) = boxed(d, &shape);
        Use::new(&SLICE, [d.any(&shape), begins]).ints(&sizes)
    }),
    (&SLICE_TO, |d| {
        let shape = d.shape(0, 3);
        let (begins, sizes) = boxed(d, &shape);
        let sizes: Vec<i64> = sizes.iter().map(|n| *n as i64).collect();
        Use::new(
            &SLICE_TO,
            [d.any(&shape), begins, d.of_either(&[sizes.len()], sizes)],
        )
    }),
    (&SLICE_ADD, |d| {
        let shape = d.shape(0, 3);
        let (begins, sizes) = boxed(d, &shape);
        Use::new(&SLICE_ADD, [d.any(&shape), d.any(&sizes), begins])
    }),
    (&SET_ROW, |d| {
        let shape = d.shape(1, 3);
        let at = positions(d, &shape[..1]).remove(0);
        Use::new(&SET_ROW, [d.any(&shape), at, d.any(&shape[1..])])
    }),
    (&SET_PART, |d| {
        let shape = d.shape(1, 3);
        let x = d.any(&shape);
        let (mut axes, mut masks, mut places, mut part) = (vec![], vec![], vec![], vec![]);
        for (axis, size) in shape.iter().enumerate() {
            let counted = d.pick(&[axis as i64, axis as i64 - shape.len() as i64]);
            match d.below(3) {
                0 => part.push(*size),
                1 => {
                    let at = positions(d, &[*size]).remove(0);
                    axes.push(counted);
                    masks.push(4);
                    places.extend([at, d.ints(&[], 0, 0), d.ints(&[], 1, 1)]);
                }
                _ => {
                    let (mask, bounds) = (d.int(0, 3), bounds(d));
                    let taken = [x.clone()].into_iter().chain(bounds.clone());
                    let taken = Use::new(&SLICE_AXIS, taken.collect::<Vec<_>>());
                    part.push(taken.int(axis as i64).int(mask).shape()[axis]);
                    axes.push(counted);
                    masks.push(mask);
                    places.extend(bounds);
                }
            }
        }
        // A value with fewer axes is broadcast.
        let repeated = d.below(part.len() + 1);
        let value = d.any(&part[repeated..]);
        let operands = [x, value].into_iter().chain(places);
        Use::new(&SET_PART, operands.collect::<Vec<_>>())
            .ints(&axes)
            .ints(&masks)
    }),
    // Only positions, from both ends alternately, in any order.
    (&SET_PART, |d| {
        let shape = d.shape(2, 3);
        let rank = shape.len();
        let (mut axes, mut places) = (vec![], vec![]);
        for (turn, axis) in d.order(rank).into_iter().enumerate() {
            axes.push(axis as i64 - (turn % 2 * rank) as i64);
            places.push(positions(d, &shape[axis..=axis]).remove(0));
            places.extend([d.ints(&[], 0, 0), d.ints(&[], 1, 1)]);
        }
        let operands = [d.any(&shape), d.any(&[])].into_iter().chain(places);
        Use::new(&SET_PART, operands.collect::<Vec<_>>())
            .ints(&axes)
            .ints(&vec![4; rank])
    }),
    (&BOOLEAN_MASK, |d| {
        let shape = d.shape(1, 3);
        let covered = 1 + d.below(shape.len());
        Use::new(&BOOLEAN_MASK, [d.any(&shape), d.flags(&shape[..covered])])
    }),
    (&GATHER, |d| {
        let shape = d.shape(1, 3);
        let axis = d.axis(shape.len());
        let size = shape[axis.rem_euclid(shape.len() as i64) as usize] as i64;
        let places = d.shape(0, 2);
        Use::new(&GATHER, [d.any(&shape), d.ints(&places, 0, size - 1)]).int(axis)
    }),
    (&BATCH_GATHER, |d| {
        let (x, indices, axis, batch) = gathers(d);
        Use::new(&BATCH_GATHER, [x, indices]).int(axis).int(batch)
    }),
    (&GATHER_ADD, |d| {
        let (x, indices, axis, batch) = gathers(d);
        let taken = Use::new(&BATCH_GATHER, [x.clone(), indices.clone()])
            .int(axis)
            .int(batch);
        let part = d.any(&taken.shape());
        Use::new(&GATHER_ADD, [x, part, indices])
            .int(axis)
            .int(batch)
    }),
    (&GATHER_ND, |d| {
        let shape = d.shape(1, 3);
        let batch = d.below(shape.len());
        let depth = 1 + d.below(shape.len() - batch);
        let places = [&shape[..batch], &d.shape(0, 1)].concat();
        let count: usize = places.iter().product();
        let indexed = &shape[batch..batch + depth];
        let rows = (0..count)
            .flat_map(|_| indexed.to_vec())
            .map(|n| d.int(0, n as i64 - 1));
        let rows = rows.collect();
        let rows = d.of_either(&[&places[..], &[depth]].concat(), rows);
        Use::new(&GATHER_ND, [d.any(&shape), rows]).int(batch as i64)
    }),
    (&TAKE_ALONG_AXIS, |d| {
        let (x, indices, axis) = lookups(d);
        Use::new(&TAKE_ALONG_AXIS, [x, indices]).int(axis)
    }),
    (&ADD_ALONG_AXIS, |d| {
        let (x, indices, axis) = lookups(d);
        let taken = Use::new(&TAKE_ALONG_AXIS, [x.clone(), indices.clone()]).int(axis);
        let updates = d.any(&taken.shape());
        Use::new(&ADD_ALONG_AXIS, [x, indices, updates]).int(axis)
    }),
    (&SCATTER_UPDATE, |d| scattered(d, &SCATTER_UPDATE)),
    (&SCATTER_ADD, |d| scattered(d, &SCATTER_ADD)),
    (&SCATTER_SUB, |d| scattered(d, &SCATTER_SUB)),
    (&SCATTER_MIN, |d| scattered(d, &SCATTER_MIN)),
    (&SCATTER_MAX, |d| scattered(d, &SCATTER_MAX)),
];
