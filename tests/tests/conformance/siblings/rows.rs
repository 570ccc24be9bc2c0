//! Arrays that are built and read row by row, effects, and small models: families algorithms, tensorarray, higher_order, python_lists,
//! containers, effect_order, ml_programs.

use std::collections::BTreeMap;

use graph_runtime::prelude::*;
use graph_runtime::{accumulate, accumulate_right, reduce, reduce_right};

use crate::harness::functions;

type Int = Tensor<i32>;
type Float = Tensor<f32>;
type Bool = Tensor<bool>;
type Text = Tensor<String>;

#[graph_fn]
fn insertion_sort(mut v: Int) -> Int {
    for i in 1..v.size() {
        let key = v[&i];
        let mut j = i - 1;
        while j >= 0 && v[&j] > key {
            v = v.with_row(&j + 1, v[&j]);
            j -= 1;
        }
        v = v.with_row(j + 1, key);
    }
    v
}

#[graph_fn]
fn floyd_warshall(mut d: Int) -> Int {
    for k in 0..d.len_tensor() {
        d = d.minimum(d[(.., &k, NewAxis)] + d[(&k, NewAxis)]);
    }
    d
}

#[graph_fn]
fn digits_of(mut n: Int, base: Int) -> (Int, Int) {
    let mut digits = TensorArray::dynamic().element_shape(&[]);
    let mut k = tensor(0);
    while n > 0 {
        digits = digits.write(&k, n % base);
        n /= &base;
        k += 1;
    }
    (digits.stack().reverse(&[0]), k)
}

#[graph_fn]
fn ta_unstack_gather(v: Int) -> (Int, Int, Int, Int) {
    let ta = TensorArray::new(3).unstack(v * 10);
    (ta.read(1), ta.gather(tensor([2, 0])), ta.size(), ta.stack())
}

#[graph_fn]
fn ta_of_rows_in_branches(n: Int) -> Float {
    let mut ta = TensorArray::new(&n);
    for i in 0..n {
        if i % 2 == 0 {
            ta = ta.write(&i, tensor([1.0, 0.0]));
        } else {
            ta = ta.write(&i, stack([tensor(0.0), i.cast()], 0));
        }
    }
    ta.stack()
}

#[graph_fn]
fn folds_and_scans(v: Int) -> (Int, Int, Int, Int, Int, Int) {
    (
        reduce(|a, x| a * 10 + x, &v),
        reduce_right(|a, x| a * 10 + x, &v),
        accumulate(|a, x| a + x, &v),
        scan(|a, x| a * x, &v, tensor(2)),
        fold(|a, x| a - x, &v, tensor(100)),
        accumulate_right(|a, x| a + x, &v),
    )
}

#[graph_fn]
fn map_over_two(m: Float, k: Int) -> (Float, Float, Float, (Float, Float)) {
    (
        map_fn(|(row, k)| row * k.cast::<f32>(), &(m.clone(), k)),
        map_fn(|row| row.sum(), &m),
        map_fn(|row| row * 2.0, &m),
        map_fn(|row| (row.max(), row.min()), &m),
    )
}

#[graph_fn]
fn lists_of_tensors(v: Int) -> (Int, Int, Int, Int, Int) {
    let mut items = Vec::new();
    for k in 0..3 {
        items.push(v[k] * k);
    }
    items.insert(0, v[0]);
    let last = items.pop().unwrap();
    let sum: Int = items.iter().sum();
    (
        stack(&items, 0),
        last,
        sum,
        tensor(items.len() as i32),
        items[items.len() - 1].clone(),
    )
}

#[graph_fn]
fn nested_results(a: Float, v: Float) -> (BTreeMap<&'static str, Float>, Float) {
    (BTreeMap::from([("scalar", a.clone()), ("pair", v)]), a)
}

#[graph_fn]
fn prints_in_order(n: Int) -> Int {
    graph_print!("start {n}");
    for i in 0..&n {
        if i == 1 {
            graph_print!("one");
            continue;
        }
        graph_print!("i {i} {}", i + 1);
    }
    graph_print!("end");
    n
}

#[graph_fn]
fn prints_of_values(v: Float, t: Bool, text: Text) -> Float {
    graph_print!("{v}");
    graph_print!("v: {v} t: {t}");
    graph_print!("{text}");
    graph_print!("{} {} {} [{v}, {t}]", v.sum(), v.shape_tensor(), v > 1.0);
    v
}

#[graph_fn]
fn rnn_cell_unrolled(x: Float, mut h: Float) -> (Float, Float) {
    let w = tensor([[0.1, 0.2], [0.3, 0.4]]);
    for row in x {
        h = (w.matvec(&h) + row).tanh();
    }
    (h.clone(), h.softmax(-1))
}

#[graph_fn]
fn attention(x: Float) -> Float {
    let scores = x.matmul_t(&x) / x.shape_tensor()[-1].cast::<f32>().sqrt();
    let mask = scores.ones_like().tril(0);
    let scores = scores * mask - 1e9 * (1.0 - mask);
    scores.softmax(-1).matmul(x)
}

#[graph_fn]
fn layer_and_batch_norm(x: Float) -> (Float, Float, Float, Float, Float) {
    let (mean, variance) = x.moments(&[0], false);
    (
        (x - mean) * (variance + 1e-3).rsqrt(),
        x.l2_normalize(1),
        x.clip_by_norm(1.0),
        x.std_axis(1),
        (x - mean).square().mean(),
    )
}

functions! {
    insertion_sort(v);
    floyd_warshall(d);
    digits_of(n, base);
    ta_unstack_gather(v);
    ta_of_rows_in_branches(n);
    folds_and_scans(v);
    map_over_two(m, k);
    lists_of_tensors(v);
    nested_results(a, v);
    prints_in_order(n);
    prints_of_values(v, t, text);
    rnn_cell_unrolled(x, h);
    attention(x);
    layer_and_batch_norm(x);
}
