//! A map of tensors as the state of a loop: conformance `loop_dict_state`.
use graph_runtime::prelude::*;
use std::collections::HashMap;

#[graph_fn]
fn sum_and_product(n: Tensor<i32>) -> HashMap<&'static str, Tensor<i32>> {
    let mut d = HashMap::from([("s", tensor(0)), ("p", tensor(1))]);
    for i in 0..n {
        *d.get_mut("s").unwrap() += i;
        *d.get_mut("p").unwrap() *= i + 1;
    }
    d
}

fn main() {
    for (n, s, p) in [(0, 0, 1), (1, 0, 1), (3, 3, 6)] {
        let d = sum_and_product(tensor(n));
        assert_eq!(d["s"].item(), s);
        assert_eq!(d["p"].item(), p);
    }
}
