//! Fizzbuzz that prints from the graph and counts its fizzes: seed3_fizzbuzz.
use graph_runtime::prelude::*;

#[graph_fn]
fn fizzbuzz(n: Tensor<i32>) -> Tensor<i32> {
    let mut fizzes = tensor(0);
    for i in 0..n {
        if i % 3 == 0 {
            graph_print!("Fizz");
            fizzes += 1;
        } else if i % 5 == 0 {
            graph_print!("Buzz");
        } else {
            graph_print!("{i}");
        }
    }
    fizzes
}

fn main() {
    assert_eq!(fizzbuzz(tensor(15)).item(), 5);
    assert_eq!(fizzbuzz(tensor(0)).item(), 0);
    assert_eq!(fizzbuzz(tensor(1)).item(), 1);
}
