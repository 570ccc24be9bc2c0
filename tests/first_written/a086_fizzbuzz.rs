//! FizzBuzz for one number, by a match on two remainders: textbook: FizzBuzz.
use graph_runtime::prelude::*;

#[graph_fn]
fn fizzbuzz(n: Tensor<i32>) -> Tensor<String> {
    match (n % 3, n % 5) {
        (0, 0) => tensor("FizzBuzz"),
        (0, _) => tensor("Fizz"),
        (_, 0) => tensor("Buzz"),
        _ => n.as_string(),
    }
}

fn main() {
    for (n, word) in [(15, "FizzBuzz"), (9, "Fizz"), (20, "Buzz"), (7, "7")] {
        assert_eq!(fizzbuzz(tensor(n)).item(), word);
    }
}
