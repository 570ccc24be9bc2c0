//! How many primes are below n, with a labelled continue: textbook: trial division.
use graph_runtime::prelude::*;

#[graph_fn]
fn primes_below(n: Tensor<i32>) -> Tensor<i32> {
    let mut count = tensor(0);
    'candidates: for p in 2..n {
        let mut d = tensor(2);
        while d * d <= p {
            if p % d == 0 {
                continue 'candidates;
            }
            d += 1;
        }
        count += 1;
    }
    count
}

fn main() {
    assert_eq!(primes_below(tensor(2)).item(), 0);
    assert_eq!(primes_below(tensor(10)).item(), 4);
    assert_eq!(primes_below(tensor(100)).item(), 25);
}
