//! Marks the composites in a vector of booleans: textbook: sieve of Eratosthenes.
use graph_runtime::prelude::*;

#[graph_fn]
fn sieve(n: usize) -> Tensor<bool> {
    let mut prime = Tensor::ones([n]);
    prime[0] = tensor(false);
    prime[1] = tensor(false);
    let mut p = tensor(2);
    while p * p < n as i32 {
        if prime[p] {
            let mut multiple = p * p;
            while multiple < n as i32 {
                prime[multiple] = tensor(false);
                multiple += p;
            }
        }
        p += 1;
    }
    prime
}

fn main() {
    let primes: Vec<usize> = sieve(30)
        .to_vec()
        .into_iter()
        .enumerate()
        .filter(|(_, prime)| *prime)
        .map(|(i, _)| i)
        .collect();
    assert_eq!(primes, vec![2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
}
