//! References to tensors as conditions and scrutinees.

use graph_runtime::prelude::*;

use crate::support::each_way;

/// A reference to a tensor decides like the tensor.
#[test]
fn references_to_tensors() {
    #[graph_fn]
    fn classes(x: &Tensor<i32>, name: &Tensor<String>) -> (Tensor<i32>, Tensor<i32>, Tensor<bool>) {
        let by_reference = match &x {
            0 => tensor(10),
            1..=9 => x * 2,
            _ => -x,
        };
        let y = x + 1;
        let behind = match *x {
            n if n > 3 => n + 1,
            _ => y,
        };
        let text = matches!(&name, "a" | "b") && !matches!(&y, 3) && matches!(*x, 0..=5);
        (by_reference, behind, text)
    }
    each_way(|| {
        let run = |x: i32, name: &str| {
            let (a, b, c) = classes(&tensor(x), &tensor(name));
            (a.item(), b.item(), c.item())
        };
        assert_eq!(run(0, "a"), (10, 1, true));
        assert_eq!(run(2, "b"), (4, 3, false));
        assert_eq!(run(5, "c"), (10, 6, false));
        assert_eq!(run(12, "a"), (-12, 13, false));
    });
}

#[test]
fn references_to_truth_values() {
    #[graph_fn]
    fn count(start: &Tensor<bool>, n: Tensor<i32>) -> Tensor<i32> {
        let mut i = tensor(0);
        let mut goes = *start & (n > 0);
        while *(&goes) {
            i += 1;
            goes = i < n;
        }
        if *start && i > 2 {
            i = -i;
        }
        let c = &(i < 0);
        if *c || !*start {
            i += 100;
        }
        if c {
            i += 1000;
        }
        match *c {
            true => i + 1,
            false => i,
        }
    }
    each_way(|| {
        assert_eq!(count(&tensor(true), tensor(5)).item(), 1096);
        assert_eq!(count(&tensor(true), tensor(2)).item(), 2);
        assert_eq!(count(&tensor(false), tensor(5)).item(), 100);
    });
}
