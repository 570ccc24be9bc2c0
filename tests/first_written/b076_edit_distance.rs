//! The edit distance of two words given as bytes. From: textbook: Wagner-Fischer.
use graph_runtime::prelude::*;

#[graph_fn]
fn edit_distance(a: Tensor<i32>, b: Tensor<i32>) -> Tensor<i32> {
    let m = b.len() as i32;
    let mut row = range(0, m + 1, 1);
    for ca in a {
        let mut diagonal = row[0];
        row[0] += 1;
        for j in 1..tensor(m + 1) {
            let above = row[j];
            let cost = if ca == b[j - 1] { tensor(0) } else { tensor(1) };
            row[j] = (above + 1).minimum(row[j - 1] + 1).minimum(diagonal + cost);
            diagonal = above;
        }
    }
    row[m]
}

fn codes(word: &str) -> Tensor<i32> {
    tensor(word.bytes().map(|b| b as i32).collect::<Vec<_>>())
}

fn main() {
    assert_eq!(edit_distance(codes("kitten"), codes("sitting")).item(), 3);
    assert_eq!(edit_distance(codes("flaw"), codes("lawn")).item(), 2);
    assert_eq!(edit_distance(codes("same"), codes("same")).item(), 0);
}
