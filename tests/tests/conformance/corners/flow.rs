//! Exits of nested loops, shapes that change in a loop, strings in control flow.

use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;
type Float = Tensor<f32>;
type Bool = Tensor<bool>;
type Text = Tensor<String>;

#[graph_fn]
fn break_continue_return_in_two_loops(m: Int, limit: Int) -> (Int, Int) {
    let (mut total, mut seen) = (tensor(0), tensor(0));
    for row in m {
        for x in row {
            seen += 1;
            if x == 0 {
                continue;
            }
            if x < 0 {
                break;
            }
            total += x;
            if total > limit {
                return (total, -seen);
            }
        }
    }
    (total, seen)
}

#[graph_fn]
fn first_pythagorean_triple(n: Int) -> (Int, Int, Int, Bool) {
    let (mut a, mut b, mut c) = (tensor(0), tensor(0), tensor(0));
    let mut found = tensor(false);
    for i in 1..n {
        for j in i..n {
            let mut k = j;
            while k * k < i * i + j * j {
                k += 1;
            }
            if k * k == i * i + j * j && k < n {
                (a, b, c) = (i, j, k);
                found = true;
                break;
            }
        }
        if found {
            break;
        }
    }
    (a, b, c, found)
}

#[graph_fn]
fn return_from_while_true(v: Int, key: Int) -> (Int, Int) {
    let mut i = tensor(0);
    loop {
        if i >= v.size() {
            return (-1, i);
        }
        if v[i] == key {
            let mut j = i + 1;
            while j < v.size() {
                if v[j] == key {
                    return (i, j);
                }
                j += 1;
            }
            return (i, i);
        }
        i += 1;
    }
}

#[graph_fn]
fn continue_in_both_loops(n: Int) -> (Int, Int) {
    let (mut s, mut i) = (tensor(0), tensor(0));
    while i < n {
        i += 1;
        if i % 3 == 0 {
            continue;
        }
        let mut j = tensor(0);
        while j < i {
            j += 2;
            if (i + j) % 5 == 0 {
                continue;
            }
            if j > 8 {
                break;
            }
            s += i * j;
        }
    }
    (s, i)
}

#[graph_fn]
fn returns_under_two_conditions(mut x: Int, flag: Bool) -> (Int, Text) {
    if flag {
        if x > 0 {
            return (x, "positive");
        }
        x = -x;
        if x > 3 {
            return (x * 10, "large");
        }
    } else if x == 0 {
        return (x, "zero");
    }
    for _ in 0..3 {
        x += 1;
        if x % 4 == 0 {
            return (x, "fours");
        }
    }
    (x, "rest")
}

#[graph_fn]
fn vector_grows_in_a_loop(mut x: Int, n: Int) -> Int {
    x = x.relax_shape(&[None]);
    while x.size() < n {
        x = concat([x, x[-1..] * 2], 0);
    }
    x
}

#[graph_fn]
fn sieve_by_masks(n: Int) -> Int {
    let mut left = range(2, n, 1);
    let mut primes = TensorArray::dynamic();
    while left.size() > 0 {
        let p = left[0];
        primes.push(p);
        left = left.boolean_mask(left % p != 0);
    }
    primes.stack()
}

#[graph_fn]
fn matrix_doubles_its_rows(mut m: Float, n: Int) -> (Int, Float) {
    m = m.relax_shape(&[None, None]);
    for _ in 0..n {
        m = concat([m, m * 0.5], 0);
    }
    (m.shape_tensor(), m.sum())
}

#[graph_fn]
fn quick_select_median(mut v: Int) -> Int {
    let mut k = v.size() / 2;
    let mut answer = tensor(-1);
    v = v.relax_shape(&[None]);
    while v.size() > 0 {
        let pivot = v[v.size() / 2];
        let (below, same) = (v.boolean_mask(v < pivot), v.boolean_mask(v == pivot));
        if k < below.size() {
            v = below;
        } else if k < below.size() + same.size() {
            answer = pivot;
            break;
        } else {
            k -= below.size() + same.size();
            v = v.boolean_mask(v > pivot);
        }
    }
    answer
}

#[graph_fn]
fn tiles_by_a_size_of_the_run(x: Float, n: Int) -> (Int, Float, Int) {
    let rows = x.shape_tensor()[0];
    let y = x.tile(stack([n, tensor(1)], 0));
    let z = y.reshape(stack([rows, n, tensor(-1)], 0));
    (
        z.shape_tensor(),
        z.sum_axis(1),
        fill(stack([n, rows], 0), n),
    )
}

#[graph_fn]
fn machine_over_words(words: Text) -> (Text, Int, Int) {
    let (mut depth, mut deepest) = (tensor(0), tensor(0));
    let mut state = tensor("running");
    for w in words {
        if w == "push" {
            depth += 1;
        } else if w == "pop" {
            if depth == 0 {
                state = "underflow";
                break;
            }
            depth -= 1;
        } else if w == "halt" {
            state = "halted";
            break;
        } else {
            state = "bad " + w;
            break;
        }
        deepest = deepest.maximum(depth);
    }
    (state, depth, deepest)
}

#[graph_fn]
fn text_doubles(mut text: Text, n: Int) -> (Text, Int) {
    let mut steps = tensor(0);
    while text.string_length() < n {
        text = text + text + "-";
        steps += 1;
    }
    (text, steps)
}

#[graph_fn]
fn palindrome_by_characters(word: Text) -> (Bool, Int) {
    let n = word.string_length();
    for i in 0..n / 2 {
        if word.substr(i, 1) != word.substr(n - 1 - i, 1) {
            return (false, i);
        }
    }
    (true, n)
}

#[graph_fn]
fn branch_by_name(name: Text, x: Int) -> Int {
    match name {
        "a" => x + 1,
        "b" => x * 10,
        _ => -x,
    }
}

#[graph_fn]
fn helper_with_a_loop_called_twice(n: Int) -> Int {
    #[graph_fn]
    fn steps(mut k: Int) -> Int {
        let mut count = tensor(0);
        while k > 1 {
            k /= 2;
            count += 1;
        }
        count
    }
    let a = steps(n);
    if a > 2 {
        return a + steps(n * n);
    }
    steps(n + 1) - a
}

functions! {
    break_continue_return_in_two_loops(m, limit);
    first_pythagorean_triple(n);
    return_from_while_true(v, key);
    continue_in_both_loops(n);
    returns_under_two_conditions(x, flag);
    vector_grows_in_a_loop(x, n);
    sieve_by_masks(n);
    matrix_doubles_its_rows(m, n);
    quick_select_median(v);
    tiles_by_a_size_of_the_run(x, n);
    machine_over_words(words);
    text_doubles(text, n);
    palindrome_by_characters(word);
    branch_by_name(name, x);
    helper_with_a_loop_called_twice(n);
}
