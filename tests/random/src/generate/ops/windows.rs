//! Convolutions and poolings, and the ops of their gradients.

use graph_runtime::DType;
use graph_runtime::graph::{Shape, TensorType};
use graph_runtime::ops::{Attr, OpDef};

use super::arrays::vector;
use super::{FLOATS, Uses};
use crate::generate::Writer;
use crate::generate::operands::{applied, ints};
use crate::program::Expr;

/// The shape of the images: batch, rows, columns, channels.
const IMAGES: [usize; 4] = [2, 5, 4, 2];

/// The rows and columns of a result without padding, for filters and windows of 2 by 2 and strides of 1.
const INSIDE: [usize; 2] = [4, 3];

pub const USES: &[Uses] = &[
    Uses {
        ops: &["conv2d"],
        draw: |w, op| {
            let dtype = w.random.one_of(FLOATS);
            let operands = [image(w, dtype, &IMAGES), image(w, dtype, &[2, 2, 2, 3])];
            let window = window(w);
            applied(op, window, operands)
        },
    },
    Uses {
        ops: &["depthwise_conv2d"],
        draw: |w, op| {
            let dtype = w.random.one_of(FLOATS);
            let operands = [image(w, dtype, &IMAGES), image(w, dtype, &[2, 2, 2, 2])];
            let window = window(w);
            applied(op, window, operands)
        },
    },
    Uses {
        ops: &["conv2d_transpose"],
        draw: |w, op| {
            let dtype = w.random.one_of(FLOATS);
            let operands = [image(w, dtype, &inside(3)), image(w, dtype, &[2, 2, 2, 3])];
            applied(op, with_size([5, 4], valid()), operands)
        },
    },
    Uses {
        ops: &["max_pool2d", "avg_pool2d"],
        draw: |w, op| {
            let dtype = w.random.one_of(FLOATS);
            let x = image(w, dtype, &IMAGES);
            let window = window(w);
            applied(op, with_size([2, 2], window), [x])
        },
    },
    Uses {
        ops: &["conv2d_backprop_input"],
        draw: |w, op| {
            let dtype = w.random.one_of(FLOATS);
            let operands = [
                vector(&IMAGES),
                image(w, dtype, &[2, 2, 2, 3]),
                image(w, dtype, &inside(3)),
            ];
            pinned_to(op, valid(), operands, &IMAGES)
        },
    },
    Uses {
        ops: &["conv2d_backprop_filter"],
        draw: |w, op| {
            let dtype = w.random.one_of(FLOATS);
            let operands = [
                image(w, dtype, &IMAGES),
                vector(&[2, 2, 2, 3]),
                image(w, dtype, &inside(3)),
            ];
            pinned_to(op, valid(), operands, &[2, 2, 2, 3])
        },
    },
    Uses {
        ops: &["max_pool2d_grad"],
        draw: |w, op| {
            let dtype = w.random.one_of(FLOATS);
            let operands = [image(w, dtype, &IMAGES), image(w, dtype, &inside(2))];
            applied(op, with_size([2, 2], valid()), operands)
        },
    },
    Uses {
        ops: &["max_pool2d_grad_grad"],
        draw: |w, op| {
            let dtype = w.random.one_of(FLOATS);
            let operands = [image(w, dtype, &IMAGES), image(w, dtype, &IMAGES)];
            applied(op, with_size([2, 2], valid()), operands)
        },
    },
    Uses {
        ops: &["avg_pool2d_grad"],
        draw: |w, op| {
            let dtype = w.random.one_of(FLOATS);
            let operands = [vector(&IMAGES), image(w, dtype, &inside(2))];
            pinned_to(op, with_size([2, 2], valid()), operands, &IMAGES)
        },
    },
];

/// The shape of a result without padding.
fn inside(channels: usize) -> [usize; 4] {
    [IMAGES[0], INSIDE[0], INSIDE[1], channels]
}

/// An array of four axes that depends on a value in scope, because few programs have a value with four axes.
fn image(w: &mut Writer, dtype: DType, shape: &[usize]) -> Expr {
    let (constant, _) = w.constant(TensorType::new(dtype, Shape::known(shape)));
    match w.pick(|ty| *ty == TensorType::scalar(dtype)) {
        Some((scalar, _)) => Expr::apply("mul", vec![constant, scalar]),
        None => constant,
    }
}

fn valid() -> [Attr; 4] {
    [
        ints([1, 1]),
        ints([1, 1]),
        Attr::Text("VALID".to_owned()),
        ints([0, 0, 0, 0]),
    ]
}

/// The attributes for strides, dilations and padding.
fn window(w: &mut Writer) -> [Attr; 4] {
    let padding = w.random.one_of(&["VALID", "SAME"]).to_owned();
    let stride = 1 + w.random.below(2) as i64;
    [
        ints([stride, stride]),
        ints([1, 1]),
        Attr::Text(padding),
        ints([0, 0, 0, 0]),
    ]
}

fn with_size(size: [i64; 2], [strides, dilations, padding, pads]: [Attr; 4]) -> [Attr; 5] {
    [ints(size), strides, dilations, padding, pads]
}

fn pinned_to<const N: usize>(
    op: &'static OpDef,
    attrs: [Attr; N],
    operands: impl Into<Vec<Expr>>,
    sizes: &[usize],
) -> Option<Expr> {
    let applied = applied(op, attrs, operands)?;
    Some(crate::generate::operands::pinned(applied, sizes))
}
