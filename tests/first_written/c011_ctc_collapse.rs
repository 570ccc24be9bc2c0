//! CTC: repeated labels are merged, blanks (0) removed: ml_ctc_collapse.
use graph_runtime::prelude::*;

#[graph_fn]
fn ctc_collapse(path: Tensor<i32>) -> Tensor<i32> {
    let mut previous = tensor(-1);
    let mut out = TensorArray::<i32>::new();
    for p in path {
        if p != previous && p != 0 {
            out.push(p);
        }
        previous = p;
    }
    out.stack()
}

fn main() {
    assert_eq!(ctc_collapse(tensor([0, 1, 1, 0, 1, 2, 2])).to_vec(), [1, 1, 2]);
    assert!(ctc_collapse(tensor([0; 7])).to_vec().is_empty());
    assert_eq!(ctc_collapse(tensor([3, 3, 3, 2, 2, 0, 1])).to_vec(), [3, 2, 1]);
}
