//! Conversion between `ndarray` arrays and tensors, with the feature `ndarray`.

use graph_kernels::{Array, Element};
use ndarray::{ArrayD, ArrayView, Dimension, IxDyn};

use super::{IntoTensor, tensor, typed};
use crate::tensor::Tensor;

values! {
    [T: Element, D: Dimension] ndarray::Array<T, D> => T: |array| array.view().into_array();
    ['a, T: Element, D: Dimension] &'a ndarray::Array<T, D> => T: |array| array.view().into_array();
    ['a, T: Element, D: Dimension] ArrayView<'a, T, D> => T: |array| {
        match array.as_slice() {
            Some(values) => Array::copy_of(array.shape(), values),
            None => Array::new(array.shape(), array.iter().cloned().collect()),
        }
    };
}

impl<T: Element, S> Tensor<T, S> {
    /// The values as an `ndarray` array of the same shape. Needs the feature `ndarray`.
    ///
    /// # Panics
    /// If the tensor is symbolic, while tracing: the graph function ends with an error.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).to_ndarray()[[1, 0]], 3);
    /// ```
    #[track_caller]
    pub fn to_ndarray(&self) -> ArrayD<T> {
        let array = self.array();
        ArrayD::from_shape_vec(IxDyn(array.shape()), typed(&array).to_vec())
            .expect("an array has as many values as its shape says")
    }
}
