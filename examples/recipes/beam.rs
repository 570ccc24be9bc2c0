//! **Beam search**: the most likely sentences of a language in which each word depends on the one before. Some beginnings are kept, all
//! continuations of all of them compared, and the best kept again.

use super::inputs;
use graph_runtime::prelude::*;

/// The best `width` sentences of `length` words, best first, and the logarithms of their probabilities. `next[a, b]` is that of word `b`
/// after `a`; sentences begin after word 0.
#[graph_fn]
fn search(next: &Tensor<f64>, width: usize, length: usize) -> (Tensor<i32>, Tensor<f64>) {
    let words = next.len();
    let (mut scores, first) = next[0].top_k(width);
    let mut sentences: Tensor<i32> = zeros([width, length]);
    sentences[(.., 0)] = first;
    for step in tensor(1)..length as i32 {
        let last = sentences[(.., step - 1)];
        let all = scores.expand_dims(1) + next.gather(last);
        let (best, place) = all.flatten().top_k(width);
        scores = best;
        sentences = sentences.gather(place / words as i32);
        sentences[(.., step)] = place % words as i32;
    }
    (sentences, scores)
}

/// The logarithms of how likely each of `words` words is after each.
fn language(words: usize) -> Tensor<f64> {
    let weights = tensor(inputs::uniform(words * words, 61))
        .powi(4)
        .reshape([words as isize, -1]);
    (&weights / weights.sum_axes(&[1], true)).log()
}

/// What is timed.
pub fn work() {
    search(&language(200), 16, 50);
}

/// The program.
pub fn main() {
    let (sentences, scores) = search(&language(20), 3, 8);
    for (sentence, score) in sentences.unstack(0).iter().zip(scores.to_vec()) {
        println!("{sentence}: {score:.3}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn sentences_are_numpys() {
        let (sentences, scores) = search(&language(20), 3, 8);
        assert_eq!(sentences.get(0).to_vec(), [3, 3, 3, 3, 3, 3, 2, 16]);
        close(
            &scores.to_vec(),
            &[
                -11.651382403210036,
                -11.783514127028502,
                -11.784569402672611,
            ],
            1e-12,
        );
    }

    /// Dynamic programming finds the best of all sentences, in NumPy.
    #[test]
    fn scores_are_the_sentences_own_and_no_better_than_the_best() {
        let next = language(20);
        let (sentences, scores) = search(&next, 20, 8);
        for (sentence, score) in sentences.unstack(0).iter().zip(scores.to_vec()) {
            let words = sentence.to_vec();
            let before = std::iter::once(&0).chain(&words);
            let sum: f64 = before
                .zip(&words)
                .map(|(a, b)| next.get((*a, *b)).item())
                .sum();
            close(&[score], &[sum], 1e-12);
            assert!(score <= -11.476925272823378);
        }
    }
}
