//! Growing arrays, state in branches, order of effects, datasets, functions over rows, integers that wrap.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use graph_runtime::prelude::*;
use graph_runtime::{fold, fold_right, map_fn, scan, while_loop_at_most};

use crate::harness::functions;

type Int = Tensor<i32>;
type Long = Tensor<i64>;
type Float = Tensor<f32>;
type Text = Tensor<String>;

#[graph_fn]
fn array_grows_by_its_size(mut n: Int) -> (Int, Int) {
    let mut ta = TensorArray::dynamic();
    while n > 0 {
        ta.write(ta.size(), n % 2);
        n /= 2;
    }
    (ta.stack(), ta.size())
}

#[graph_fn]
fn array_with_gaps(n: Int) -> Float {
    let mut ta = TensorArray::dynamic().element_shape(&[2]);
    for i in 0..n {
        ta.write(i * 2 + 1, stack([tensor(1.0), i.cast::<f32>()], 0));
    }
    ta.stack()
}

#[graph_fn]
fn array_of_strings(words: Text) -> (Int, Text) {
    let mut ta = TensorArray::dynamic();
    let mut k = tensor(0);
    for w in words {
        if w.string_length() > 0 {
            ta.write(k, w + "!");
            k += 1;
        }
    }
    (ta.size(), ta.stack().reduce_join(" "))
}

#[graph_fn]
fn reverse_polish(text: Text) -> (Int, Int) {
    let mut stack = TensorArray::new(16);
    let mut top = tensor(0);
    for word in text.split_string("") {
        if word == "+" || word == "-" || word == "*" {
            let (b, a) = (stack.read(top - 1), stack.read(top - 2));
            let r = if word == "+" {
                a + b
            } else if word == "-" {
                a - b
            } else {
                a * b
            };
            top -= 1;
            stack.write(top - 1, r);
        } else {
            stack.write(top, word.cast::<i32>());
            top += 1;
        }
    }
    (stack.read(0), top)
}

#[graph_fn]
fn two_arrays_in_one_loop(n: Int) -> (Int, Int, Int, Int) {
    let mut evens = TensorArray::dynamic();
    let mut odds = TensorArray::dynamic();
    for i in 0..2 * n {
        if i % 2 == 0 {
            evens.push(i);
        } else {
            odds.push(i * i);
        }
    }
    (
        evens.size(),
        odds.size(),
        evens.stack().sum(),
        odds.stack().sum(),
    )
}

static COUNTER: LazyLock<Variable<i32>> = LazyLock::new(|| Variable::new(tensor(0)));
static ROWS: LazyLock<Variable<f32>> = LazyLock::new(|| Variable::new(tensor([0.0, 0.0, 0.0])));

#[graph_fn]
fn counter_changes_in_branches(x: Int) -> (Int, Int) {
    COUNTER.assign(10);
    let before;
    if x > 0 {
        COUNTER.assign_add(x);
        before = COUNTER.read();
        COUNTER.assign(COUNTER.read() * 2);
    } else {
        before = COUNTER.read();
        if x < 0 {
            COUNTER.assign_sub(x);
        }
    }
    (before, COUNTER.read())
}

#[graph_fn]
fn parts_of_a_variable_in_a_loop(places: Int, stop: Float) -> (Float, Float) {
    ROWS.assign(tensor([1.0, 1.0, 1.0]));
    for p in places {
        if ROWS[p] >= stop {
            break;
        }
        ROWS[p].assign(ROWS[p] * 2.0 + 1.0);
    }
    (ROWS.read(), ROWS.read().sum())
}

#[graph_fn]
fn condition_reads_what_the_body_writes(n: Int) -> (Int, Int) {
    COUNTER.assign(0);
    let mut steps = tensor(0);
    while COUNTER.read() < n {
        COUNTER.assign_add(steps + 1);
        steps += 1;
        if COUNTER.read() % 5 == 0 {
            COUNTER.assign_add(100);
        }
    }
    (COUNTER.read(), steps)
}

#[graph_fn]
fn prints_of_nested_branches(x: Int) -> Int {
    graph_print!("begin", x);
    for i in 0..x {
        if i % 2 == 0 {
            graph_print!("even", i, [i, x]);
        } else {
            graph_print!("odd", i; sep = "=");
        }
    }
    if x < 0 {
        graph_print!("negative");
    }
    graph_print!("end", tensor("text"), tensor([1.5, 2.0]));
    x
}

#[graph_fn]
fn prints_before_an_assertion_fails(v: Int) -> Int {
    let mut s = tensor(0);
    for x in v {
        graph_print!("at", x);
        assert!(x > 0, "not positive");
        s += x;
    }
    s
}

#[graph_fn]
fn numbered_pairs_until_a_sum(v: Int) -> (Int, Long) {
    let (mut total, mut last) = (tensor(0), tensor(0));
    for (k, x) in Dataset::from_slices(v).enumerate() {
        if total + x > 15 {
            break;
        }
        total += x;
        last = k;
    }
    (total, last)
}

#[graph_fn]
fn loops_over_two_datasets(n: Int) -> Long {
    let mut s = tensor(0);
    for a in Dataset::range(tensor(0)..n.cast::<i64>()) {
        for b in Dataset::range(0..10).skip(7) {
            if (a + b) % 2 == 0 {
                continue;
            }
            s += a * b;
        }
    }
    s
}

#[graph_fn]
fn filtered_batches(v: Int) -> Int {
    let ds = Dataset::from_slices(v)
        .filter(|x| x % 2 == 1)
        .map(|x| x * x)
        .batch(2);
    let mut sums = TensorArray::dynamic();
    for batch in ds {
        sums.push(batch.sum());
    }
    sums.stack()
}

#[graph_fn]
fn dataset_reduced(v: Int) -> (Int, Int) {
    let (mut s, mut p) = (tensor(0), tensor(1));
    for x in Dataset::from_slices(v) {
        s += x;
        p *= x + 1;
    }
    (s, p)
}

#[graph_fn]
fn map_with_a_loop_inside(v: Int) -> Int {
    #[graph_fn]
    fn triangle(n: Int) -> Int {
        let mut s = tensor(0);
        for i in 0..n + 1 {
            if i == 3 {
                continue;
            }
            s += i;
        }
        s
    }
    map_fn(triangle, v)
}

#[graph_fn]
fn scan_of_two_states(x: Float, decay: Float) -> (Float, Float) {
    scan(
        |(mean, top): (Float, Float), v: Float| {
            (mean * &decay + &v * (1.0 - &decay), top.maximum(v))
        },
        x,
        (tensor(0.0), tensor(-10.0)),
    )
}

#[graph_fn]
fn folds_from_both_ends(m: Int) -> (Int, Int) {
    let forwards = fold(|a, row| a * 2 + row, m, zeros(&[2]));
    let backwards = fold_right(|a, row| a * 2 + row, m, zeros(&[2]));
    (forwards, backwards)
}

#[graph_fn]
fn loop_with_a_most(i: Int, most: Int) -> (Int, Int) {
    while_loop_at_most(
        most,
        |(i, _)| i < 10,
        |(i, s)| (i + 2, s + i),
        (i, tensor(0)),
    )
}

#[graph_fn]
fn congruential_numbers(mut seed: Long, n: Int) -> (Long, Long) {
    let mut ta = TensorArray::new(n);
    for i in 0..n {
        seed = seed * 6364136223846793005 + 1442695040888963407;
        ta.write(i, seed >> 33);
    }
    (seed, ta.stack())
}

#[graph_fn]
fn hash_of_a_text(text: Text) -> Int {
    let mut h = tensor(5381);
    for i in 0..text.string_length() {
        let code = if text.substr(i, 1) == "a" { 97 } else { i * 31 };
        h = h * 33 + code;
        h ^= h << 7;
    }
    h
}

#[graph_fn]
#[allow(clippy::type_complexity)]
fn edges_of_int32(
    x: Int,
) -> (
    Int,
    Int,
    Int,
    Int,
    Int,
    Int,
    Int,
    Long,
    Tensor<i8>,
    Tensor<u8>,
) {
    (
        x + 1,
        x - 1,
        -x,
        x.abs(),
        x * x,
        x * 2,
        x.sign(),
        x.cast::<i64>() * 2,
        x.cast(),
        x.cast(),
    )
}

type Small = Tensor<i8>;

#[graph_fn]
fn small_integers_wrap(a: Small, b: Small) -> (Small, Small, Small, Small, Small, Int) {
    let mut s = a;
    for _ in 0..3 {
        s = s * b + a;
    }
    (a + b, a - b, a * b, s, a.sum(), a.cast::<i32>() + b.cast())
}

#[graph_fn]
fn dictionary_in_branches(x: Int) -> BTreeMap<&'static str, Int> {
    let mut d = BTreeMap::from([("a", x), ("b", x + 1)]);
    if x > 0 {
        d.insert("a", d["a"] * 2);
    } else {
        d = BTreeMap::from([("a", -x), ("b", x)]);
    }
    for _ in 0..2 {
        d.insert("a", d["a"] + d["b"]);
    }
    d
}

#[graph_fn]
fn counts_of_distinct_values(v: Int) -> (Int, Int, Int) {
    let (values, places) = v.unique();
    let counts = places.bincount(0);
    let best = counts.argmax(0);
    (values, counts, values[best])
}

functions! {
    array_grows_by_its_size(n);
    array_with_gaps(n);
    array_of_strings(words);
    reverse_polish(text);
    two_arrays_in_one_loop(n);
    counter_changes_in_branches(x);
    parts_of_a_variable_in_a_loop(places, stop);
    condition_reads_what_the_body_writes(n);
    prints_of_nested_branches(x);
    prints_before_an_assertion_fails(v);
    numbered_pairs_until_a_sum(v);
    loops_over_two_datasets(n);
    filtered_batches(v);
    dataset_reduced(v);
    map_with_a_loop_inside(v);
    scan_of_two_states(x, decay);
    folds_from_both_ends(m);
    loop_with_a_most(i, most);
    congruential_numbers(seed, n);
    hash_of_a_text(text);
    edges_of_int32(x);
    small_integers_wrap(a, b);
    dictionary_in_branches(x);
    counts_of_distinct_values(v);
}
