// Wanted: elements of a dataset are tensors and tuples of them, and a filter gives a truth value.
use graph_runtime::prelude::*;

fn main() {
    let strings = Dataset::from_generator(|| ["a", "b"].into_iter());
    let slices = Dataset::from_slices(vec![1, 2, 3]);
    let numbers = Dataset::range(0..3);
    let wrong = numbers.map(|n| (n, 1));
    let kept = numbers.filter(|n| n % 2);
}
