//! `&` and `|` evaluate both sides, with prints: conformance `non_short_circuit_ampersand`.
use graph_runtime::prelude::*;

#[graph_fn]
fn noisy(name: &str, v: Tensor<bool>) -> Tensor<bool> {
    graph_print!("eval {name}");
    v
}

#[graph_fn]
fn both(a: Tensor<bool>, b: Tensor<bool>) -> (Tensor<bool>, Tensor<bool>, Tensor<bool>, Tensor<bool>) {
    (noisy("a", a) & noisy("b", b), noisy("c", a) | noisy("d", b), a ^ b, !a)
}

fn main() {
    for a in [true, false] {
        for b in [true, false] {
            let (and, or, xor, not) = both(tensor(a), tensor(b));
            assert_eq!(and.item(), a & b);
            assert_eq!(or.item(), a | b);
            assert_eq!(xor.item(), a ^ b);
            assert_eq!(not.item(), !a);
        }
    }
}
