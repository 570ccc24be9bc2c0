//! Names a number by a sequence of ifs with returns: conformance `return_sequence_of_ifs`.
use graph_runtime::prelude::*;

#[graph_fn]
fn describe(n: Tensor<i32>) -> Tensor<String> {
    if n == 0 {
        return tensor("zero");
    }
    let half = n / 2;
    if half * 2 == n {
        if half % 2 == 0 {
            return tensor("4k");
        }
        return tensor("4k+2");
    }
    let third = n / 3;
    if third * 3 == n {
        return tensor("odd multiple of 3");
    }
    if n > 20 {
        return tensor("big odd");
    }
    tensor("other")
}

fn main() {
    let cases = [(0, "zero"), (4, "4k"), (6, "4k+2"), (9, "odd multiple of 3"), (25, "big odd"), (7, "other")];
    for (n, name) in cases {
        assert_eq!(describe(tensor(n)).item(), name);
    }
}
