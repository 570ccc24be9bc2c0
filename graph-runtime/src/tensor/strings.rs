//! Tensors of strings. (`+` joins them pairwise; `cast` turns numbers into strings and back.)

use super::{AsOperand, Tensor, apply_all};
use crate::ops::{self, Attr, Attrs};

impl<S> Tensor<String, S> {
    /// The number of bytes of each string; keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor(["a", "bcd"]).string_length().to_vec(), [1, 3]);
    /// ```
    #[track_caller]
    pub fn string_length(&self) -> Tensor<i32, S> {
        self.unary(&ops::STRING_LENGTH, Attrs::default())
    }
}

/// Joins strings elementwise with a separator between them. The parts have one shape, or are scalars.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let name: Tensor<String> = tensor(["x", "y"]);
/// let part: Tensor<String> = tensor("weight");
/// assert_eq!(string_join([&name, &part], "/").to_vec(), ["x/weight", "y/weight"]);
/// ```
#[track_caller]
pub fn string_join(
    parts: impl IntoIterator<Item: AsOperand<String>>,
    separator: &str,
) -> Tensor<String> {
    let attrs = Attrs::new().with("separator", Attr::Text(separator.to_string()));
    apply_all(&ops::STRING_JOIN, attrs, parts)
}
