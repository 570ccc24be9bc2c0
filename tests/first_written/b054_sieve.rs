//! The primes below n by the sieve of Eratosthenes. From: textbook: sieve.
use graph_runtime::prelude::*;

#[graph_fn]
fn sieve(n: usize) -> Tensor<bool> {
    let mut prime = tensor(vec![true; n]);
    prime[0] = false;
    prime[1] = false;
    let mut p = tensor(2);
    while p * p < n as i32 {
        if prime[p] {
            let mut multiple = p * p;
            while multiple < n as i32 {
                prime[multiple] = false;
                multiple += p;
            }
        }
        p += 1;
    }
    prime
}

fn main() {
    let primes: Vec<usize> = (0..30).filter(|&i| sieve(30).to_vec()[i]).collect();
    assert_eq!(primes, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
    assert_eq!(sieve(100).to_vec().into_iter().filter(|&p| p).count(), 25);
}
