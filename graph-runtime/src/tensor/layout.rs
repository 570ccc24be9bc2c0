//! Shapes, changed without touching the values' order or the values themselves: reshape, transpose, broadcast and their kin.

use graph_kernels::Element;

use super::{Dyn, Matrix, NewAxisOf, One, Sizes, Tensor, axis_attr, ints, sizes};
use crate::graph::Shape;
use crate::ops::{self, Attr, Attrs};

/// Another shape for the same values.
impl<T: Element, S> Tensor<T, S> {
    /// The same values, row-major, under another shape; one size may be -1 and follows from the others. The shape may be a
    /// vector tensor.
    ///
    /// # Errors
    /// If the number of elements would change.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.reshape(&[2, -1]).shape().to_string(), "[2,3]");
    /// assert_eq!(x.reshape(tensor([3, 2])).shape().to_string(), "[3,2]");
    /// ```
    #[track_caller]
    pub fn reshape(&self, shape: impl Sizes<isize>) -> Tensor<T> {
        let shape = shape.into_sizes();
        Tensor::from_any(shape.apply(&self.any, (&ops::RESHAPE, "shape"), &ops::RESHAPE_TO))
    }

    /// The same values in one axis: `reshape(&[-1])`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).flatten().shape().to_string(), "[4]");
    /// ```
    #[track_caller]
    pub fn flatten(&self) -> Tensor<T> {
        self.reshape(&[-1])
    }

    /// The same tensor with less (or more) known of its shape while tracing: exactly the sizes given, `None` where
    /// unknown. The state of a loop whose shape changes starts from such a tensor.
    ///
    /// # Errors
    /// If the shape can't be of this form.
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

    /// The axes in another order, as `tf.transpose` has it with a `perm`: axis `i` of the result is axis `perm[i]` of this.
    ///
    /// # Errors
    /// If `perm` doesn't name every axis once.
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

    /// The axes reversed: the transpose of a matrix. A tensor of unknown rank is taken for a matrix.
    /// [`permute`](Self::permute) takes another order.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).transpose().to_vec(), [1, 3, 2, 4]);
    /// ```
    #[track_caller]
    pub fn transpose(&self) -> Tensor<T, S::Reversed>
    where
        S: Matrix,
    {
        let rank = self.shape().rank().unwrap_or(2);
        let reversed: Vec<usize> = (0..rank).rev().collect();
        Tensor::from_any(self.permute(reversed).into_any())
    }

    /// [`transpose`](Self::transpose), in a letter.
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

    /// A new axis of size 1 before the given one; -1 puts it last.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).expand_dims(-1).shape().to_string(), "[2,1]");
    /// ```
    #[track_caller]
    pub fn expand_dims<A: NewAxisOf<S, One>>(&self, axis: A) -> Tensor<T, A::Inserted> {
        self.unary(&ops::EXPAND_DIMS, axis_attr(axis.index()))
    }

    /// Without the given axes, which have size 1; without all such axes if none is named.
    ///
    /// # Errors
    /// If a named axis has another size.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[[1], [2]]]).squeeze(&[0]).shape().to_string(), "[2,1]");
    /// ```
    #[track_caller]
    pub fn squeeze(&self, axes: &[isize]) -> Tensor<T> {
        self.unary(&ops::SQUEEZE, Attrs::new().with("axes", ints(axes)))
    }

    /// Repeated to a shape, which may be a vector tensor, by NumPy's rules: axes of size 1, and missing leading axes, repeat.
    ///
    /// # Errors
    /// If another size would have to change.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).broadcast_to(&[2, 2]).to_vec(), [1, 2, 1, 2]);
    /// ```
    #[track_caller]
    pub fn broadcast_to(&self, shape: impl Sizes<usize>) -> Tensor<T> {
        let shape = shape.into_sizes();
        Tensor::from_any(shape.apply(&self.any, (&ops::BROADCAST_TO, "shape"), &ops::BROADCAST_AS))
    }

    /// The whole repeated `multiples[i]` times along axis `i`.
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
