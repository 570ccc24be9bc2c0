//! How many words of each length a text has, and a bar for each, from a TensorArray.

use graph_runtime::prelude::*;

#[graph_fn]
fn histogram(words: Tensor<String>, longest: Tensor<i32>) -> Tensor<i32> {
    let mut counts = TensorArray::new(longest + 1);
    for i in 0..longest + 1 {
        counts.write(i, 0);
    }
    for word in words {
        if word == "" {
            continue;
        }
        let length = word.string_length().minimum(longest);
        counts.write(length, counts.read(length) + 1);
    }
    counts.stack()
}

#[graph_fn]
fn bars(counts: &Tensor<i32>) -> Tensor<String> {
    let mut lines = TensorArray::new(counts.len());
    for (i, count) in counts.enumerate() {
        let mut bar = tensor("");
        for _ in 0..count {
            bar += "#";
        }
        lines.write(i, bar);
    }
    lines.stack()
}

fn main() {
    let text = "the quick brown fox jumps over the lazy dog  and runs away";
    let words: Vec<&str> = text.split(' ').collect();
    let counts = histogram(tensor(words), tensor(5));
    assert_eq!(counts.to_vec(), [0, 0, 0, 5, 4, 3]);
    let bars = bars(&counts);
    assert_eq!(bars.to_vec(), ["", "", "", "#####", "####", "###"]);
    for (length, bar) in bars.to_vec().iter().enumerate() {
        println!("{length} {bar}");
    }
}
