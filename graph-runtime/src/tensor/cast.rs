//! Conversion of the element type.

use graph_kernels::Element;

use super::Tensor;
use crate::ops::{self, Attr, Attrs};

impl<T: Element, S> Tensor<T, S> {
    /// The elements converted to `U`; keeps the shape. Numbers are converted as by Rust's `as`: a float becomes an integer by truncation
    /// towards zero, values out of range become the nearest integer of the type, and NaN becomes 0; an integer that is too wide keeps its
    /// low bits. A number becomes `true` if it isn't zero (NaN becomes `true`, too). Every type converts to a string, and strings are
    /// parsed.
    ///
    /// # Errors
    /// When run, if a string isn't a number.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.9, -1.9]).cast::<i32>().to_vec(), [1, -1]);
    /// assert_eq!(tensor([f32::NAN, f32::INFINITY, -1e20]).cast::<i32>().to_vec(), [0, i32::MAX, i32::MIN]);
    /// assert_eq!(tensor([300, -1]).cast::<u8>().to_vec(), [44, 255]);
    /// ```
    #[doc(alias("astype", "to_dtype", "convert_element_type", "double", "long", "half"))]
    #[track_caller]
    pub fn cast<U: Element>(&self) -> Tensor<U, S> {
        self.unary(
            &ops::CAST,
            Attrs::new().with("dtype", Attr::DType(U::DTYPE)),
        )
    }
}
