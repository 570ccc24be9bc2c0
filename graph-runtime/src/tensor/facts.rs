//! Shape and element type of a tensor: as Rust values, for Rust control flow, or as tensors, whose values are known when the graph runs.

use graph_kernels::{DType, Element};

use super::Tensor;
use crate::error::{Error, Location};
use crate::graph::Shape;
use crate::ops::{self, Attrs};
use crate::trace;

/// What is known of the shape: all of it for a concrete tensor; for a symbolic one, what tracing could infer.
impl<T: Element, S> Tensor<T, S> {
    /// What is known of the shape: `shape()[0]` is the size of the first axis, and `shape() == [2, 3]` is true if the shape is known and
    /// equal. Indexing a size that is unknown while tracing is an error; [`Shape::get`] gives `None` for it.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3]]);
    /// assert_eq!(x.shape(), [1, 3]);
    /// assert_eq!(x.shape()[1], 3);
    /// assert_eq!(x.shape().to_string(), "[1,3]");
    /// ```
    #[doc(alias("dims"))]
    #[track_caller]
    pub fn shape(&self) -> Shape {
        let shape = self.any.shape();
        trace::asked_for_shape(&self.any, &shape);
        shape
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
    /// If it isn't known while tracing: the graph function ends with an error. [`rank_tensor`](Self::rank_tensor) gives it when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3]]).rank(), 2);
    /// ```
    #[doc(alias("ndim"))]
    #[track_caller]
    pub fn rank(&self) -> usize {
        let Some(rank) = self.shape().rank() else {
            let why = trace::why_unknown(&self.any).unwrap_or_default();
            let message = format!(
                "the rank of this tensor is not known while tracing; `rank_tensor()` gives it when run{why}"
            );
            trace::fail(Error::trace(message, Location::caller()));
        };
        rank
    }

    /// The size of an axis, for Rust control flow; a negative axis counts from the last.
    ///
    /// # Panics
    /// If there is no such axis; if the size isn't known while tracing (the graph function ends with an error).
    /// [`shape_tensor`](Self::shape_tensor) and [`len_tensor`](Self::len_tensor) give it when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3]]);
    /// assert_eq!((x.dim(0), x.dim(-1)), (1, 3));
    /// ```
    #[track_caller]
    pub fn dim(&self, axis: isize) -> usize {
        let (shape, rank) = (self.shape(), self.rank());
        let position = if axis < 0 {
            axis.checked_add_unsigned(rank)
        } else {
            Some(axis)
        };
        match position.and_then(|i| shape.known_axis(usize::try_from(i).ok()?)) {
            Some(size) => *size,
            None => shape.no_size(axis),
        }
    }

    /// The size of the first axis, for Rust control flow: the number of elements of a vector, of rows of a matrix.
    ///
    /// # Panics
    /// If the tensor is a scalar; if the size isn't known while tracing (the graph function ends with an error).
    /// [`len_tensor`](Self::len_tensor) gives it when run, and [`size`](Self::size) gives the number of all elements.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3], [4, 5, 6]]).len(), 2);
    /// ```
    #[track_caller]
    pub fn len(&self) -> usize {
        if T::DTYPE == DType::Str && self.shape().rank() == Some(0) {
            trace::fail(Error::trace(
                "a string tensor of shape [] has no items; the number of bytes of each string is `string_length()`",
                Location::caller(),
            ));
        }
        self.dim(0)
    }

    /// Whether the size of the first axis is 0.
    ///
    /// # Panics
    /// As [`len`](Self::len).
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert!(zeros::<f32>(&[0, 3]).is_empty());
    /// ```
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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

    /// The number of elements as a scalar tensor, known when run. (`tf.size`)
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3]]).size().item(), 3);
    /// ```
    #[doc(alias("numel", "nelement", "elem_count"))]
    #[track_caller]
    pub fn size(&self) -> Tensor<i32> {
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
    /// If the tensor is a scalar.
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
