// Macros of the user's own, with comparisons in their arguments.
use graph_runtime::prelude::*;

macro_rules! larger {
    ($a:expr, $b:expr) => {
        $a.maximum(&$b)
    };
}

#[graph_fn]
fn f(x: Tensor<i32>, n: i32) -> Tensor<i32> {
    assert!(n > 0, "n must be positive, not {n}");
    let flags = vec![n > 1, n > 2];
    let many = matches!(flags.as_slice(), [true, true]);
    let limit = larger!(x, tensor(3));
    if many { limit } else { limit + 1 }
}

#[test]
fn runs() {
    assert_eq!(f(tensor(5), 3).item(), 5);
    assert_eq!(f(tensor(1), 2).item(), 4);
}
