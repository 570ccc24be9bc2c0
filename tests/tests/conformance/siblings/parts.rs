//! Slices of arrays, and arrays made of parts: families indexing and shape_ops.

use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;
type Float = Tensor<f32>;
type Bool = Tensor<bool>;

#[graph_fn]
#[allow(clippy::reversed_empty_ranges)]
fn slices_with_steps(m: Int) -> (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int) {
    (
        m[-1],
        m[(..).by(2)],
        m[(.., (..).by(-1))],
        m[(1.., -2..)],
        m[((..).by(-1), (..).by(2))],
        m[(Ellipsis, -1)],
        m[(0, 1..3)],
        m[-2..-1],
        m[(.., NewAxis, 1)],
        m[2..1],
    )
}

#[graph_fn]
fn slices_between_tensors(v: Int, i: Int, j: Int) -> (Int, Int, Int, Int, Int, Int, Int) {
    (
        v[&i..&j],
        v[..&j],
        v[&i..],
        v[(&i..).by(2)],
        v[&i],
        v[-1],
        v.slice(i.abs().expand_dims(0), &[1]),
    )
}

#[graph_fn]
fn gathers(m: Int, i: Int) -> (Int, Int, Int, Int, Int, Int, Float, Int) {
    (
        m.gather(&i),
        m.gather_axis(tensor([1, 0]), 1),
        m.gather_nd(tensor([[0, 1], [2, 0]])),
        m.gather_nd(tensor([[1], [2]])),
        m.gather(tensor([[0, 1], [1, 2]])),
        i.gather(m.floor_mod(3)),
        i.one_hot(3),
        i.one_hot_with(4, 5, -1, -1),
    )
}

#[graph_fn]
fn scatters(v: Int, i: Int, u: Int) -> (Int, Int, Int, Int, Int, Int) {
    (
        v.scatter_update(&i, &u),
        v.scatter_add(&i, &u),
        v.scatter_sub(&i, &u),
        v.scatter_max(&i, &u),
        v.scatter_min(&i, &u),
        scatter_nd(&i, &u, &[6]),
    )
}

#[graph_fn]
fn two_dynamic_indices(m: Int, i: Int, j: Int) -> (Int, Int) {
    (m[(i, j)], m[(i, j)] + m[(1 - i, 0)])
}

#[graph_fn]
fn join_and_part(m: Int) -> (Int, Int, Int, Int, Int, Int, Int, Int, Int) {
    let [a, c, d] = m.unstack(1).try_into().unwrap();
    let [left, right] = m.split_sizes(&[1, 2], 1).try_into().unwrap();
    (
        stack([&a, &c], 1),
        concat([&m, &m], 1),
        left,
        right,
        stack([&m, &m], 0),
        d,
        m.tile(&[1, 2]),
        m.repeat(2, 0),
        a.repeat_each(tensor([1, 3]), 0),
    )
}

#[graph_fn]
fn pad_flip_roll(m: Int) -> (Int, Int, Int, Int, Int, Int, Int, Int) {
    (
        m.pad([(1, 0), (0, 2)]),
        m.pad_with([(0, 0), (1, 1)], 9),
        m.pad_reflect(&[(1, 1), (2, 2)]),
        m.pad_symmetric(&[(1, 1), (1, 1)]),
        m.reverse(&[1]),
        m.roll(1, 0),
        m.roll(1, 0).roll(-1, 1),
        m.reverse(&[0, 1]),
    )
}

#[graph_fn]
fn shapes_of_shapes(m: Int) -> (Int, Int, Int, Int, Int, Int, Float, Int, Int, Int, Int) {
    let n = m.shape_tensor()[0];
    (
        m.shape_tensor(),
        m.rank_tensor(),
        m.size(),
        m.reshape(stack([&n * 3], 0)),
        m.reshape(stack([tensor(3), n.clone()], 0)),
        fill(stack([n.clone(), tensor(2)], 0), 7),
        zeros(stack([&n], 0)),
        ones(stack([tensor(2), n.clone()], 0)),
        range(0, &n, 1),
        m[(NewAxis, .., .., NewAxis)].squeeze(&[]),
        m.t(),
    )
}

#[graph_fn]
fn triangles_and_diagonals(v: Float) -> (Float, Float, Float, Float, Float, Float, Float, Float) {
    let m = v[(.., NewAxis)] * v[NewAxis];
    (
        m.tril(0),
        m.triu(0),
        m.diag_part(),
        m.trace(),
        m.set_diag(zeros(&[3]), 0),
        eye(3) * v,
        meshgrid([&v, &v[..2]])[0],
        v.diag_at(1),
    )
}

#[graph_fn]
fn counting(v: Int) -> (Int, Int, Int, Int, Int, Int, Int, Int, Bool, Int, Int, Int) {
    let (y, index, count) = v.unique_with_counts();
    (
        y,
        index,
        count,
        v.bincount(0),
        v.cumsum(0),
        v.cumsum_with(0, true, false),
        v.cumsum_with(0, false, true),
        v.cumprod(0),
        v.sequence_mask(Some(3)),
        v.sort_axis(0, false).searchsorted(tensor([1, 2, 5]), false),
        v.segment_sum(tensor([0, 0, 1, 1])),
        v.unsorted_segment_max(tensor([1, 0, 1, 0]), 2),
    )
}

functions! {
    slices_with_steps(m);
    slices_between_tensors(v, i, j);
    gathers(m, i);
    scatters(v, i, u);
    two_dynamic_indices(m, i, j);
    join_and_part(m);
    pad_flip_roll(m);
    shapes_of_shapes(m);
    triangles_and_diagonals(v);
    counting(v);
}
