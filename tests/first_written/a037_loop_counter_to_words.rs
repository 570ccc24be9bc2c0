//! Counts in a loop, then chooses a word: conformance `loop_python_int_becomes_tensor`.
use graph_runtime::prelude::*;

#[graph_fn]
fn how_many(n: Tensor<i32>) -> (Tensor<String>, Tensor<i32>) {
    let mut k = tensor(0);
    for _ in 0..n {
        k += 1;
    }
    let msg = if k == 0 {
        tensor("none")
    } else if k == 1 {
        tensor("one")
    } else {
        tensor("many")
    };
    (msg, k * 2)
}

fn main() {
    for (n, word, twice) in [(3, "many", 6), (0, "none", 0), (1, "one", 2)] {
        let (msg, k) = how_many(tensor(n));
        assert_eq!(msg.item(), word);
        assert_eq!(k.item(), twice);
    }
}
