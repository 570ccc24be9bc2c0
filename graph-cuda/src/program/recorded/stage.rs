//! The stage of a program: memory at fixed addresses, to which inputs are copied and from which recordings read them. It is for inputs that have other
//! addresses in each call, such as the batches of a training, and for numbers that the host knows and that change.

use std::sync::Arc;

use crate::driver::{Buffer, Failed};
use crate::value::{Tensor, Value};

/// The most bytes that are copied. Copying more would take longer than launching the kernels one by one.
const MOST_BYTES: usize = 16 << 20;

/// Copies of a program's inputs.
pub(super) struct Stage {
    /// The copies, which only the GPU knows.
    pub inputs: Vec<Tensor>,
}

impl Stage {
    /// A stage for inputs of these types; `None` if they are too large.
    ///
    /// # Errors
    /// If the GPU has too little memory.
    pub fn of(inputs: &[Tensor]) -> Result<Option<Stage>, Failed> {
        let bytes = inputs
            .iter()
            .map(|input| input.count() * input.dtype.bytes());
        if bytes.fold(0, usize::saturating_add) > MOST_BYTES {
            return Ok(None);
        }
        let copy = |input: &Tensor| {
            let bytes = input.count() * input.dtype.bytes();
            let buffer = Arc::new(Buffer::new(input.gpu(), bytes)?);
            Ok(Value::computed(input.dtype, &input.shape, buffer))
        };
        let inputs = inputs.iter().map(copy).collect::<Result<_, Failed>>()?;
        Ok(Some(Stage { inputs }))
    }

    /// Whether the copies have the types of some inputs.
    pub fn fits(&self, inputs: &[Tensor]) -> bool {
        let pairs = self.inputs.iter().zip(inputs);
        let mut same = pairs.map(|(a, b)| a.dtype == b.dtype && a.shape == b.shape);
        same.all(|same| same)
    }

    /// Queues the copies of inputs.
    ///
    /// # Errors
    /// If the driver refuses.
    pub fn fill(&self, inputs: &[Tensor]) -> Result<(), Failed> {
        for (copy, input) in self.inputs.iter().zip(inputs) {
            match input.known().and_then(|array| array.bytes()) {
                Some(bytes) => copy.buffer()?.write(bytes)?,
                None => copy.buffer()?.copy_from(input.buffer()?)?,
            }
        }
        Ok(())
    }
}
