//! Operations on arrays: families where_vectorised, argmax, empty, broadcasting, indexing, softmax, sorting, shape_ops,
//! linear_algebra.

use graph_runtime::prelude::*;
use graph_runtime::tensor::{einsum, linspace};

use crate::harness::{functions, generic_functions};

type Int = Tensor<i32>;
type Wide = Tensor<i64>;
type Float = Tensor<f32>;
type Bool = Tensor<bool>;

#[graph_fn]
fn where_broadcast(m: Bool, row: Int) -> (Int, Int, Int) {
    (
        m.select(&row, 0),
        m.select(&row, -&row),
        select(true, row, 0),
    )
}

#[graph_fn]
fn argmax_axis(m: Int) -> (Wide, Wide, Wide, Int) {
    (m.argmax(0), m.argmax(1), m.argmin(-1), m.argmax(0).cast())
}

#[graph_fn]
fn broadcast_static_error(a: Float, b: Float) -> Float {
    a + b
}

#[graph_fn]
fn gather_bounds(v: Int, idx: Int) -> Int {
    v.gather(&idx)
}

#[graph_fn]
fn index_scalar_dynamic(v: Int, i: Int) -> Int {
    v[i]
}

#[graph_fn]
fn slice_matrix(m: Int, i: Int) -> (Int, Int, Int, Int, Int, Int) {
    (
        m[&i],
        m[(.., &i)],
        m[(&i, &i)],
        m[(.., ..2)],
        m[(&i.., 1..)],
        m[..&i],
    )
}

#[graph_fn]
fn softmax_extreme_logits(x: Float) -> (Float, Float, Float) {
    (x.softmax(-1), x.log_softmax(-1), x.logsumexp_axis(1))
}

#[graph_fn]
fn softmax_nonfinite_logits(x: Float) -> (Float, Float, Float) {
    (x.softmax(-1), x.log_softmax(-1), x.logsumexp_axis(1))
}

#[graph_fn]
fn sort_stability(v: Int) -> (Int, Int, Int, Int, Int, Int, Int) {
    let (unique, index) = v.unique();
    (
        v.sort(),
        v.argsort(),
        v.argsort(),
        v.sort_descending(),
        v.argsort_descending(),
        unique,
        index,
    )
}

#[graph_fn]
fn reshape_transpose_forms(m: Int) -> (Int, Int, Int, Int, Int, Int, Int, Int) {
    (
        m.reshape(&[-1]),
        m.reshape(&[3, -1]),
        m.t(),
        m.expand_dims(0).permute([2, 0, 1]),
        m[0].broadcast_to(&[2, 3]),
        m[0].diag(),
        m.band_part(0, 0),
        eye(2),
    )
}

#[graph_fn]
fn bitwise_ops(a: Int, b: Int) -> (Int, Int, Int, Int, Int, Int) {
    let by = b.floor_mod(8);
    (
        a & b,
        a | b,
        a ^ b,
        !a,
        a.left_shift(&by),
        a.right_shift(by),
    )
}

#[graph_fn]
fn range_linspace_forms(a: Int, b: Int, d: Int) -> (Int, Float, Float, Wide) {
    (
        graph_runtime::tensor::range(&a, &b, &d),
        graph_runtime::tensor::range(0.0, 1.0, 0.3),
        linspace(0.0, 1.0, 5),
        range(0, b.cast::<i64>(), 1),
    )
}

#[graph_fn]
fn zero_size_dims(m: Float) -> (Float, Float, Float, Float, Float, Int, Float, Float) {
    (
        m.sum_axis(0),
        m.sum_axis(1),
        m.max_axis(1),
        m.mean_axis(0),
        m.matmul_t(&m),
        m.shape_tensor(),
        m.t(),
        concat([&m, &m], 0),
    )
}

#[graph_fn]
fn reduce_over_empty_float<T: graph_runtime::tensor::Float>(
    a: Tensor<T>,
) -> (
    Tensor<T>,
    Tensor<T>,
    Tensor<T>,
    Tensor<T>,
    Tensor<T>,
    Tensor<T>,
    Tensor<T>,
    Tensor<T>,
) {
    (
        a.sum(),
        a.prod(),
        a.mean(),
        a.max(),
        a.min(),
        a.std(),
        a.logsumexp(),
        a.norm(),
    )
}

generic_functions! {
    reduce_over_empty_float<f32, f64>(a);
}

#[graph_fn]
fn einsum_forms(a: Float, b: Float) -> (Float, Float, Float, Float, Float, Float) {
    (
        einsum("ij,jk->ik", [&a, &b]),
        einsum("ij,ij->", [&a, &b]),
        einsum("ij->ji", [&a]),
        einsum("ii->i", [&a]),
        einsum("i,j->ij", [&a[0], &b[0]]),
        einsum("ij,kj->ki", [&a, &b]),
    )
}

functions! {
    where_broadcast(m, row);
    argmax_axis(m);
    broadcast_static_error(a, b);
    gather_bounds(v, idx);
    index_scalar_dynamic(v, i);
    slice_matrix(m, i);
    sort_stability(v);
    reshape_transpose_forms(m);
    bitwise_ops(a, b);
    range_linspace_forms(a, b, d);
    zero_size_dims(m);
    einsum_forms(a, b);
    softmax_extreme_logits(x);
    softmax_nonfinite_logits(x);
}
