//! Convolutions and poolings. A convolution is linear in its images and in its filters. So are the two ops that compute its
//! gradients; the gradients of all three are made of the same three ops.

use super::super::backward::Backward;
use super::super::term::Term;
use super::Row;
use crate::ops::{self, Attrs, OpDef};

/// The ops with their rules.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (&ops::CONV2D, conv2d),
    (&ops::DEPTHWISE_CONV2D, depthwise_conv2d),
    (&ops::CONV2D_TRANSPOSE, conv2d_transpose),
    (&ops::MAX_POOL2D, max_pool2d),
    (&ops::AVG_POOL2D, avg_pool2d),
    (&ops::CONV2D_BACKPROP_INPUT, conv2d_backprop_input),
    (&ops::CONV2D_BACKPROP_FILTER, conv2d_backprop_filter),
    (&ops::MAX_POOL2D_GRAD, max_pool2d_grad),
    (&ops::MAX_POOL2D_GRAD_GRAD, max_pool2d_grad_grad),
    (&ops::AVG_POOL2D_GRAD, avg_pool2d_grad),
];

/// The attributes that define the windows.
fn window(b: &Backward<'_>) -> Attrs {
    let all = b.attrs().iter();
    all.filter(|(name, _)| *name != "size").cloned().collect()
}

fn convolved(b: &Backward<'_>, images: &Term, filter: &Term) -> Term {
    images.apply(&ops::CONV2D, window(b), &[filter])
}

/// The gradient with respect to the images, with the shape of `images`.
fn to_images(b: &Backward<'_>, images: &Term, filter: &Term, g: &Term) -> Term {
    let sizes = images.sizes();
    let gradient = sizes.apply(&ops::CONV2D_BACKPROP_INPUT, window(b), &[filter, g]);
    gradient.of_type(&images.ty())
}

/// The gradient with respect to the filters, with the shape of `filter`.
fn to_filter(b: &Backward<'_>, images: &Term, filter: &Term, g: &Term) -> Term {
    let sizes = filter.sizes();
    let gradient = images.apply(&ops::CONV2D_BACKPROP_FILTER, window(b), &[&sizes, g]);
    gradient.of_type(&filter.ty())
}

fn conv2d(b: &mut Backward<'_>) {
    let (x, filter, g) = (b.x(0), b.x(1), b.g());
    if b.wants(0) {
        b.give(0, to_images(b, &x, &filter, &g));
    }
    if b.wants(1) {
        b.give(1, to_filter(b, &x, &filter, &g));
    }
}

/// A depthwise convolution is a grouped one with as many groups as channels and the same filters, reshaped to `[rows, columns, 1, channels * n]`.
fn depthwise_conv2d(b: &mut Backward<'_>) {
    let (x, filter, g) = (b.x(0), b.x(1), b.g());
    let grouped = grouped(&filter);
    if b.wants(0) {
        b.give(0, to_images(b, &x, &grouped, &g));
    }
    if b.wants(1) {
        let gradient = to_filter(b, &x, &grouped, &g);
        b.give(1, gradient.reshaped_as(&filter));
    }
}

fn grouped(filter: &Term) -> Term {
    if let Some([rows, columns, channels, n]) = filter.shape().to_known().as_deref() {
        return filter.reshaped_to(&[*rows, *columns, 1, channels * n]);
    }
    let rest = filter.integers(&[1, -1]);
    filter.with(&ops::RESHAPE_TO, &filter.sizes_picked(&[0, 1, 4, 5], &rest))
}

fn conv2d_transpose(b: &mut Backward<'_>) {
    let (x, filter, g) = (b.x(0), b.x(1), b.g());
    if b.wants(0) {
        b.give(0, convolved(b, &g, &filter).of_type(&x.ty()));
    }
    if b.wants(1) {
        b.give(1, to_filter(b, &g, &filter, &x));
    }
}

/// Operands: the sizes of the images, the filters and a gradient. This is a transposed convolution.
fn conv2d_backprop_input(b: &mut Backward<'_>) {
    let (filter, g, u) = (b.x(1), b.x(2), b.g());
    if b.wants(1) {
        b.give(1, to_filter(b, &u, &filter, &g));
    }
    if b.wants(2) {
        b.give(2, convolved(b, &u, &filter).of_type(&g.ty()));
    }
}

/// Operands: the images, the sizes of the filters, and a gradient.
fn conv2d_backprop_filter(b: &mut Backward<'_>) {
    let (x, g, u) = (b.x(0), b.x(2), b.g());
    if b.wants(0) {
        b.give(0, to_images(b, &x, &u, &g));
    }
    if b.wants(2) {
        b.give(2, convolved(b, &x, &u).of_type(&g.ty()));
    }
}

/// An op on images and another operand, with the attributes of this pooling.
fn pooled(b: &Backward<'_>, op: &'static OpDef, first: &Term, others: &[&Term]) -> Term {
    first.apply(op, b.attrs().clone(), others)
}

fn max_pool2d(b: &mut Backward<'_>) {
    let gradient = pooled(b, &ops::MAX_POOL2D_GRAD, &b.x(0), &[&b.g()]);
    b.give(0, gradient);
}

/// Apart from kinks, a small change of the images doesn't change which value is the largest.
fn max_pool2d_grad(b: &mut Backward<'_>) {
    none(b);
    if b.wants(1) {
        let gradient = pooled(b, &ops::MAX_POOL2D_GRAD_GRAD, &b.x(0), &[&b.g()]);
        b.give(1, gradient.of_type(&b.ty(1)));
    }
}

fn max_pool2d_grad_grad(b: &mut Backward<'_>) {
    none(b);
    if b.wants(1) {
        let gradient = pooled(b, &ops::MAX_POOL2D_GRAD, &b.x(0), &[&b.g()]);
        b.give(1, gradient.of_type(&b.ty(1)));
    }
}

/// The images only select values; their own values don't enter the result.
fn none(b: &mut Backward<'_>) {
    if b.wants(0) {
        b.give(0, b.x(0).zeros_like());
    }
}

fn avg_pool2d(b: &mut Backward<'_>) {
    let gradient = pooled(b, &ops::AVG_POOL2D_GRAD, &b.x(0).sizes(), &[&b.g()]);
    b.give(0, gradient.of_type(&b.ty(0)));
}

fn avg_pool2d_grad(b: &mut Backward<'_>) {
    if b.wants(1) {
        let gradient = pooled(b, &ops::AVG_POOL2D, &b.g(), &[]);
        b.give(1, gradient.of_type(&b.ty(1)));
    }
}
