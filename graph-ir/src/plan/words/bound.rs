//! A word program as a step of a bound loop.

use graph_kernels::{BoundArray, BoundStep, BoundWords, Dims, WrittenWords};

use super::Words;
use crate::plan::{Slot, Source, Target};

impl Words {
    /// The step, if there is one: the program writes no lists, the arrays that it reads by positions stay the same, and it may only leave the loop,
    /// to the instruction `end`. `array` and `changing` give the arrays of a source and of a written slot.
    pub(in crate::plan) fn bound(
        &self,
        array: impl Fn(Source) -> BoundArray,
        changing: impl Fn(Slot) -> usize,
        end: Target,
    ) -> Option<BoundStep> {
        let leaves = self.exit.is_none_or(|(_, target)| target == end);
        if !self.lists.is_empty() || !leaves {
            return None;
        }
        let inputs = self.inputs.iter();
        let arrays = self.arrays.iter().map(|source| match array(*source) {
            BoundArray::Fixed(n) => Some(n),
            BoundArray::Changing(_) => None,
        });
        let scalars = self
            .outputs
            .iter()
            .map(|(slot, register, dtype)| WrittenWords {
                to: changing(*slot),
                dtype: *dtype,
                shape: Dims::new(),
                registers: [*register].into_iter().collect(),
            });
        let tensors = self.tensors.iter().map(|tensor| WrittenWords {
            to: changing(tensor.place),
            dtype: tensor.dtype,
            shape: Dims::from_slice(&tensor.shape),
            registers: tensor.registers.clone(),
        });
        Some(BoundStep::Words(BoundWords {
            program: self.program.clone(),
            inputs: inputs
                .map(|(source, element, register)| (array(*source), *element, *register))
                .collect(),
            arrays: arrays.collect::<Option<_>>()?,
            outputs: scalars.chain(tensors).collect(),
            leaves_unless: self.exit.map(|(register, _)| register),
        }))
    }
}
