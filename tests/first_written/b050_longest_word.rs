//! The longest word, and how many words are "z". From: conformance ragged_free_string_loop.
use graph_runtime::prelude::*;

#[graph_fn]
fn longest(words: Tensor<String>) -> (Tensor<String>, Tensor<i32>) {
    let mut n = tensor(0);
    let mut longest = tensor("");
    for w in words {
        if w.len() > longest.len() {
            longest = w;
        }
        if w == "z" {
            n += 1;
        }
    }
    (longest, n)
}

fn main() {
    for (words, best, count) in [(["b", "a", "c"], "b", 0), (["z", "z", ""], "z", 2), (["x", "y", "z"], "x", 1)] {
        let (longest, n) = longest(tensor(words));
        assert_eq!(longest.item(), best);
        assert_eq!(n.item(), count);
    }
}
