//! Nested loops that are left at several levels: family nested_break.

use graph_runtime::prelude::*;

use crate::harness::functions;

type Int = Tensor<i32>;

#[graph_fn]
fn inner_continue_outer_break(n: Int) -> (Int, Int) {
    let mut s = tensor(0);
    let mut i = tensor(0);
    while i < n {
        i += 1;
        let mut j = tensor(0);
        while j < i {
            j += 1;
            if (i + j) % 3 == 0 {
                continue;
            }
            s += j;
        }
        if s > 20 {
            break;
        }
    }
    (s, i)
}

#[graph_fn]
fn inner_while_true_in_for(v: Int) -> Int {
    let mut digits = tensor(0);
    for mut e in v {
        while tensor(true) {
            if e % 2 == 1 {
                break;
            }
            e = e / 2;
        }
        digits = digits * 100 + e;
    }
    digits
}

#[graph_fn]
fn three_level_break_each(n: Int) -> Int {
    let mut c = tensor(0);
    for i in 0..n {
        if i == 3 {
            break;
        }
        for j in 0..n {
            if j > i {
                break;
            }
            let mut k = tensor(0);
            while k < n {
                k += 1;
                if k + j == 3 {
                    continue;
                }
                if k > 3 {
                    break;
                }
                c += 1;
            }
            c += 100;
        }
        c += 10000;
    }
    c
}

functions! {
    inner_continue_outer_break(n);
    inner_while_true_in_for(v);
    three_level_break_each(n);
}
