//! Operations on arrays: families where_vectorised, argmax, empty, broadcasting, linear_algebra, softmax, sorting, shape_ops.

use graph_runtime::prelude::*;
use graph_runtime::tensor::{Norm, Padding, Window, einsum};

use crate::harness::functions;

type Int = Tensor<i32>;
type Wide = Tensor<i64>;
type Float = Tensor<f32>;
type Bool = Tensor<bool>;
type Text = Tensor<String>;

#[graph_fn]
fn where_positions(m: Int) -> (Wide, Int, Int, Int, Int) {
    let has_negative = (m < 0).any_axes(&[1], true);
    (
        (m > 0).nonzero(),
        (m > 0).select(&m, m.zeros_like()),
        has_negative.select(&m, -1),
        m.boolean_mask(m > 0),
        m.boolean_mask(tensor([true, false])),
    )
}

#[graph_fn]
fn where_guards_sqrt(x: Float) -> (Float, Int, Float) {
    let safe = (x > 0.0).select(&x, 1.0);
    (
        (x > 0.0).select(safe.sqrt(), 0.0),
        (x > 0.0).select(1, 0),
        x.sign(),
    )
}

#[graph_fn]
fn argmax_ties_and_nan(v: Float) -> (Wide, Wide, Wide, Int) {
    (v.argmax(0), v.argmin(0), v.argmax(0), v.argmax(0).cast())
}

#[graph_fn]
fn top_k_of_rows(m: Float) -> (Float, Int, Float) {
    let (values, indices) = m.top_k(2);
    (values, indices, m.max_axis(-1))
}

#[graph_fn]
fn reduce_over_empty_int(v: Int) -> (Int, Int, Int, Int, Int, Bool, Bool) {
    (
        v.sum(),
        v.prod(),
        v.max(),
        v.min(),
        v.size(),
        (v > 0).any(),
        (v > 0).all(),
    )
}

#[graph_fn]
fn loops_over_empty(m: Float) -> (Float, Int, Int, Float, Float) {
    let mut total = zeros(&[3]);
    let mut n = tensor(0);
    for row in &m {
        total += row;
        n += 1;
    }
    (
        total,
        n,
        m.len_tensor(),
        concat([&m, &ones(&[1, 3])], 0),
        m[..0],
    )
}

#[graph_fn]
fn strings_of_empty(v: Text) -> (Int, Text, Text, Text) {
    (v.size(), v.reduce_join(""), v.reduce_join(","), v + "x")
}

#[graph_fn]
fn broadcast_shapes(a: Float, b: Float) -> (Float, Float, Bool, Float, Float) {
    (
        a + b,
        a.maximum(&b),
        a < b,
        a.broadcast_to((a * b).shape_tensor()),
        a.squared_difference(b),
    )
}

#[graph_fn]
fn outer_products(a: Int, b: Int) -> (Int, Int, Int, Int) {
    (
        a[(.., NewAxis)] * b,
        a[(.., NewAxis)] + b[NewAxis],
        a.expand_dims(-1) - b,
        a.outer(b),
    )
}

#[graph_fn]
fn normalized_by_keepdims(m: Float) -> (Float, Float, Float) {
    let mean = m.mean_axes(&[1], true);
    let variance = m.variance_axes(&[1], true);
    (
        (m - mean) / (variance + 1e-3).sqrt(),
        m / m.sum_axis(0),
        m - m.max(),
    )
}

#[graph_fn]
fn matmul_forms(
    a: Float,
    b: Float,
) -> (
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
) {
    (
        a.matmul(&b),
        a.t_matmul(&b),
        a.matmul_t(&b),
        a.matvec(b.row(0)),
        a.tensordot(&b, &[1], &[0]),
        a.tensordot(&b, &[0, 1], &[0, 1]),
        a.tensordot(&b, &[0], &[1]),
        a.matmul(&b).trace(),
        a.norm(),
        a.norm_axis(1),
        a.norm_of(Norm::One, &[0, 1], false),
        (a * b).sum(),
    )
}

#[graph_fn]
fn batched_matmul(a: Float, b: Float) -> (Float, Float, Float, Float, Float) {
    (
        a.matmul(&b),
        einsum("bij,bjk->bik", [&a, &b]),
        einsum("bij->bji", [&a]),
        a.matvec(b[(.., .., 0)]),
        einsum("bij->b", [&a]),
    )
}

#[graph_fn]
fn integer_matrices(a: Int, b: Int) -> (Int, Int, Int, Int, Int, Int) {
    (
        a.matmul(&b),
        a.matmul(&a),
        a.t().matmul(b),
        a.sum_axis(0),
        a.diag_part(),
        a.matvec(tensor([1, 1])),
    )
}

#[graph_fn]
fn softmax_axes(x: Float) -> (Float, Float, Float, Float, Float, Float, Float) {
    (
        x.softmax(0),
        x.softmax(-1),
        x.log_softmax(0),
        x.logsumexp(),
        x.logsumexp_axes(&[0], true),
        x.softmax_cross_entropy(x.softmax(-1)),
        x.sparse_softmax_cross_entropy(tensor([2, 0])),
    )
}

#[graph_fn]
fn activations(
    x: Float,
) -> (
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
    Float,
) {
    (
        x.relu(),
        (x * 4.0).relu6(),
        x.leaky_relu(0.2),
        x.elu(),
        x.selu(),
        x.gelu(),
        x.silu(),
        x.softplus(),
        x.sigmoid(),
        x.softsign(),
        x.gelu_tanh(),
        x.sigmoid_cross_entropy(x.ones_like()),
    )
}

#[graph_fn]
fn sort_values(v: Float) -> (Float, Float, Int, Int) {
    (
        v.sort(),
        v.sort_descending(),
        v.argsort(),
        v.argsort_descending(),
    )
}

#[graph_fn]
fn sort_axes(m: Int) -> (Int, Int, Int, Int, Int) {
    (
        m.sort_axis(0, false),
        m.sort_descending(),
        m.argsort_axis(0, false),
        m.sort()[(.., 0)],
        m.top_k(1).0,
    )
}

#[graph_fn]
fn images(x: Float) -> (Float, Float, Float, Float, Float, Float, Float) {
    let k = ones(&[2, 2, 1, 2]);
    let line = x[(.., 0)];
    let by_two = Window {
        strides: [2, 2],
        ..Window::default()
    };
    let same = Window {
        padding: Padding::Same,
        ..Window::default()
    };
    let same_by_two = Window {
        strides: [2, 2],
        ..same
    };
    (
        x.conv2d(&k, Window::default()),
        x.conv2d(&k, same_by_two),
        x.max_pool2d([2, 2], by_two),
        x.avg_pool2d([2, 2], same_by_two),
        line.conv1d(ones(&[3, 1, 1]), same),
        x.depthwise_conv2d(&k, Window::default()),
        x.space_to_depth(2),
    )
}

functions! {
    where_positions(m);
    where_guards_sqrt(x);
    argmax_ties_and_nan(v);
    top_k_of_rows(m);
    reduce_over_empty_int(v);
    loops_over_empty(m);
    strings_of_empty(v);
    broadcast_shapes(a, b);
    outer_products(a, b);
    normalized_by_keepdims(m);
    matmul_forms(a, b);
    batched_matmul(a, b);
    integer_matrices(a, b);
    softmax_axes(x);
    activations(x);
    sort_values(v);
    sort_axes(m);
    images(x);
}
