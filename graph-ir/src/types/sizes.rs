//! Access to sizes of a shape in Rust code, which fails if a size doesn't exist or isn't known.

use std::ops::Index;
use std::sync::OnceLock;

use super::Shape;
use crate::error::{self, Error, Location};

/// The size of an axis, counted from 0, like `x.shape[0]` in TensorFlow.
///
/// # Panics
/// If the axis doesn't exist. While tracing, also if the size isn't known (the graph function ends with an error). [`Shape::get`] returns
/// `None` instead.
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
            None => self.no_size(isize::try_from(axis).unwrap_or(isize::MAX)),
        }
    }
}

impl Shape {
    /// The sizes of all axes.
    ///
    /// # Panics
    /// While tracing, if a size isn't known (the graph function ends with an error). [`Shape::to_known`] returns `None` instead, and
    /// `shape_tensor` gives the sizes at run time.
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
                "the sizes of a tensor of shape {self} are not known while tracing; `shape_tensor()` gives them when run{}",
                why(self)
            )),
        }
    }

    /// The size of the last axis; `None` for a scalar.
    ///
    /// # Panics
    /// While tracing, if the size isn't known (the graph function ends with an error).
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// assert_eq!(tensor([[1, 2, 3]]).shape().last(), Some(&3));
    /// ```
    #[track_caller]
    pub fn last(&self) -> Option<&usize> {
        match self.rank() {
            Some(rank) => Some(&self[rank.checked_sub(1)?]),
            None => self.no_size(-1),
        }
    }

    /// Ends the graph function, because Rust code asked for the size of an axis that doesn't exist or isn't known.
    #[track_caller]
    pub fn no_size(&self, axis: isize) -> ! {
        let behind = axis.unsigned_abs() + usize::from(axis >= 0);
        let open = self.rank().is_none_or(|rank| behind <= rank);
        unknown(if open {
            format!(
                "the size of axis {axis} of a tensor of shape {self} is not known while tracing; `shape_tensor()` gives it when run{}",
                why(self)
            )
        } else {
            format!("a tensor of shape {self} has no axis {axis}")
        })
    }
}

/// Set by [`explain_unknown_sizes_by`].
static EXPLAIN: OnceLock<fn(&Shape) -> Option<String>> = OnceLock::new();

/// Sets what ends a message about an unknown size: what made the size unknown. The crate that traces knows that, and calls this once.
pub fn explain_unknown_sizes_by(explain: fn(&Shape) -> Option<String>) {
    EXPLAIN.get_or_init(|| explain);
}

fn why(shape: &Shape) -> String {
    let explained = EXPLAIN.get().and_then(|explain| explain(shape));
    explained.unwrap_or_default()
}

/// Ends the graph function, because Rust code asked for a fact about the shape that isn't known.
#[track_caller]
fn unknown(message: String) -> ! {
    error::fail(Error::trace(message, Location::caller()))
}
