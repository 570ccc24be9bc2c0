//! The bits that are set, the parity, and the highest bit of a number. From: textbook: Kernighan's bit count.
use graph_runtime::prelude::*;

#[graph_fn]
fn bits(n: Tensor<u32>) -> (Tensor<i32>, Tensor<bool>, Tensor<i32>) {
    let mut rest = n;
    let mut count = tensor(0);
    while rest != 0 {
        rest &= rest - 1;
        count += 1;
    }
    let mut highest = tensor(-1);
    let mut shifted = n;
    while shifted > 0 {
        shifted >>= 1;
        highest += 1;
    }
    (count, count % 2 == 1, highest)
}

fn main() {
    for n in [0u32, 1, 6, 255, 256, 1_000_000] {
        let (count, odd, highest) = bits(tensor(n));
        assert_eq!(count.item(), n.count_ones() as i32);
        assert_eq!(odd.item(), n.count_ones() % 2 == 1);
        assert_eq!(highest.item(), 31 - n.leading_zeros() as i32);
    }
}
