//! Ops that rearrange values, join and pad arrays, and arrays made from a few numbers.

use graph_runtime::Array;
use graph_runtime::graph::Shape;
use graph_runtime::ops::*;

use crate::Case;
use crate::draw::Draw;
use crate::used::Use;

fn small(values: &[usize]) -> Vec<i64> {
    values.iter().map(|n| *n as i64).collect()
}

/// Another shape of the same size: the axes in another order, and an additional one.
fn reshaped(d: &mut Draw, shape: &[usize]) -> Vec<i64> {
    let mut other: Vec<i64> = d
        .order(shape.len())
        .iter()
        .map(|n| shape[*n] as i64)
        .collect();
    let at = d.below(other.len() + 1);
    other.insert(at, 1);
    if d.flag() {
        other[at] = -1;
    }
    other
}

/// A shape that this one broadcasts to.
fn larger(d: &mut Draw, shape: &[usize]) -> Vec<usize> {
    let sizes: Vec<usize> = shape
        .iter()
        .map(|n| if *n == 1 { 1 + d.below(3) } else { *n })
        .collect();
    [d.shape(0, 2), sizes].concat()
}

fn vector(d: &mut Draw, values: &[usize]) -> Array {
    d.of_either(&[values.len()], small(values))
}

fn joined(d: &mut Draw, op: &'static OpDef) -> Use {
    let shape = d.shape(usize::from(op == &CONCAT), 3);
    let axis = d.axis(shape.len() + usize::from(op == &STACK));
    let count = 1 + d.below(3);
    let parts: Vec<Array> = (0..count)
        .map(|_| {
            let mut shape = shape.clone();
            if op == &CONCAT {
                let at = axis.rem_euclid(shape.len() as i64) as usize;
                shape[at] = d.below(3);
            }
            d.any(&shape)
        })
        .collect();
    Use::new(op, parts).int(axis)
}

fn paddings(d: &mut Draw, rank: usize, most: impl Fn(usize) -> usize) -> [Vec<usize>; 2] {
    [0, 1].map(|_| (0..rank).map(|axis| d.below(most(axis) + 1)).collect())
}

pub const CASES: &[Case] = &[
    (&RESHAPE, |d| {
        let shape = d.shape(0, 3);
        Use::new(&RESHAPE, [d.any(&shape)]).ints(&reshaped(d, &shape))
    }),
    (&RESHAPE_TO, |d| {
        let shape = d.shape(0, 3);
        let sizes = reshaped(d, &shape);
        Use::new(
            &RESHAPE_TO,
            [d.any(&shape), d.of_either(&[sizes.len()], sizes)],
        )
    }),
    (&RELAX_SHAPE, |d| {
        let shape = d.shape(0, 3);
        let relaxed = match d.flag() {
            true => Shape::unknown(),
            false => Shape::of(shape.iter().map(|n| Some(*n).filter(|_| d.flag()))),
        };
        Use::new(&RELAX_SHAPE, [d.any(&shape)]).with(Attr::Shape(relaxed))
    }),
    (&ONE_VALUE, |d| {
        let shape = vec![1; d.below(3)];
        Use::new(&ONE_VALUE, [d.any(&shape)]).with(Attr::Text("condition".to_owned()))
    }),
    (&TRANSPOSE, |d| {
        let shape = d.shape(0, 4);
        let order = d.order(shape.len());
        Use::new(&TRANSPOSE, [d.any(&shape)]).ints(&order)
    }),
    (&EXPAND_DIMS, |d| {
        let shape = d.shape(0, 3);
        Use::new(&EXPAND_DIMS, [d.any(&shape)]).int(d.axis(shape.len() + 1))
    }),
    (&SQUEEZE, |d| {
        let mut shape = d.shape(1, 3);
        let at = d.below(shape.len());
        shape[at] = 1;
        let axes = if d.flag() { vec![at] } else { vec![] };
        Use::new(&SQUEEZE, [d.any(&shape)]).ints(&axes)
    }),
    (&CONCAT, |d| joined(d, &CONCAT)),
    (&STACK, |d| joined(d, &STACK)),
    (&BROADCAST_TO, |d| {
        let shape = d.shape(0, 2);
        Use::new(&BROADCAST_TO, [d.any(&shape)]).ints(&larger(d, &shape))
    }),
    (&BROADCAST_AS, |d| {
        let shape = d.shape(0, 2);
        let larger = larger(d, &shape);
        Use::new(&BROADCAST_AS, [d.any(&shape), vector(d, &larger)])
    }),
    (&SUM_TO, |d| {
        let shape = d.shape(0, 3);
        let part = d.part_of(&shape);
        Use::new(&SUM_TO, [d.any(&shape), vector(d, &part)])
    }),
    (&TILE, |d| {
        let shape = d.shape(0, 3);
        Use::new(&TILE, [d.any(&shape)]).ints(&d.sizes(shape.len()))
    }),
    (&TILE_BY, |d| {
        let shape = d.shape(0, 3);
        let multiples = d.sizes(shape.len());
        Use::new(&TILE_BY, [d.any(&shape), vector(d, &multiples)])
    }),
    (&ROLL, |d| {
        let shape = d.shape(1, 3);
        let axes = d.axes(shape.len());
        Use::new(&ROLL, [d.any(&shape), d.ints(&[axes.len()], -4, 4)]).ints(&axes)
    }),
    (&REPEAT, |d| {
        let shape = d.shape(1, 3);
        Use::new(&REPEAT, [d.any(&shape)])
            .int(d.axis(shape.len()))
            .int(d.int(0, 3))
    }),
    (&REPEAT_EACH, |d| {
        let shape = d.shape(1, 3);
        let axis = d.axis(shape.len());
        let size = shape[axis.rem_euclid(shape.len() as i64) as usize];
        Use::new(&REPEAT_EACH, [d.any(&shape), d.ints(&[size], 0, 3)]).int(axis)
    }),
    (&REVERSE_SEQUENCE, |d| {
        let shape = d.shape(2, 3);
        let order = d.order(shape.len());
        let lengths = d.ints(&[shape[order[1]]], 0, shape[order[0]] as i64);
        let used = Use::new(&REVERSE_SEQUENCE, [d.any(&shape), lengths]);
        used.int(order[0] as i64).int(order[1] as i64)
    }),
    (&PAD, |d| {
        let shape = d.shape(0, 3);
        let [before, after] = paddings(d, shape.len(), |_| 2);
        Use::new(&PAD, [d.any(&shape), d.any(&[])])
            .ints(&before)
            .ints(&after)
    }),
    (&PAD_BY, |d| {
        let shape = d.shape(1, 3);
        let [before, after] = paddings(d, shape.len(), |_| 2);
        let both: Vec<usize> = before
            .iter()
            .zip(&after)
            .flat_map(|(b, a)| [*b, *a])
            .collect();
        let both = d.of_either(&[shape.len(), 2], small(&both));
        Use::new(&PAD_BY, [d.any(&shape), d.any(&[]), both])
    }),
    (&MIRROR_PAD, |d| {
        let shape = d.shape(1, 3);
        let mode = d.pick(&["reflect", "symmetric"]);
        let less = usize::from(mode == "reflect");
        let [before, after] = paddings(d, shape.len(), |axis| shape[axis] - less);
        let used = Use::new(&MIRROR_PAD, [d.any(&shape)]).with(Attr::Text(mode.to_owned()));
        used.ints(&before).ints(&after)
    }),
    (&FILL, |d| {
        Use::new(&FILL, [d.any(&[])]).ints(&d.shape(0, 3))
    }),
    (&FILL_TO, |d| {
        let shape = d.shape(0, 3);
        Use::new(&FILL_TO, [d.any(&[]), vector(d, &shape)])
    }),
    (&AFTER, |d| {
        let shape = d.shape(0, 3);
        Use::new(&AFTER, [d.any(&shape), d.ints(&[], 0, 1)])
    }),
    (&LINSPACE, |d| {
        Use::new(&LINSPACE, [d.any(&[]), d.any(&[])]).int(d.int(1, 5))
    }),
    (&STATELESS_SHUFFLE, |d| {
        let shape = d.shape(1, 3);
        Use::new(&STATELESS_SHUFFLE, [d.ints(&[2], 0, 99), d.any(&shape)])
    }),
];
