//! A dataset as an argument of a graph function.

use super::dataset::{Dataset, Operand};
use crate::autodiff;
use crate::error::Location;
use crate::function::{Argument, Sequence, Signature};

/// As an argument, a dataset is identified by the text of its recipe and the types of its tensors: a function has one trace for all
/// datasets that differ only in their tensors' values.
impl<T> Argument for Dataset<T> {
    fn trace_type(&self, signature: &mut Signature) {
        signature.sequence(Sequence::Tuple, 1 + self.operands.len());
        signature.text(&self.recipe.to_string());
        for operand in &self.operands {
            match operand {
                Operand::Tensor(tensor) => signature.tensor(tensor),
                Operand::Seed(stream) => signature.by_value(stream),
            }
        }
    }

    fn set_apart(&mut self, location: &Location) {
        for operand in &mut self.operands {
            if let Operand::Tensor(tensor) = operand {
                autodiff::set_apart(tensor, location);
            }
        }
    }
}
