//! What a device needs that makes a kernel of a word program: the steps, and where its inputs and outputs are.

use std::sync::Arc;

use graph_kernels::codegen::WordSource;
use graph_kernels::{Array, DType, REGISTERS, Register};
use smallvec::SmallVec;

use super::Words;
use crate::error::{Error, Location};
use crate::plan::{Slot, Source};

/// A value that a word program writes.
#[derive(Clone, Debug)]
pub struct WordOutput {
    /// The slot that holds it.
    pub slot: Slot,
    /// Its dtype.
    pub dtype: DType,
    /// Its shape.
    pub shape: SmallVec<[usize; 4]>,
    /// The registers of its elements, row-major.
    pub registers: SmallVec<[Register; 4]>,
}

impl Words {
    /// The operands: first those from which values are loaded into registers before the first step, then the arrays that steps read.
    pub fn operands(&self) -> Vec<Source> {
        self.sources().collect()
    }

    /// For each operand that is loaded before the first step, the number of the element that is read, row-major, and the register that it is
    /// loaded into.
    pub fn loaded(&self) -> impl Iterator<Item = (usize, Register)> {
        let inputs = self.inputs.iter();
        inputs.map(|(_, element, register)| (element.unwrap_or(0), *register))
    }

    /// The steps; `None` if they weren't kept.
    pub fn source(&self) -> Option<&Arc<WordSource>> {
        self.program.source()
    }

    /// What the program writes.
    pub fn outputs(&self) -> Vec<WordOutput> {
        let scalars = self
            .outputs
            .iter()
            .map(|(slot, register, dtype)| WordOutput {
                slot: *slot,
                dtype: *dtype,
                shape: SmallVec::new(),
                registers: SmallVec::from_elem(*register, 1),
            });
        let tensors = self.tensors.iter().map(|tensor| WordOutput {
            slot: tensor.place,
            dtype: tensor.dtype,
            shape: tensor.shape.clone(),
            registers: tensor.registers.clone(),
        });
        scalars.chain(tensors).collect()
    }

    /// Runs a program without lists on the CPU; the results, in the order of [`outputs`](Self::outputs). `operands` are those of
    /// [`operands`](Self::operands).
    ///
    /// # Errors
    /// If a step fails.
    pub fn run_on(&self, operands: &[&Array]) -> Result<Vec<Array>, Error> {
        let sources = self.operands();
        let missing = Array::default();
        let get = |source: Source| {
            let position = sources.iter().position(|other| *other == source);
            position
                .and_then(|position| operands.get(position).copied())
                .unwrap_or(&missing)
        };
        let mut registers = [0; REGISTERS];
        self.run::<false>(&mut registers, get, &mut [])?;
        let outputs = self.outputs().into_iter();
        let results = outputs.map(|output| {
            let words = output.registers.iter();
            let words = words.map(|register| registers[usize::from(*register)]);
            let mut array = Array::default();
            array
                .set_words(output.dtype, &output.shape, words)
                .map_err(|error| Error::run(error.to_string(), Location::unknown()))?;
            Ok(array)
        });
        results.collect()
    }
}
