//! A weighted sum of the positive tensors of a Vec: conformance `for_py_list_of_tensors`.
use graph_runtime::prelude::*;

#[graph_fn]
fn weighted(items: Vec<Tensor<i32>>) -> Tensor<i32> {
    let mut s = tensor(0);
    for (k, t) in items.into_iter().enumerate() {
        if t > 0 {
            s += t * (k as i32 + 1);
        }
    }
    s
}

fn main() {
    assert_eq!(weighted(vec![tensor(1), tensor(2), tensor(3)]).item(), 14);
    assert_eq!(weighted(vec![tensor(4), tensor(-4), tensor(0)]).item(), 4);
    assert_eq!(weighted(vec![tensor(7)]).item(), 7);
}
