//! Constants that products have as right operands, such as the weights of a model. The first of these products packs such a constant, and
//! the plan keeps it in that form beside the constant.

use std::ptr;
use std::sync::Arc;

use graph_kernels::{Array, Packed};
use rustc_hash::FxHashMap;

use super::{Instruction, Plan, Source};

/// For each constant, its packed form if a product has it as its right operand.
pub(super) fn packed_constants(
    instructions: &[Instruction],
    constants: &[Arc<Array>],
) -> Vec<Option<Arc<Packed>>> {
    let mut packed: Vec<Option<Arc<Packed>>> = constants.iter().map(|_| None).collect();
    for instruction in instructions {
        let inputs = match instruction {
            Instruction::Kernel { op, inputs, .. } if op.product.is_some() => inputs,
            Instruction::Fused { fused, inputs, .. } if fused.product().is_some() => inputs,
            _ => continue,
        };
        if let [_, Source::Constant(n), ..] = inputs[..] {
            let n = n as usize;
            packed[n] = Some(Arc::new(Packed::new(constants[n].clone())));
        }
    }
    packed
}

impl Plan {
    /// The right operand of a product with these operands, if it is a constant.
    pub(crate) fn packed_operand(&self, inputs: &[Source]) -> Option<&Packed> {
        match inputs {
            [_, Source::Constant(n), ..] => self.packed[*n as usize].as_deref(),
            _ => None,
        }
    }

    /// Shares the packed forms of constants that another plan has, too.
    pub(crate) fn share_packed(&mut self, other: &Plan) {
        let theirs = other.packed.iter().flatten();
        let theirs: FxHashMap<*const Array, &Arc<Packed>> = theirs
            .map(|packed| (ptr::from_ref(packed.array()), packed))
            .collect();
        for packed in self.packed.iter_mut().flatten() {
            if let Some(theirs) = theirs.get(&ptr::from_ref(packed.array())) {
                *packed = Arc::clone(theirs);
            }
        }
    }

    /// How many bytes the constants that are packed take in that form, besides the constants themselves.
    pub fn packed_bytes(&self) -> usize {
        self.packed
            .iter()
            .flatten()
            .map(|packed| packed.bytes())
            .sum()
    }
}
