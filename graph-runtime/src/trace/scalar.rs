//! The check that a tensor is one value, with the location of the code that needs a scalar.

use super::any::AnyTensor;
use super::apply::apply;
use crate::error::Location;
use crate::ops::{self, Attr, Attrs, OneValue};

/// The tensor as a scalar. A single value of higher rank is accepted, as in TensorFlow. Any other number of values is an error: now
/// if the shape is known, else when the graph runs.
#[track_caller]
pub(crate) fn scalar(tensor: &AnyTensor, of: OneValue, location: &Location) -> AnyTensor {
    if tensor.shape().rank() == Some(0) {
        return tensor.clone();
    }
    let attrs = Attrs::new().with("of", Attr::Text(of.name().to_owned()));
    apply(&ops::ONE_VALUE, attrs, &[tensor], location.clone())
}
