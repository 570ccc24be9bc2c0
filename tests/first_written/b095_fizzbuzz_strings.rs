//! FizzBuzz as one string, and how many numbers were replaced. From: textbook: FizzBuzz over string tensors.
use graph_runtime::prelude::*;

#[graph_fn]
fn fizzbuzz(n: Tensor<i32>) -> (Tensor<String>, Tensor<i32>) {
    let mut out = tensor("");
    let mut replaced = tensor(0);
    for i in 1..=n {
        let word = match (i % 3 == 0, i % 5 == 0) {
            (true, true) => tensor("FizzBuzz"),
            (true, false) => tensor("Fizz"),
            (false, true) => tensor("Buzz"),
            (false, false) => tensor("."),
        };
        if word != "." {
            replaced += 1;
        }
        out = out + word;
    }
    (out, replaced)
}

fn main() {
    let (out, replaced) = fizzbuzz(tensor(15));
    assert_eq!(out.item(), "..Fizz.BuzzFizz..FizzBuzz.Fizz..FizzBuzz");
    assert_eq!(replaced.item(), 7);
    let (out, replaced) = fizzbuzz(tensor(2));
    assert_eq!(out.item(), "..");
    assert_eq!(replaced.item(), 0);
}
