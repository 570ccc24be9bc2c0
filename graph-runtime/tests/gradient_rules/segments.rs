//! Segment ops and bins.

use graph_runtime::Array;
use graph_runtime::ops::*;

use crate::Case;
use crate::draw::Draw;
use crate::used::Use;

/// Rows with non-decreasing segment ids.
fn sorted(d: &mut Draw, op: &'static OpDef) -> Use {
    let mut shape = d.shape(1, 3);
    shape[0] = 1 + d.below(5);
    let mut id = 0;
    let ids = (0..shape[0]).map(|_| {
        id += d.int(0, 2) * d.int(0, 1);
        id
    });
    let ids: Vec<i64> = ids.collect();
    let x = values(d, &shape);
    Use::new(op, [x, d.of_either(&[ids.len()], ids)])
}

/// Parts with segment ids in any order, some of which belong to no segment.
fn unsorted(d: &mut Draw, op: &'static OpDef) -> Use {
    let shape = d.shape(1, 3);
    let covered = d.below(shape.len() + 1);
    let count = 1 + d.below(4);
    let ids = d.ints(&shape[..covered], -1, count as i64 - 1);
    let x = values(d, &shape);
    Use::new(op, [x, ids]).int(count as i64)
}

/// Distinct values, none of them near 0.
fn values(d: &mut Draw, shape: &[usize]) -> Array {
    let mut x = d.distinct(shape);
    let values = x.values_mut::<f64>().expect("floats");
    values
        .iter_mut()
        .for_each(|v| *v += if *v < 0.0 { -0.3 } else { 0.3 });
    x
}

/// The same with some zeros.
fn with_zeros(used: Use) -> Use {
    used.kinked().with_zeros()
}

pub const CASES: &[Case] = &[
    (&SEGMENT_SUM, |d| sorted(d, &SEGMENT_SUM)),
    (&SEGMENT_MEAN, |d| sorted(d, &SEGMENT_MEAN)),
    (&SEGMENT_PROD, |d| match d.flag() {
        true => sorted(d, &SEGMENT_PROD),
        false => with_zeros(sorted(d, &SEGMENT_PROD)),
    }),
    (&SEGMENT_MAX, |d| sorted(d, &SEGMENT_MAX)),
    (&SEGMENT_MIN, |d| sorted(d, &SEGMENT_MIN)),
    (&UNSORTED_SEGMENT_SUM, |d| {
        unsorted(d, &UNSORTED_SEGMENT_SUM)
    }),
    (&UNSORTED_SEGMENT_MEAN, |d| {
        unsorted(d, &UNSORTED_SEGMENT_MEAN)
    }),
    (&UNSORTED_SEGMENT_PROD, |d| match d.flag() {
        true => unsorted(d, &UNSORTED_SEGMENT_PROD),
        false => with_zeros(unsorted(d, &UNSORTED_SEGMENT_PROD)),
    }),
    (&UNSORTED_SEGMENT_MAX, |d| {
        unsorted(d, &UNSORTED_SEGMENT_MAX)
    }),
    (&UNSORTED_SEGMENT_MIN, |d| {
        unsorted(d, &UNSORTED_SEGMENT_MIN)
    }),
    (&WEIGHTED_BINCOUNT, |d| {
        let shape = d.shape(1, 2);
        let bins = d.ints(&shape, 0, 4);
        let most = d.pick(&[-1, 3, 6]);
        Use::new(&WEIGHTED_BINCOUNT, [bins, d.any(&shape)])
            .int(d.int(0, 3))
            .int(most)
    }),
];
