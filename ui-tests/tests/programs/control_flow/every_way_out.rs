// `return`, `break` and `continue` under tensor conditions.
use graph_runtime::prelude::*;

#[graph_fn]
fn first_multiple(items: Tensor<i32>, of: Tensor<i32>) -> Tensor<i32> {
    for item in items {
        if item < 0 {
            break;
        }
        if item == 0 {
            continue;
        }
        if item % of == 0 {
            return item;
        }
    }
    -1
}

#[test]
fn runs() {
    assert_eq!(first_multiple(tensor([5, 0, 9, 6]), tensor(3)).item(), 9);
    assert_eq!(first_multiple(tensor([5, -1, 9, 6]), tensor(3)).item(), -1);
    assert_eq!(first_multiple(tensor([5, 7, 8, 0]), tensor(3)).item(), -1);
}
