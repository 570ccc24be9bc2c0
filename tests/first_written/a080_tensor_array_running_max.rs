//! Running maximum, collected in a TensorArray: textbook: prefix maximum.
use graph_runtime::prelude::*;

#[graph_fn]
fn running_max(v: Tensor<i32>) -> Tensor<i32> {
    let n = v.size();
    let mut out = TensorArray::new(n);
    let mut m = v[0];
    for i in 0..n {
        if v[i] > m {
            m = v[i];
        }
        out = out.write(i, m);
    }
    out.stack()
}

fn main() {
    assert_eq!(running_max(tensor([3, 1, 4, 1, 5, 9, 2])).to_vec(), vec![3, 3, 4, 4, 5, 9, 9]);
    assert_eq!(running_max(tensor([7])).to_vec(), vec![7]);
}
