//! Counts the words of a text, as tensors of strings.

use graph_runtime::prelude::*;

#[graph_fn]
fn clean(words: Tensor<String>) -> Tensor<String> {
    words.to_lowercase().strip()
}

#[graph_fn]
fn count_of(words: &Tensor<String>, word: Tensor<String>) -> Tensor<i32> {
    let mut n = tensor(0);
    for w in words {
        if w == word {
            n += 1;
        }
    }
    n
}

/// The words that occur most often, with their counts.
#[graph_fn]
fn most_frequent(words: &Tensor<String>, k: usize) -> (Tensor<String>, Tensor<i32>) {
    let (unique, _, counts) = words.unique_with_counts();
    let (best, at) = counts.top_k(k);
    (unique.gather(at), best)
}

fn main() {
    let text = "The cat and the dog saw the bird and the fish and THE END";
    let words = clean(tensor(text.split_whitespace().collect::<Vec<_>>()));
    assert_eq!(words.len(), 13);
    assert_eq!(count_of(&words, tensor("the")).item(), 5);
    assert_eq!(count_of(&words, tensor("cow")).item(), 0);
    let (best, counts) = most_frequent(&words, 2);
    for (word, count) in best.to_vec().iter().zip(counts.to_vec()) {
        println!("{word}: {count}");
    }
    assert_eq!(best.to_vec(), ["the", "and"]);
    assert_eq!(counts.to_vec(), [5, 3]);
    let longest = words.string_length().max();
    assert_eq!(longest.item(), 4);
}
