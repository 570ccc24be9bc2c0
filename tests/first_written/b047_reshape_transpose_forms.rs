//! Reshapes, transposes, broadcasts and diagonals. From: conformance reshape_transpose_forms.
use graph_runtime::prelude::*;

#[graph_fn]
fn forms(m: Tensor<i32>) -> Vec<Tensor<i32>> {
    vec![
        m.reshape([-1]),
        m.reshape([3, -1]),
        m.transpose(),
        m.expand_dims(0).permute([2, 0, 1]),
        m[0].broadcast_to([2, 3]),
        m[0].diag(),
        m.band_part(0, 0),
        eye(2),
    ]
}

fn main() {
    let results = forms(tensor([[1, 2, 3], [4, 5, 6]]));
    let expected: [(&[usize], &[i32]); 8] = [
        (&[6], &[1, 2, 3, 4, 5, 6]),
        (&[3, 2], &[1, 2, 3, 4, 5, 6]),
        (&[3, 2], &[1, 4, 2, 5, 3, 6]),
        (&[3, 1, 2], &[1, 4, 2, 5, 3, 6]),
        (&[2, 3], &[1, 2, 3, 1, 2, 3]),
        (&[3, 3], &[1, 0, 0, 0, 2, 0, 0, 0, 3]),
        (&[2, 3], &[1, 0, 0, 0, 5, 0]),
        (&[2, 2], &[1, 0, 0, 1]),
    ];
    for (result, (shape, values)) in results.iter().zip(expected) {
        assert_eq!(result.shape(), shape);
        assert_eq!(result.to_vec(), values);
    }
}
