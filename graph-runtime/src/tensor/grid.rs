//! Coordinates of grids.

use graph_kernels::Element;

use super::{AsOperand, SizeList, Tensor, concat};
use crate::ops;

/// The coordinates of the points of a grid: `n` vectors give `n` tensors of the same shape. As NumPy's `indexing="xy"`: the first vector
/// varies along the columns, the second along the rows.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let grid = meshgrid([tensor([1, 2, 3]), tensor([4, 5])]);
/// assert_eq!(grid[0].to_vec(), [1, 2, 3, 1, 2, 3]);
/// assert_eq!(grid[1].to_vec(), [4, 4, 4, 5, 5, 5]);
/// ```
#[track_caller]
pub fn meshgrid<T: Element>(vectors: impl IntoIterator<Item: AsOperand<T>>) -> Vec<Tensor<T>> {
    grid(vectors, true)
}

/// [`meshgrid`] as NumPy's `indexing="ij"`: vector `i` varies along axis `i`.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let grid = meshgrid_ij([tensor([1, 2, 3]), tensor([4, 5])]);
/// assert_eq!(grid[0].to_vec(), [1, 1, 2, 2, 3, 3]);
/// ```
#[track_caller]
pub fn meshgrid_ij<T: Element>(vectors: impl IntoIterator<Item: AsOperand<T>>) -> Vec<Tensor<T>> {
    grid(vectors, false)
}

#[track_caller]
fn grid<T: Element>(
    vectors: impl IntoIterator<Item: AsOperand<T>>,
    columns_first: bool,
) -> Vec<Tensor<T>> {
    let mut along = Vec::new();
    for vector in vectors {
        along.push(Tensor::<T>::from_any(AsOperand::<T>::into_operand(vector)).flatten());
    }
    let swaps = columns_first && along.len() > 1;
    if swaps {
        along.swap(0, 1);
    }
    let sizes = grid_sizes(&along);
    let mut grid = Vec::new();
    for (axis, vector) in along.iter().enumerate() {
        let mut shape = vec![1; along.len()];
        shape[axis] = -1;
        let column = vector.reshape(&shape);
        let whole = sizes.clone().apply(
            &column.any,
            (&ops::BROADCAST_TO, "shape"),
            &ops::BROADCAST_AS,
        );
        grid.push(Tensor::from_any(whole));
    }
    if swaps {
        grid.swap(0, 1);
    }
    grid
}

/// The lengths of the vectors, as Rust numbers if all are known while tracing.
#[track_caller]
fn grid_sizes<T: Element>(vectors: &[Tensor<T>]) -> SizeList {
    let known = |vector: &Tensor<T>| i64::try_from(vector.shape().size()?).ok();
    if let Some(sizes) = vectors.iter().map(known).collect() {
        return SizeList::Known(sizes);
    }
    let mut sizes = Vec::new();
    for vector in vectors {
        sizes.push(vector.shape_tensor());
    }
    SizeList::Tensor(concat(&sizes, 0).into_any())
}
