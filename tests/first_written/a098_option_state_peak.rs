//! Height and steepness of a walk with an optional previous value: textbook: peak finding.
use graph_runtime::prelude::*;

#[graph_fn]
fn peaks(v: Tensor<i32>, threshold: Option<i32>) -> Tensor<i32> {
    let mut count = tensor(0);
    for i in 1..v.size() - 1 {
        let is_peak = v[i] > v[i - 1] && v[i] > v[i + 1];
        if !is_peak {
            continue;
        }
        if let Some(threshold) = threshold {
            if v[i] < threshold {
                continue;
            }
        }
        count += 1;
    }
    count
}

fn main() {
    assert_eq!(peaks(tensor([0, 2, 1, 5, 1, 3, 0]), None).item(), 3);
    assert_eq!(peaks(tensor([0, 2, 1, 5, 1, 3, 0]), Some(3)).item(), 2);
    assert_eq!(peaks(tensor([1, 1, 1]), None).item(), 0);
}
