//! Random programs over variables: graphs, eager runs and the same programs over plain numbers agree, in their results and in the values
//! of the variables, over several calls. There is one test, because the switch to eager runs holds for all threads.

use graph_runtime::prelude::*;
use proptest::prelude::*;

#[graph_fn]
fn trade(a: &Variable<i32>, b: &Variable<i32>, x: &Tensor<i32>) -> Tensor<i32> {
    a.assign_add(x);
    let before = b.read();
    b.assign(a * 2);
    before - a
}

/// Each number selects a statement. The list is a Rust value, so each list has its own trace.
#[graph_fn]
fn program(statements: &[u8], v: &Variable<i32>, w: &Variable<i32>, x: Tensor<i32>) -> Tensor<i32> {
    let mut x = x;
    for statement in statements {
        match *statement {
            0 => {
                v.assign_add(&x);
            }
            1 => {
                w.assign(v * 2 - &x);
            }
            2 => x = x + w - v.read() * v,
            3 => {
                if x > 0 {
                    v.assign_sub(w);
                } else {
                    w.assign(&x);
                    v.assign_add(1);
                }
            }
            4 => {
                for i in 0..x % 4 {
                    v.assign_add(&i);
                    if v % 2 == 0 {
                        w.assign(v);
                        continue;
                    }
                    x += w;
                }
            }
            5 => x = trade(v, w, &x),
            6 => x += trade(w, v, &x),
            7 => {
                let mut n = tensor(0);
                while w < 50 && n < 3 {
                    w.assign_add(v);
                    n += 1;
                }
                x -= n;
            }
            _ => x = x.minimum(v) + trade(v, v, &tensor(1)),
        }
    }
    x
}

/// The same over numbers; `a` and `b` are the indices of the two variables.
fn trade_plain(state: &mut [i32; 2], a: usize, b: usize, x: i32) -> i32 {
    state[a] = state[a].wrapping_add(x);
    let before = state[b];
    state[b] = state[a].wrapping_mul(2);
    before.wrapping_sub(state[a])
}

fn plain(statements: &[u8], state: &mut [i32; 2], mut x: i32) -> i32 {
    let (v, w) = (0, 1);
    for statement in statements {
        match statement {
            0 => state[v] = state[v].wrapping_add(x),
            1 => state[w] = state[v].wrapping_mul(2).wrapping_sub(x),
            2 => {
                x = x
                    .wrapping_add(state[w])
                    .wrapping_sub(state[v].wrapping_mul(state[v]))
            }
            3 if x > 0 => state[v] = state[v].wrapping_sub(state[w]),
            3 => {
                state[w] = x;
                state[v] = state[v].wrapping_add(1);
            }
            4 => {
                for i in 0..x % 4 {
                    state[v] = state[v].wrapping_add(i);
                    if state[v] % 2 == 0 {
                        state[w] = state[v];
                        continue;
                    }
                    x = x.wrapping_add(state[w]);
                }
            }
            5 => x = trade_plain(state, v, w, x),
            6 => x = x.wrapping_add(trade_plain(state, w, v, x)),
            7 => {
                let mut n = 0;
                while state[w] < 50 && n < 3 {
                    state[w] = state[w].wrapping_add(state[v]);
                    n += 1;
                }
                x = x.wrapping_sub(n);
            }
            _ => x = x.min(state[v]).wrapping_add(trade_plain(state, v, v, 1)),
        }
    }
    x
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn graphs_eager_runs_and_plain_rust_agree(
        statements in proptest::collection::vec(0u8..9, 0..8),
        starts in (-9..9i32, any::<i32>()),
        calls in proptest::collection::vec(-20..20i32, 1..4),
    ) {
        let mut state = [starts.0, starts.1];
        let expected: Vec<(i32, [i32; 2])> = calls.iter().map(|x| (plain(&statements, &mut state, *x), state)).collect();
        for eagerly in [false, true] {
            run_functions_eagerly(eagerly);
            let (v, w) = (Variable::new(tensor(starts.0)), Variable::new(tensor(starts.1)));
            for (x, expected) in calls.iter().zip(&expected) {
                let result = program(&statements, &v, &w, tensor(*x)).item();
                prop_assert_eq!(&(result, [v.item(), w.item()]), expected, "eagerly: {}", eagerly);
            }
        }
        run_functions_eagerly(false);
    }
}
