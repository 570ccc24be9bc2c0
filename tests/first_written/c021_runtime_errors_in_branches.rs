//! Division and index errors happen only in the branch that is taken: err_runtime_in_branches.
use graph_runtime::prelude::*;

#[graph_fn]
fn guarded(a: Tensor<i32>, b: Tensor<i32>, i: Tensor<i32>) -> Result<Tensor<i32>, graph_runtime::Error> {
    let v = tensor([1, 2, 3]);
    let mut r = if b == 0 { tensor(-1) } else { a / b };
    if i < 3 {
        r += v[i];
    }
    Ok(r)
}

fn main() -> Result<(), graph_runtime::Error> {
    assert_eq!(guarded(tensor(7), tensor(2), tensor(1))?.item(), 5);
    assert_eq!(guarded(tensor(7), tensor(0), tensor(2))?.item(), 2);
    assert_eq!(guarded(tensor(7), tensor(7), tensor(3))?.item(), 1);
    assert!(guarded(tensor(7), tensor(7), tensor(-1)).is_err());
    Ok(())
}
