//! Three loops, each with a break of its own: conformance `three_level_break_each`.
use graph_runtime::prelude::*;

#[graph_fn]
fn three_levels(n: Tensor<i32>) -> Tensor<i32> {
    let mut c = tensor(0);
    for i in 0..n {
        if i == 3 {
            break;
        }
        for j in 0..n {
            if j > i {
                break;
            }
            let mut k = tensor(0);
            while k < n {
                k += 1;
                if k + j == 3 {
                    continue;
                }
                if k > 3 {
                    break;
                }
                c += 1;
            }
            c += 100;
        }
        c += 10000;
    }
    c
}

fn main() {
    assert_eq!(three_levels(tensor(3)).item(), 30612);
    assert_eq!(three_levels(tensor(1)).item(), 10101);
    assert_eq!(three_levels(tensor(5)).item(), 30612);
}
