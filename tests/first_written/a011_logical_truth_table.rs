//! and, or, not and xor of two booleans: conformance `logical_truth_table`.
use graph_runtime::prelude::*;

type Bool = Tensor<bool>;

#[graph_fn]
fn truth(a: Bool, b: Bool) -> (Bool, Bool, Bool, Bool, Bool) {
    (
        a && b,
        a || b,
        !a,
        !(a && !b),
        (a || b) && !(a && b),
    )
}

fn main() {
    for a in [true, false] {
        for b in [true, false] {
            let (and, or, not, implies, xor) = truth(tensor(a), tensor(b));
            assert_eq!(and.item(), a && b);
            assert_eq!(or.item(), a || b);
            assert_eq!(not.item(), !a);
            assert_eq!(implies.item(), !a || b);
            assert_eq!(xor.item(), a != b);
        }
    }
}
