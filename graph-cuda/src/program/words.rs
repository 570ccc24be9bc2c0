//! Word programs in a run: loops over scalars and small tensors. Where the host knows all operands, the CPU runs the program; else it is one kernel.

use graph_ir::error::Error;
use graph_ir::plan::{WordOutput, Words};
use graph_kernels::{Array, DType, Register};

use super::run::{Problem, Results};
use crate::kernels::{Given, Kernels, WordArray, WordKernel};
use crate::value::{Tensor, Value};

/// Queues a word program; its results, in the order of [`Words::outputs`].
///
/// # Errors
/// If the driver fails, or if the CPU runs the program and a step fails.
pub fn queue(kernels: &Kernels, words: &Words, operands: &[Tensor]) -> Result<Results, Problem> {
    let is_known = operands.iter().all(|operand| operand.known().is_some());
    if !is_known && let Some(results) = on_gpu(kernels, words, operands)? {
        return Ok(results);
    }
    let arrays = on_cpu(words, operands).map_err(Problem::Error)?;
    let values = arrays
        .into_iter()
        .map(|array| Value::of_host(kernels.gpu(), array.into()));
    Ok(values.collect::<Result<_, _>>()?)
}

/// Runs a word program on the CPU.
///
/// # Errors
/// If a step fails.
pub fn on_cpu(words: &Words, operands: &[Tensor]) -> Result<Vec<Array>, Error> {
    let arrays: Result<Vec<_>, Error> = operands.iter().map(|x| x.fetch()).collect();
    let arrays = arrays?;
    let arrays: Vec<&Array> = arrays.iter().map(|array| &**array).collect();
    words.run_on(&arrays)
}

/// Queues a word program as a kernel; `None` if there is none.
fn on_gpu(
    kernels: &Kernels,
    words: &Words,
    operands: &[Tensor],
) -> Result<Option<Results>, Problem> {
    let Some(source) = words.source() else {
        return Ok(None);
    };
    let mut loaded: Vec<(Register, DType, Given<'_>)> = Vec::new();
    for ((element, register), operand) in words.loaded().zip(operands) {
        if element >= operand.count() {
            // The CPU says which value is wrong.
            return Ok(None);
        }
        let known = operand.known().and_then(|array| array.word_at(element));
        let from = match known {
            Some(bits) => Given::Value(bits),
            None => Given::Element(operand.buffer()?, element),
        };
        loaded.push((register, operand.dtype, from));
    }
    let mut arrays = Vec::new();
    for operand in &operands[loaded.len()..] {
        let [len, each @ ..] = &operand.shape[..] else {
            return Ok(None);
        };
        arrays.push(WordArray {
            buffer: operand.buffer()?,
            dtype: operand.dtype,
            len: *len,
            each: each.iter().product(),
        });
    }
    let outputs = words.outputs();
    let registers = |output: &WordOutput| (output.dtype, output.registers.to_vec());
    let stored = outputs.iter().map(registers).collect();
    let kernel = WordKernel::new(source, &loaded, &arrays, stored);
    if !kernels.can_run(&kernel) {
        return Ok(None);
    }
    let results: Result<Results, Problem> = outputs
        .iter()
        .map(|output| {
            let room = kernels.room(output.dtype, &output.shape)?;
            Ok(Value::computed(output.dtype, &output.shape, room))
        })
        .collect();
    let results = results?;
    let buffers: Result<Vec<_>, _> = results.iter().map(|value| value.buffer()).collect();
    let buffers: Vec<_> = buffers?.into_iter().map(|buffer| &**buffer).collect();
    kernels.words(&kernel, &loaded, &arrays, &buffers)?;
    Ok(Some(results))
}
