//! Plans that are a single word program, from scalars and small tensors to scalars and small tensors. They need no frame, since nothing is kept between
//! runs; each result is one allocation, an array with its value inside.

use std::cell::RefCell;

use graph_kernels::{Array, REGISTERS, Registers};

use super::frame::host_array;
use crate::denormals::denormals_are_flushed;
use crate::device::{Outputs, Storage};
use crate::error::Error;
use crate::plan::{Plan, Slot, Source, Words};

thread_local! {
    /// A word program may start with any values in its registers, and never starts another program, so a thread needs only one set.
    static REGISTERS_HERE: RefCell<Registers> = const { RefCell::new([0; REGISTERS]) };
}

/// Runs a plan that consists of this word program.
pub(super) fn run(
    plan: &Plan,
    words: &Words,
    inputs: &[&Storage],
    outputs: &mut Outputs,
) -> Result<(), Error> {
    REGISTERS_HERE.with_borrow_mut(|registers| {
        let get = |source| -> &Array {
            match source {
                Source::Input(i) => host_array(inputs[i as usize]),
                Source::Constant(i) => &plan.constants[i as usize],
                Source::Computed(_) => unreachable!("nothing was written before"),
            }
        };
        words.run::<false>(registers, get, &mut [])?;
        let flush = denormals_are_flushed();
        for source in &plan.outputs {
            let mut given = plan.outputs[..outputs.len()].iter();
            let output = match (given.position(|s| s == source), *source) {
                (Some(position), _) => outputs[position].clone(),
                (None, Source::Input(i)) => inputs[i as usize].clone(),
                (None, Source::Constant(i)) => plan.constants[i as usize].clone().into(),
                (None, Source::Computed(slot)) => result(words, slot, registers, flush).into(),
            };
            outputs.push(output);
        }
        Ok(())
    })
}

/// A value that the program has written.
fn result(words: &Words, slot: Slot, registers: &Registers, flush_denormals: bool) -> Array {
    let result = words.result(slot, registers);
    let mut array = result.expect("the plan gives what it writes");
    if flush_denormals {
        array.flush_denormals();
    }
    array
}
