//! A search in a few documents by tf-idf and the cosine of vectors.

use graph_runtime::prelude::*;
use std::collections::HashMap;

struct Index {
    words: HashMap<String, i32>,
    weights: Tensor<f32>, // [documents, words]
    idf: Tensor<f32>,
}

#[graph_fn]
fn inverse_frequency(counts: &Tensor<f32>) -> Tensor<f32> {
    let n = counts.shape()[0] as f32;
    let with_word = counts.gt(0.0).cast::<f32>().sum_axis(0, false);
    ((1.0 + n) / (1.0 + with_word)).ln() + 1.0
}

#[graph_fn]
fn weigh(counts: &Tensor<f32>, idf: &Tensor<f32>) -> Tensor<f32> {
    (counts * idf).l2_normalize(-1)
}

#[graph_fn]
fn best(index: &Tensor<f32>, query: &Tensor<f32>, k: usize) -> (Tensor<f32>, Tensor<i32>) {
    index.matvec(query).top_k(k)
}

impl Index {
    fn new(documents: &[&str]) -> Index {
        let mut words = HashMap::new();
        for word in documents.iter().flat_map(|d| d.split_whitespace()) {
            let next = words.len() as i32;
            words.entry(word.to_string()).or_insert(next);
        }
        let rows: Vec<Tensor<f32>> = documents.iter().map(|d| count(&words, d)).collect();
        let counts = stack(&rows, 0);
        let idf = inverse_frequency(&counts);
        let weights = weigh(&counts, &idf);
        Index { words, weights, idf }
    }

    fn search(&self, query: &str, k: usize) -> Vec<i32> {
        let query = weigh(&count(&self.words, query), &self.idf);
        best(&self.weights, &query, k).1.to_vec()
    }
}

fn count(words: &HashMap<String, i32>, text: &str) -> Tensor<f32> {
    let ids: Vec<i32> = text.split_whitespace().filter_map(|w| words.get(w).copied()).collect();
    tensor(ids).bincount(words.len()).cast()
}

fn main() {
    let index = Index::new(&[
        "the cat sat on the mat",
        "the dog ate the cat",
        "stocks fell on the news",
    ]);
    // By hand: `the` is in 3 of 3, ln(4/4) + 1; `cat` in 2, ln(4/3) + 1.
    assert!((index.idf.to_vec()[0] - 1.0).abs() < 1e-6);
    assert!((index.idf.to_vec()[1] - (4f32 / 3.0).ln() - 1.0).abs() < 1e-6);
    assert_eq!(index.search("news of stocks", 1), [2]);
    assert_eq!(index.search("dog cat", 2), [1, 0]);
}
