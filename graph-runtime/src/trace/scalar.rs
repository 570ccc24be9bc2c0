//! What must be one value for a program to go on: one check, one wording, with the line of the code that needs it.

use super::any::AnyTensor;
use super::apply::apply;
use crate::error::Location;
use crate::ops::{self, Attr, Attrs, OneValue};

/// The tensor as a scalar: a single value of higher rank is one, too, as in TensorFlow. More values, or none, are an error here if the
/// shape is known, else when the graph runs.
#[track_caller]
pub(crate) fn scalar(tensor: &AnyTensor, of: OneValue, location: &Location) -> AnyTensor {
    if tensor.shape().rank() == Some(0) {
        return tensor.clone();
    }
    let attrs = Attrs::new().with("of", Attr::Text(of.name().to_owned()));
    apply(&ops::ONE_VALUE, attrs, &[tensor], location.clone())
}
