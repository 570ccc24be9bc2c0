//! The values and lengths of the runs of a vector. From: textbook: run-length encoding.
use graph_runtime::prelude::*;

#[graph_fn]
fn run_lengths(v: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let n = v.len() as i32;
    let mut values = TensorArray::<i32>::new(n);
    let mut lengths = TensorArray::<i32>::new(n);
    let mut runs = tensor(0);
    let mut i = tensor(0);
    while i < n {
        let start = i;
        while i < n && v[i] == v[start] {
            i += 1;
        }
        values = values.write(runs, v[start]);
        lengths = lengths.write(runs, i - start);
        runs += 1;
    }
    (values.stack()[..runs], lengths.stack()[..runs], runs)
}

fn main() {
    let (values, lengths, runs) = run_lengths(tensor([1, 1, 1, 2, 3, 3, 1]));
    assert_eq!(runs.item(), 4);
    assert_eq!(values.to_vec(), [1, 2, 3, 1]);
    assert_eq!(lengths.to_vec(), [3, 1, 2, 1]);
}
