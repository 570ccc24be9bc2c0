//! Reductions, and other ops along one axis.

use graph_runtime::Array;
use graph_runtime::ops::*;

use crate::Case;
use crate::draw::Draw;
use crate::used::Use;

fn reduced(d: &mut Draw, op: &'static OpDef, x: fn(&mut Draw, &[usize]) -> Array) -> Use {
    let shape = d.shape(0, 4);
    let x = x(d, &shape);
    Use::new(op, [x]).ints(&d.axes(shape.len())).flag(d.flag())
}

fn distinct(d: &mut Draw, shape: &[usize]) -> Array {
    d.distinct(shape)
}

fn any(d: &mut Draw, shape: &[usize]) -> Array {
    d.any(shape)
}

fn not_0(d: &mut Draw, shape: &[usize]) -> Array {
    d.away(
        shape,
        -2.0,
        2.0,
        &[
            -0.25, -0.2, -0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2, 0.25,
        ],
    )
}

/// Values with some zeros, by which the gradient of a product must not divide.
fn with_zeros(d: &mut Draw, shape: &[usize]) -> Array {
    let mut x = not_0(d, shape);
    let values = x.values_mut::<f64>().expect("floats");
    values
        .iter_mut()
        .filter(|_| d.below(4) == 0)
        .for_each(|v| *v = 0.0);
    x
}

fn running(d: &mut Draw, op: &'static OpDef, x: fn(&mut Draw, &[usize]) -> Array) -> Use {
    let shape = d.shape(1, 3);
    let x = x(d, &shape);
    let axis = d.axis(shape.len());
    Use::new(op, [x]).int(axis).flag(d.flag()).flag(d.flag())
}

fn along(d: &mut Draw, op: &'static OpDef) -> Use {
    let shape = d.shape(1, 3);
    Use::new(op, [d.any(&shape)]).int(d.axis(shape.len()))
}

pub const CASES: &[Case] = &[
    (&REDUCE_SUM, |d| reduced(d, &REDUCE_SUM, any)),
    (&REDUCE_MEAN, |d| reduced(d, &REDUCE_MEAN, any)),
    (&REDUCE_MAX, |d| reduced(d, &REDUCE_MAX, distinct)),
    (&REDUCE_MIN, |d| reduced(d, &REDUCE_MIN, distinct)),
    (&REDUCE_PROD, |d| match d.below(3) {
        0 => reduced(d, &REDUCE_PROD, not_0),
        1 => reduced(d, &REDUCE_PROD, with_zeros).needs_ranks(),
        _ => {
            let shape = d.shape(0, 3);
            Use::new(&REDUCE_PROD, [with_zeros(d, &shape)])
                .ints::<i64>(&[])
                .flag(d.flag())
        }
    }),
    (&CUMSUM, |d| running(d, &CUMSUM, any)),
    (&CUMPROD, |d| match d.flag() {
        true => running(d, &CUMPROD, not_0),
        false => running(d, &CUMPROD, with_zeros).kinked(),
    }),
    (&SOFTMAX, |d| along(d, &SOFTMAX)),
    (&LOG_SOFTMAX, |d| along(d, &LOG_SOFTMAX)),
    (&SPARSE_SOFTMAX_CROSS_ENTROPY, |d| {
        let mut shape = d.shape(1, 3);
        let logits = d.any(&shape);
        let classes = shape.pop().expect("at least one axis");
        let labels = d.ints(&shape, 0, classes as i64 - 1);
        Use::new(&SPARSE_SOFTMAX_CROSS_ENTROPY, [labels, logits])
    }),
    (&SORT, |d| {
        let shape = d.shape(1, 3);
        Use::new(&SORT, [d.distinct(&shape)])
            .int(d.axis(shape.len()))
            .flag(d.flag())
    }),
];
