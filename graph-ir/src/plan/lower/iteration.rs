//! Lowers iterations over datasets. Each node that begins an iteration has its own number, under which a run stores the iteration.

use super::Lowering;
use crate::error::Location;
use crate::graph::{IterationStep, TensorType};
use crate::plan::{Instruction, Register, Source};

impl Lowering {
    /// Appends a step of an iteration, which returns values of these types.
    pub(super) fn iteration<'a>(
        &mut self,
        step: &IterationStep,
        inputs: &[Source<Register>],
        types: impl Iterator<Item = &'a TensorType>,
        at: &Location,
    ) -> Vec<Source<Register>> {
        let outputs: Vec<(Register, TensorType)> =
            types.map(|ty| (self.register(ty), ty.clone())).collect();
        let slots = outputs
            .iter()
            .map(|(slot, _)| Source::Computed(*slot))
            .collect();
        let instruction = match step {
            IterationStep::Begin(recipe) => {
                let number = self.code.iterations;
                self.code.iterations += 1;
                Instruction::Begin {
                    recipe: recipe.clone(),
                    inputs: inputs.to_vec(),
                    number,
                    output: outputs[0].0,
                }
            }
            IterationStep::HasElement => Instruction::HasElement {
                iteration: inputs[0],
                output: outputs[0].0,
            },
            IterationStep::TakeElement => Instruction::TakeElement {
                iteration: inputs[0],
                outputs,
            },
        };
        self.emit(instruction, at);
        slots
    }
}
