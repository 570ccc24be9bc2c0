//! Conversion of the element type.

use graph_kernels::Element;

use super::Tensor;
use crate::ops::{self, Attr, Attrs};

impl<T: Element, S> Tensor<T, S> {
    /// The elements converted to `U`; keeps the shape. Floats truncate towards zero on their way to integers, numbers become
    /// `true` where they aren't zero, everything becomes a string, and strings are parsed.
    ///
    /// # Errors
    /// When run, a string that isn't a number.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.9, -1.9]).cast::<i32>().to_vec(), [1, -1]);
    /// ```
    #[track_caller]
    pub fn cast<U: Element>(&self) -> Tensor<U, S> {
        self.unary(
            &ops::CAST,
            Attrs::new().with("dtype", Attr::DType(U::DTYPE)),
        )
    }
}
