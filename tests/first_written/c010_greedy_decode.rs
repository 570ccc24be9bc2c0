//! Greedy decoding with a table of next tokens until token 0: ml_greedy_decode_until_eos.
use graph_runtime::prelude::*;

#[graph_fn]
fn greedy_decode(first: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let table = tensor([0, 4, 0, 5, 2, 6, 3]);
    let mut out = tensor([-1; 6]);
    let mut token = first;
    let mut n = tensor(0);
    while token != 0 && n < 6 {
        out[n] = token;
        token = table[token];
        n += 1;
    }
    (out, n)
}

fn main() {
    for (first, expected, length) in [
        (3, [3, 5, 6, 3, 5, 6], 6),
        (1, [1, 4, 2, -1, -1, -1], 3),
        (0, [-1, -1, -1, -1, -1, -1], 0),
        (6, [6, 3, 5, 6, 3, 5], 6),
    ] {
        let (out, n) = greedy_decode(tensor(first));
        assert_eq!(out.to_vec(), expected);
        assert_eq!(n.item(), length);
    }
}
