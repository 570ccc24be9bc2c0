//! Changing the shape while the values stay the same: reshape, transpose, broadcast and related methods.

use graph_kernels::Element;

use super::{AxisList, Dyn, Matrix, NewAxisOf, One, Sizes, Tensor, axis_attr, ints, sizes};
use crate::graph::Shape;
use crate::ops::{self, Attr, Attrs};

/// Methods that change the shape.
impl<T: Element, S> Tensor<T, S> {
    /// The same values in row-major order, with another shape. One size may be -1: it follows from the others. The shape may be a vector
    /// tensor, or a tuple of different integers and scalar tensors: `(x.dim(0), -1)`, where an array would have one type for both.
    ///
    /// # Errors
    /// If the shapes have different numbers of elements.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.reshape(&[2, -1]).shape().to_string(), "[2,3]");
    /// assert_eq!(x.reshape(tensor([3, 2])).shape().to_string(), "[3,2]");
    /// let y = x.reshape([x.len() / 2, 2]);
    /// assert_eq!(y.reshape((y.dim(0), 1, -1)).shape().to_string(), "[3,1,2]");
    /// ```
    #[doc(alias("view"))]
    #[track_caller]
    pub fn reshape(&self, shape: impl Sizes<isize>) -> Tensor<T> {
        let shape = shape.into_sizes();
        Tensor::from_any(shape.apply(&self.any, (&ops::RESHAPE, "shape"), &ops::RESHAPE_TO))
    }

    /// The same values as a vector: `reshape(&[-1])`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).flatten().shape().to_string(), "[4]");
    /// ```
    #[doc(alias("ravel", "flatten_all"))]
    #[track_caller]
    pub fn flatten(&self) -> Tensor<T> {
        self.reshape(&[-1])
    }

    /// The same tensor, of which tracing knows exactly the given sizes and not those that are `None`. Use it for the first value of a loop
    /// variable whose shape changes in the loop.
    ///
    /// # Errors
    /// If the tensor's shape doesn't match the given sizes.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2]]).relax_shape(&[None, Some(2)]);
    /// assert_eq!(x.to_vec(), [1, 2]);
    /// ```
    #[track_caller]
    pub fn relax_shape(&self, dims: &[Option<usize>]) -> Tensor<T, Dyn> {
        let shape = Shape::of(dims.iter().copied());
        self.unary(
            &ops::RELAX_SHAPE,
            Attrs::new().with("shape", Attr::Shape(shape)),
        )
    }

    /// Reorders the axes, as `tf.transpose` with `perm`: axis `i` of the result is axis `perm[i]` of this tensor.
    ///
    /// # Errors
    /// If `perm` doesn't list every axis once.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3]]).permute([1, 0]).shape(), [3, 1]);
    /// ```
    #[track_caller]
    pub fn permute(&self, perm: impl AsRef<[usize]>) -> Tensor<T> {
        let perm = Attrs::new().with("perm", sizes(perm.as_ref()));
        self.unary(&ops::TRANSPOSE, perm)
    }

    /// Reverses the order of the axes: the transpose of a matrix. A tensor of unknown rank is treated as a matrix.
    /// [`permute`](Self::permute) takes any other order.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).transpose().to_vec(), [1, 3, 2, 4]);
    /// ```
    #[doc(alias("matrix_transpose"))]
    #[track_caller]
    pub fn transpose(&self) -> Tensor<T, S::Reversed>
    where
        S: Matrix,
    {
        let rank = self.shape().rank().unwrap_or(2);
        let reversed: Vec<usize> = (0..rank).rev().collect();
        Tensor::from_any(self.permute(reversed).into_any())
    }

    /// [`transpose`](Self::transpose) under a short name.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).t().to_vec(), [1, 3, 2, 4]);
    /// ```
    #[track_caller]
    pub fn t(&self) -> Tensor<T, S::Reversed>
    where
        S: Matrix,
    {
        self.transpose()
    }

    /// Inserts a new axis of size 1 before the given one; -1 inserts it at the end.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).expand_dims(-1).shape().to_string(), "[2,1]");
    /// ```
    #[doc(alias("unsqueeze"))]
    #[track_caller]
    pub fn expand_dims<A: NewAxisOf<S, One>>(&self, axis: A) -> Tensor<T, A::Inserted> {
        self.unary(&ops::EXPAND_DIMS, axis_attr(axis.index()))
    }

    /// Removes one axis or several, which must have size 1; an empty list, `&[]`, removes all axes of size 1.
    ///
    /// # Errors
    /// If a listed axis has another size.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[[1], [2]]]).squeeze(0).shape().to_string(), "[2,1]");
    /// assert_eq!(tensor([[[1], [2]]]).squeeze([0, 2]).shape().to_string(), "[2]");
    /// assert_eq!(tensor([[[1], [2]]]).squeeze(&[]).shape().to_string(), "[2]");
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler shows the line to whoever gives no axes.
    pub fn squeeze(&self, axes: impl AxisList) -> Tensor<T> { // All axes of size 1: `squeeze(&[])`
        self.unary(&ops::SQUEEZE, Attrs::new().with("axes", ints(&axes.axes())))
    }

    /// Repeats the tensor to a shape by NumPy's rules: axes of size 1 and missing leading axes repeat. The shape may be a vector tensor.
    ///
    /// # Errors
    /// If an axis with a size other than 1 would have to change.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).broadcast_to(&[2, 2]).to_vec(), [1, 2, 1, 2]);
    /// ```
    #[doc(alias("expand", "broadcast_as"))]
    #[track_caller]
    pub fn broadcast_to(&self, shape: impl Sizes<usize>) -> Tensor<T> {
        let shape = shape.into_sizes();
        Tensor::from_any(shape.apply(&self.any, (&ops::BROADCAST_TO, "shape"), &ops::BROADCAST_AS))
    }

    /// Repeats the whole tensor `multiples[i]` times along each axis `i`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).tile(&[2]).to_vec(), [1, 2, 1, 2]);
    /// ```
    #[track_caller]
    pub fn tile(&self, multiples: impl Sizes<usize>) -> Tensor<T> {
        let multiples = multiples.into_sizes();
        Tensor::from_any(multiples.apply(&self.any, (&ops::TILE, "multiples"), &ops::TILE_BY))
    }
}
