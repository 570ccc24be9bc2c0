//! **A spell checker**: the words nearest to what was typed, by how many letters must be put in, left out or changed. The loop goes over
//! the letters of both words; all words of the dictionary are compared at once.

use graph_runtime::prelude::*;

/// For each word (a row of letters, 0 behind its end) how many changes make it of `typed`.
#[graph_fn]
fn distances(typed: &Tensor<i32>, words: &Tensor<i32>) -> Tensor<i32> {
    let (count, longest) = (words.len(), words.dim(1));
    // `row[j]` is the distance of what was typed so far to the first `j` letters, for each word.
    let mut row = range(0, longest as i32 + 1, 1).expand_dims(1) + zeros([1, count]);
    for letter in typed {
        let mut next = row + 1;
        for j in tensor(1)..longest as i32 + 1 {
            let other = words[(.., j - 1)].not_equal(letter).cast::<i32>();
            next[j] = next[j].minimum(row[j - 1] + other).minimum(next[j - 1] + 1);
        }
        row = next;
    }
    let lengths = words.not_equal(0).cast::<i32>().sum_axis(1);
    row.t()
        .take_along_axis(lengths.expand_dims(1), 1)
        .squeeze(&[1])
}

/// The letters of words, one word a row.
fn letters(words: &[&str]) -> Tensor<i32> {
    let longest = words.iter().map(|word| word.len()).max().unwrap_or(0);
    let padded = |word: &&str| {
        let mut row: Vec<i32> = word.bytes().map(i32::from).collect();
        row.resize(longest, 0);
        row
    };
    let values: Vec<i32> = words.iter().flat_map(padded).collect();
    tensor(values).reshape([words.len() as isize, longest as isize])
}

const WORDS: &[&str] = &[
    "apple", "banana", "cherry", "gradient", "graph", "kitten", "letter", "mitten", "orange",
    "sitting", "spelling", "tensor", "trace",
];

/// What is timed.
pub fn work() {
    let many: Vec<&str> = WORDS.iter().copied().cycle().take(2000).collect();
    distances(&letters(&["sittinginthegraph"]).get(0), &letters(&many));
}

/// The program.
pub fn main() {
    let words = letters(WORDS);
    for typed in ["gradeint", "siting", "tenser"] {
        let far = distances(&letters(&[typed]).get(0), &words);
        let best = far.argmin(0).item() as usize;
        println!(
            "{typed}: did you mean {} ({} changes)?",
            WORDS[best],
            far.get(best)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_textbook() {
        let far = distances(&letters(&["sitting"]).get(0), &letters(WORDS));
        assert_eq!(far.to_vec(), [7, 6, 7, 6, 7, 3, 5, 3, 6, 0, 4, 7, 6]);
        assert_eq!(far.get(5).item(), 3, "kitten");
    }
}
