//! Lists of rows.

use graph_runtime::graph::Shape;
use graph_runtime::ops::*;

use crate::Case;
use crate::draw::Draw;
use crate::used::Use;

/// How much a trace knows about a list.
fn known(d: &mut Draw, shape: &[usize]) -> Attr {
    Attr::Shape(match d.flag() {
        true => Shape::unknown(),
        false => Shape::of(
            [None]
                .into_iter()
                .chain(shape[1..].iter().map(|n| Some(*n))),
        ),
    })
}

pub const CASES: &[Case] = &[
    (&LIST_WRITE, |d| {
        let shape = d.shape(1, 3);
        let grows = d.flag();
        let at = d.ints(&[], 0, shape[0] as i64 - 1 + 2 * i64::from(grows));
        Use::new(&LIST_WRITE, [d.any(&shape), at, d.any(&shape[1..])]).flag(grows)
    }),
    (&LIST_SCATTER, |d| {
        let shape = d.shape(1, 3);
        let grows = d.flag();
        let count = 1 + d.below(4);
        let last = shape[0] as i64 - 1 + 2 * i64::from(grows);
        let at = d.ints(&[count], 0, last);
        let rows = [&[count], &shape[1..]].concat();
        let used = Use::new(&LIST_SCATTER, [d.any(&shape), at, d.any(&rows)]);
        used.flag(grows)
    }),
    (&LIST_EXTEND, |d| {
        let (list, more) = (d.below(4), d.shape(0, 2));
        Use::new(&LIST_EXTEND, [d.any(&[list]), d.any(&more)])
    }),
    (&LIST_ADD, |d| {
        let shape = d.shape(0, 3);
        Use::new(&LIST_ADD, [d.any(&shape), d.any(&shape)])
    }),
    (&LIST_READ, |d| {
        let shape = d.shape(1, 3);
        let at = d.ints(&[], 0, shape[0] as i64 - 1);
        Use::new(&LIST_READ, [d.any(&shape), at]).with(known(d, &shape))
    }),
    (&LIST_ROWS, |d| {
        let shape = d.shape(1, 3);
        Use::new(&LIST_ROWS, [d.any(&shape)]).with(known(d, &shape))
    }),
    (&LIST_CONCAT, |d| {
        let shape = d.shape(2, 4);
        Use::new(&LIST_CONCAT, [d.any(&shape)])
    }),
];
