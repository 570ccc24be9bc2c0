//! Reductions, sorting, and ops that move values.

use graph_runtime::prelude::*;

use crate::{Plain, values};

#[graph_fn]
fn reduced<T: Plain>(x: Tensor<T>) -> Vec<Tensor<T>> {
    reductions(&x)
}

fn reductions<T: Plain>(x: &Tensor<T>) -> Vec<Tensor<T>> {
    let mut all = vec![x.sum(), x.prod(), x.max(), x.min(), x.mean()];
    for axis in [0, 1] {
        all.extend([
            x.sum_axis(axis),
            x.prod_axis(axis),
            x.max_axis(axis),
            x.min_axis(axis),
            x.mean_axis(axis),
        ]);
    }
    // Reductions of a chain.
    all.push((x + T::ONE).max_axis(1));
    all.push((x * x).sum());
    all
}

fn check_reductions<T: Plain>() {
    fn plain<T: Plain>(values: &[T]) -> [T; 5] {
        let sum: i128 = values.iter().map(|v| v.wide()).sum();
        let product = values
            .iter()
            .fold(1i128, |product, v| product.wrapping_mul(v.wide()));
        // The sum modulo 2^64, as `u64` or `i64`.
        let sum64: i128 = if T::MAX.wide() > i64::MAX.into() {
            (sum as u64).into()
        } else {
            (sum as i64).into()
        };
        let mean = sum64 / values.len() as i128;
        [
            T::wrapped(sum),
            T::wrapped(product),
            *values.iter().max().unwrap(),
            *values.iter().min().unwrap(),
            T::wrapped(mean),
        ]
    }
    for (rows, columns) in [(1, 1), (3, 5), (40, 300)] {
        let values = values::<T>(rows * columns, 21);
        let x = Tensor::from_vec(&[rows, columns], values.clone()).unwrap();
        let row = |n: usize| values[n * columns..(n + 1) * columns].to_vec();
        let column = |n: usize| {
            (0..rows)
                .map(|row| values[row * columns + n])
                .collect::<Vec<T>>()
        };
        let groups = [
            vec![values.clone()],
            (0..columns).map(column).collect(),
            (0..rows).map(row).collect(),
        ];
        let mut expected: Vec<Vec<T>> = Vec::new();
        for groups in &groups {
            let all: Vec<[T; 5]> = groups.iter().map(|group| plain(group)).collect();
            expected.extend((0..5).map(|n| all.iter().map(|of| of[n]).collect()));
        }
        let more = |v: &T| T::wrapped(v.wide() + 1);
        expected.push(
            groups[2]
                .iter()
                .map(|row| row.iter().map(more).max().unwrap())
                .collect(),
        );
        expected.push(vec![values.iter().fold(T::default(), |sum, v| {
            T::wrapped(sum.wide() + T::wrapped(v.wide().wrapping_mul(v.wide())).wide())
        })]);
        let eager = reductions(&x);
        for (n, ((eager, graph), expected)) in eager
            .iter()
            .zip(reduced(x.clone()))
            .zip(&expected)
            .enumerate()
        {
            assert_eq!(
                &eager.to_vec(),
                expected,
                "{n} of {} {rows} {columns}",
                T::DTYPE
            );
            assert_eq!(
                &graph.to_vec(),
                expected,
                "{n} of {} {rows} {columns} in a graph",
                T::DTYPE
            );
        }
    }
    let nothing = Tensor::<T>::from_vec(&[0], vec![]).unwrap();
    let of_nothing = [
        nothing.sum(),
        nothing.prod(),
        nothing.max(),
        nothing.min(),
        nothing.mean(),
    ];
    assert_eq!(
        of_nothing.map(|x| x.item()),
        [T::default(), T::ONE, T::MIN, T::MAX, T::default()],
        "{}",
        T::DTYPE
    );
}

#[test]
fn reductions_wrap_and_keep_the_order() {
    each_integer!(check_reductions);
}

#[graph_fn]
fn in_order<T: Plain>(
    x: Tensor<T>,
) -> (
    Tensor<T>,
    Tensor<T>,
    Tensor<i32>,
    Tensor<i32>,
    Tensor<i64>,
    Tensor<i64>,
    Tensor<i32>,
) {
    (
        x.sort(),
        x.sort_descending(),
        x.argsort(),
        x.top_k(3).1,
        x.argmax(0),
        x.argmin(0),
        x.sort().searchsorted(&x, false),
    )
}

fn check_order<T: Plain>() {
    let values = values::<T>(40, 31);
    let mut sorted = values.clone();
    sorted.sort();
    let mut order: Vec<i32> = (0..40).collect();
    order.sort_by_key(|n| values[*n as usize]);
    let mut best: Vec<i32> = (0..40).collect();
    best.sort_by_key(|n| std::cmp::Reverse(values[*n as usize]));
    let first = |value: &T| values.iter().position(|v| v == value).unwrap() as i64;
    let (up, down, places, top, largest, smallest, found) = in_order(tensor(&values));
    assert_eq!(up.to_vec(), sorted);
    assert_eq!(
        down.to_vec(),
        sorted.iter().rev().copied().collect::<Vec<T>>()
    );
    assert_eq!((places.to_vec(), top.to_vec()), (order, best[..3].to_vec()));
    assert_eq!(
        (largest.item(), smallest.item()),
        (first(&sorted[39]), first(&sorted[0]))
    );
    let place = |v: &T| sorted.partition_point(|other| other < v) as i32;
    assert_eq!(
        found.to_vec(),
        values.iter().map(place).collect::<Vec<i32>>()
    );
}

#[test]
fn order_is_that_of_the_numbers() {
    each_integer!(check_order);
}

#[graph_fn]
fn moved<T: Plain>(x: Tensor<T>) -> Vec<Tensor<T>> {
    moves(&x)
}

/// The results of ops that move the values of a matrix `[4, 6]`, or add them.
fn moves<T: Plain>(x: &Tensor<T>) -> Vec<Tensor<T>> {
    let rows = tensor([2, 0]);
    let list = TensorArray::<T>::new(4)
        .write(1, x.row(1))
        .write(3, x.row(0));
    let pairs = tensor([[1, 2], [3, 0]]);
    let (large, small) = (T::cut(100), T::cut(3));
    vec![
        x.reshape(&[6, 4]),
        x.t(),
        x.row(1),
        x.slice([1, 2], [2, 3]),
        x.gather(&rows),
        x.gather_nd(&pairs),
        x.take_along_axis(tensor([[0], [1], [2], [5]]), 1),
        concat(&[x, x], 1),
        stack(&[x, x], 0),
        x.pad([(1, 0), (0, 2)]),
        x.pad_with([(1, 0), (0, 2)], large),
        x.pad_reflect(&[(1, 1), (2, 0)]),
        (x & T::ONE).equal(T::default()).select(x, large),
        x.tile(&[2, 1]),
        x.repeat(2, 0),
        x.repeat_each(tensor([1, 0, 2, 1]), 0),
        x.roll(1, 1),
        x.reverse(&[0]),
        x.boolean_mask(tensor([true, false, true, true])),
        x.broadcast_to(&[2, 4, 6]),
        x.expand_dims(0).squeeze(&[0]),
        x.triu(1),
        x.row(0).diag(),
        x.reshape(&[24]).unique().0,
        list.stack(),
        x.with_row(2, x.row(0)),
        x.scatter_update(&pairs, tensor([large, small])),
        x.scatter_add(&pairs, tensor([large, small])),
        x.scatter_sub(&pairs, tensor([large, small])),
        x.segment_sum(tensor([0, 0, 1, 3])),
        x.segment_prod(tensor([0, 0, 1, 3])),
        x.cumsum(1),
        x.cumprod(0),
        x.matmul(x.t()),
        x.matmul(x.t()) + T::ONE,
        x.matmul(x.t()) + x.t().row(0),
        tensor([0, 2, 2]).weighted_bincount(tensor([large, small, small]), 0, None),
        range(T::cut(2), T::cut(11), small),
        tensor([2, 0]).one_hot::<T>(3),
        eye(3),
        fill([2, 2], large),
        x.nonzero().cast(),
    ]
}

fn check_moves<T: Plain>() {
    let values = values::<T>(24, 41);
    let x = Tensor::from_vec(&[4, 6], values).unwrap();
    // The same ops on `int64`; the results here have the low bits of those.
    let expected = moves(&x.cast::<i64>());
    let graph = moved(x.clone());
    for (n, ((eager, graph), expected)) in moves(&x).iter().zip(graph).zip(expected).enumerate() {
        let expected = expected.cast::<T>();
        assert_eq!(
            (eager.shape(), eager.to_vec()),
            (expected.shape(), expected.to_vec()),
            "{n} of {}",
            T::DTYPE
        );
        assert_eq!(
            (graph.shape(), graph.to_vec()),
            (expected.shape(), expected.to_vec()),
            "{n} of {} in a graph",
            T::DTYPE
        );
    }
}

#[test]
fn what_moves_values_moves_all_integers() {
    each_integer!(check_moves);
}

fn check_extremes<T: Plain>() {
    let x = Tensor::from_vec(
        &[3, 2],
        vec![T::MAX, T::MIN, T::ONE, T::MAX, T::MIN, T::default()],
    )
    .unwrap();
    let ids = tensor([0, 0, 2]);
    assert_eq!(
        x.segment_max(&ids).to_vec(),
        [
            T::MAX,
            T::MAX,
            T::default(),
            T::default(),
            T::MIN,
            T::default()
        ]
    );
    assert_eq!(
        x.segment_min(&ids).to_vec(),
        [
            T::ONE,
            T::MIN,
            T::default(),
            T::default(),
            T::MIN,
            T::default()
        ]
    );
    assert_eq!(x.unsorted_segment_max(&ids, 3).to_vec()[2..4], [T::MIN; 2]);
    assert_eq!(x.unsorted_segment_min(&ids, 3).to_vec()[2..4], [T::MAX; 2]);
    let places = tensor([[0, 0], [0, 1]]);
    let updates = tensor([T::ONE, T::ONE]);
    assert_eq!(
        x.scatter_max(&places, &updates).to_vec()[..2],
        [T::MAX, T::MIN.max(T::ONE)]
    );
    assert_eq!(
        x.scatter_min(&places, &updates).to_vec()[..2],
        [T::ONE, T::MIN]
    );
}

#[test]
fn extremes_of_parts_are_those_of_the_numbers() {
    each_integer!(check_extremes);
}
