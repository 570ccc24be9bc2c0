//! Edit distance of two sequences, row by row: textbook: Levenshtein distance.
use graph_runtime::prelude::*;

#[graph_fn]
fn levenshtein(a: Tensor<i32>, b: Tensor<i32>) -> Tensor<i32> {
    let n = b.size();
    let mut previous = range(0, n + 1, 1);
    let mut i = tensor(0);
    for x in a {
        i += 1;
        let mut left = i;
        let mut row = TensorArray::new(n + 1);
        row = row.write(0, left);
        for j in 0..n {
            let substitute = previous[j] + if b[j] == x { 0 } else { 1 };
            left = substitute.min(left + 1).min(previous[j + 1] + 1);
            row = row.write(j + 1, left);
        }
        previous = row.stack();
    }
    previous[n]
}

fn word(s: &str) -> Tensor<i32> {
    tensor(s.bytes().map(|b| b as i32).collect::<Vec<_>>())
}

fn main() {
    assert_eq!(levenshtein(word("kitten"), word("sitting")).item(), 3);
    assert_eq!(levenshtein(word("flaw"), word("lawn")).item(), 2);
    assert_eq!(levenshtein(word("abc"), word("abc")).item(), 0);
}
