//! Shapes and element types, asked for: as Rust values, which Rust control flow can use, or as tensors, which are known when the graph runs.

use std::ops::Index;

use graph_kernels::{DType, Element};

use super::Tensor;
use crate::error::{Error, Location};
use crate::graph::Shape;
use crate::ops::{self, Attrs};
use crate::trace;

/// What is known of the shape: exact for a concrete tensor, what tracing could tell for a symbolic one.
impl<T: Element, S> Tensor<T, S> {
    /// What is known of the shape: `shape()[0]` is the size of the first axis, and `shape() == [2, 3]` says that the shape is known and
    /// is that. What a trace leaves open is an error if Rust code asks for it; [`Shape::get`] gives `None` there.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3]]);
    /// assert_eq!(x.shape(), [1, 3]);
    /// assert_eq!(x.shape()[1], 3);
    /// assert_eq!(x.shape().to_string(), "[1,3]");
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
        let (shape, rank) = (self.shape(), self.rank());
        let position = if axis < 0 {
            axis.checked_add_unsigned(rank)
        } else {
            Some(axis)
        };
        match position.and_then(|i| shape.known_axis(usize::try_from(i).ok()?)) {
            Some(size) => *size,
            None => no_size(&shape, axis),
        }
    }

    /// The size of the first axis, for Rust control flow: the number of items of a vector, of rows of a matrix.
    ///
    /// # Panics
    /// Of a scalar; while tracing, if the size isn't known (it ends the graph function with an error).
    /// [`len_tensor`](Self::len_tensor) is known when run, and so is [`size`](Self::size), the number of all elements.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2, 3], [4, 5, 6]]).len(), 2);
    /// ```
    #[track_caller]
    pub fn len(&self) -> usize {
        if T::DTYPE == DType::Str && self.shape().rank() == Some(0) {
            unknown("a string tensor of shape [] has no items; the number of bytes of each string is `string_length()`".into());
        }
        self.dim(0)
    }

    /// Whether there are no items along the first axis.
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

/// The size along an axis, counted from 0, as `x.shape[0]` in TensorFlow.
///
/// # Panics
/// If there is no such axis; while tracing, if the size isn't known (it ends the graph function with an error). [`Shape::get`] gives `None`
/// there.
///
/// ```
/// # use graph_runtime::prelude::*;
/// #[graph_fn]
/// fn mean(x: Tensor<f32>) -> Tensor<f32> {
///     let n = x.shape()[0];
///     x.sum_axis(0) / n as f32
/// }
/// assert_eq!(mean(tensor([[1.0, 2.0], [3.0, 4.0]])).to_vec(), [2.0, 3.0]);
/// ```
impl Index<usize> for Shape {
    type Output = usize;

    #[track_caller]
    fn index(&self, axis: usize) -> &usize {
        match self.known_axis(axis) {
            Some(size) => size,
            None => no_size(self, isize::try_from(axis).unwrap_or(isize::MAX)),
        }
    }
}

impl Shape {
    /// The sizes of all axes.
    ///
    /// # Panics
    /// While tracing, if one isn't known (it ends the graph function with an error). [`Shape::to_known`] gives `None` there, and
    /// [`shape_tensor`](Tensor::shape_tensor) is known when run.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// let x = tensor([[1, 2, 3]]);
    /// assert_eq!(x.shape().to_vec(), [1, 3]);
    /// assert_eq!(zeros::<f32>(x.shape()).shape(), [1, 3]);
    /// ```
    #[track_caller]
    pub fn to_vec(&self) -> Vec<usize> {
        match self.rank() {
            Some(rank) => (0..rank).map(|axis| self[axis]).collect(),
            None => unknown(format!(
                "the sizes of a tensor of shape {self} are not known while tracing; `shape_tensor()` gives them when run"
            )),
        }
    }

    /// The size of the last axis; `None` of a scalar.
    ///
    /// # Panics
    /// While tracing, if it isn't known (it ends the graph function with an error).
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// assert_eq!(tensor([[1, 2, 3]]).shape().last(), Some(&3));
    /// ```
    #[track_caller]
    pub fn last(&self) -> Option<&usize> {
        match self.rank() {
            Some(rank) => Some(&self[rank.checked_sub(1)?]),
            None => no_size(self, -1),
        }
    }
}

/// Ends the graph function: Rust code asked for the size of an axis that there isn't, or that isn't known.
#[track_caller]
fn no_size(shape: &Shape, axis: isize) -> ! {
    let behind = axis.unsigned_abs() + usize::from(axis >= 0);
    let open = shape.rank().is_none_or(|rank| behind <= rank);
    unknown(if open {
        format!(
            "the size of axis {axis} of a tensor of shape {shape} is not known while tracing; `shape_tensor()` gives it when run"
        )
    } else {
        format!("a tensor of shape {shape} has no axis {axis}")
    })
}

/// Ends the graph function: Rust code asked for a fact of the shape that doesn't exist.
#[track_caller]
fn unknown(message: String) -> ! {
    trace::fail(Error::trace(message, Location::caller()))
}
