//! Rows, columns and blocks of a matrix, from a tensor index on. From: conformance slice_matrix.
use graph_runtime::prelude::*;

#[graph_fn]
fn slices(
    m: Tensor<i32>,
    i: Tensor<i32>,
) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    (m[i], m[(.., i)], m[(i, i)], m[(.., ..2)], m[(i.., 1..)], m[..i])
}

fn main() {
    let (row, column, element, left, corner, above) = slices(tensor([[1, 2, 3], [4, 5, 6]]), tensor(1));
    assert_eq!(row.to_vec(), [4, 5, 6]);
    assert_eq!(column.to_vec(), [2, 5]);
    assert_eq!(element.item(), 5);
    assert_eq!(left.to_vec(), [1, 2, 4, 5]);
    assert_eq!(corner.to_vec(), [5, 6]);
    assert_eq!(corner.shape(), [1, 2]);
    assert_eq!(above.to_vec(), [1, 2, 3]);

    let (row, column, element, _, corner, above) = slices(tensor([[1, 2, 3], [4, 5, 6]]), tensor(0));
    assert_eq!(row.to_vec(), [1, 2, 3]);
    assert_eq!(column.to_vec(), [1, 4]);
    assert_eq!(element.item(), 1);
    assert_eq!(corner.to_vec(), [2, 3, 5, 6]);
    assert_eq!(above.shape(), [0, 3]);
}
