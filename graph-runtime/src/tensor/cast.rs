//! Conversion of the element type.

use graph_kernels::Element;

use super::Tensor;
use crate::ops::{self, Attr, Attrs};

impl<T: Element, S> Tensor<T, S> {
    /// The elements converted to `U`; keeps the shape. Numbers become each other as with Rust's `as`:
    /// floats truncate towards zero on their way to integers, what is too large or too small becomes the nearest integer there is, and NaN
    /// 0; integers keep the bits that there is place for. Numbers become `true` where they aren't zero, NaN too; everything becomes a
    /// string, and strings are parsed.
    ///
    /// # Errors
    /// When run, a string that isn't a number.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1.9, -1.9]).cast::<i32>().to_vec(), [1, -1]);
    /// assert_eq!(tensor([f32::NAN, f32::INFINITY, -1e20]).cast::<i32>().to_vec(), [0, i32::MAX, i32::MIN]);
    /// assert_eq!(tensor([300, -1]).cast::<u8>().to_vec(), [44, 255]);
    /// ```
    #[track_caller]
    pub fn cast<U: Element>(&self) -> Tensor<U, S> {
        self.unary(
            &ops::CAST,
            Attrs::new().with("dtype", Attr::DType(U::DTYPE)),
        )
    }
}
