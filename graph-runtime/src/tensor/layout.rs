//! Shapes: asking for them, as Rust values or as tensors, and changing them without touching the values' order
//! or the values themselves: reshape, transpose, concat, broadcast and their kin.

use graph_kernels::{DType, Element};

use super::{Dyn, Matrix, NewAxisOf, One, Sizes, Tensor, axis_attr, ints, sizes};
use crate::error::{Error, Location};
use crate::graph::Shape;
use crate::ops::{self, Attr, Attrs};
use crate::trace;

/// What is known of the shape: exact for a concrete tensor, what tracing could tell for a symbolic one.
impl<T: Element, S> Tensor<T, S> {
    /// What is known of the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3]]).shape().to_string(), "[1,3]");
    /// ```
    #[track_caller]
    pub fn shape(&self) -> Shape {
        self.any.shape()
    }

    /// The element type as a value.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.0]).dtype().name(), "float64");
    /// ```
    pub fn dtype(&self) -> DType {
        T::DTYPE
    }

    /// The number of axes, for Rust control flow.
    ///
    /// # Panics
    /// While tracing, if it isn't known: it ends the graph function with an error. [`rank_tensor`](Self::rank_tensor)
    /// is known when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3]]).rank(), 2);
    /// ```
    #[track_caller]
    pub fn rank(&self) -> usize {
        let Some(rank) = self.shape().rank() else {
            unknown("the rank of this tensor is not known while tracing; `rank_tensor()` gives it when run".into());
        };
        rank
    }

    /// The size of an axis, for Rust control flow; a negative axis counts from the last.
    ///
    /// # Panics
    /// If there is no such axis; while tracing, if the size isn't known (it ends the graph function with an error).
    /// [`shape_tensor`](Self::shape_tensor) and [`len_tensor`](Self::len_tensor) are known when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3]]);
    /// assert_eq!((x.dim(0), x.dim(-1)), (1, 3));
    /// ```
    #[track_caller]
    pub fn dim(&self, axis: isize) -> usize {
        let shape = self.shape();
        let rank = self.rank();
        let position = if axis < 0 {
            axis.checked_add_unsigned(rank)
        } else {
            Some(axis)
        };
        let dim = position.and_then(|i| shape.dims()?.get(usize::try_from(i).ok()?).copied());
        match dim {
            Some(Some(size)) => size,
            Some(None) => unknown(format!(
                "the size of axis {axis} of a tensor of shape {shape} is not known while tracing; `shape_tensor()` gives it \
                 when run"
            )),
            None => unknown(format!("a tensor of shape {shape} has no axis {axis}")),
        }
    }

    /// The sizes of the axes as a tensor of shape `[rank]`, known when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3]]).shape_tensor().to_vec(), [1, 3]);
    /// ```
    #[track_caller]
    pub fn shape_tensor(&self) -> Tensor<i32> {
        self.unary(&ops::SHAPE_OF, Attrs::default())
    }

    /// The number of elements as a scalar tensor, known when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3]]).size_tensor().item(), 3);
    /// ```
    #[track_caller]
    pub fn size_tensor(&self) -> Tensor<i32> {
        self.unary(&ops::SIZE_OF, Attrs::default())
    }

    /// The number of axes as a scalar tensor, known when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3]]).rank_tensor().item(), 2);
    /// ```
    #[track_caller]
    pub fn rank_tensor(&self) -> Tensor<i32> {
        self.unary(&ops::RANK_OF, Attrs::default())
    }

    /// The size of the first axis as a scalar tensor, known when run.
    ///
    /// # Errors
    /// A scalar has no axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3]]).len_tensor().item(), 1);
    /// ```
    #[track_caller]
    pub fn len_tensor(&self) -> Tensor<i32> {
        self.shape_tensor().get(0)
    }
}

/// Ends the graph function: Rust code asked for a fact of the shape that doesn't exist.
#[track_caller]
fn unknown(message: String) -> ! {
    trace::fail(Error::trace(message, Location::caller()))
}

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

    /// The axes in another order: axis `i` of the result is axis `perm[i]` of this.
    ///
    /// # Errors
    /// If `perm` doesn't name every axis once.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3]]).transpose(&[1, 0]).shape().to_string(), "[3,1]");
    /// ```
    #[track_caller]
    pub fn transpose(&self, perm: &[usize]) -> Tensor<T> {
        self.unary(&ops::TRANSPOSE, Attrs::new().with("perm", sizes(perm)))
    }

    /// The axes reversed: the transpose of a matrix. A tensor of unknown rank is taken for a matrix.
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
        let rank = self.shape().rank().unwrap_or(2);
        Tensor::from_any(
            self.transpose(&(0..rank).rev().collect::<Vec<_>>())
                .into_any(),
        )
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
