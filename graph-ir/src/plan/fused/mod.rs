//! Fused instructions: elementwise ops, one or a chain of them, and perhaps reductions of rows or one of the last op's values, as
//! a block program that is built when the plan is. A product of matrices before the chain is part of the instruction if its
//! values can be overwritten by the result.

mod chain;
mod product;

use std::fmt;
use std::iter::once;

use graph_kernels::{Array, KernelError, Operand, Program};
use smallvec::SmallVec;

use crate::error::{Error, Location};
use crate::graph::TensorType;
use crate::ops::{self, Attrs, OpDef};
pub(super) use chain::Chain;
use product::Product;

/// A chain of elementwise ops made ready to run.
#[derive(Debug)]
pub struct Fused {
    /// What the chain follows on; its two operands come before those of the chain.
    product: Option<Product>,
    program: Program,
    /// The inputs of the program of which it reads a part, with the slices and rows that are these parts.
    reads: Vec<Read>,
    /// The ops of the chain, to say which one failed.
    parts: Vec<Part>,
    /// True if the result can be written over an operand of its type: no value makes an op fail, and nothing is reduced.
    overwrites: bool,
}

/// One op of a chain, the reduction included.
#[derive(Debug)]
struct Part {
    op: &'static OpDef,
    attrs: Attrs,
    operands: SmallVec<[Operand; 3]>,
    location: Location,
}

/// A part of an input, which is read where it is.
#[derive(Debug)]
struct Read {
    input: usize,
    /// The op that would take it.
    part: Part,
}

impl Read {
    fn is_row(&self) -> bool {
        *self.part.op != ops::STRIDED_SLICE
    }
}

impl Fused {
    /// True if the chain can be written over the array, which is an input that is `None`: it doesn't fail for any value, and
    /// all operands broadcast to the array's shape.
    pub(crate) fn works_in_place(&self, array: &Array, inputs: &[Option<&Array>]) -> bool {
        let fits = |x: &&Array| {
            let axes = x.shape().iter().rev().zip(array.shape().iter().rev());
            x.rank() <= array.rank() && axes.into_iter().all(|(n, m)| n == m || *n == 1)
        };
        self.overwrites
            && self.program.output() == array.dtype()
            && inputs.iter().flatten().all(fits)
    }

    /// Runs the chain; an input that is `None` is what `out` holds. The inputs are as they were afterwards.
    pub(crate) fn run(&self, inputs: &mut [Option<&Array>], out: &mut Array) -> Result<(), Error> {
        let result = match &self.product {
            None => self.program.run(inputs, out),
            Some(product) => product.run(&self.program, inputs, out),
        };
        result.or_else(|error| self.one_by_one(&error, inputs, out))
    }

    /// Runs the chain op by op, for the error of the one that failed: what it failed for, a shape or a value of an input, is still
    /// there. Where a row was to be read that stands nowhere, such as one of a list in which nothing was written, none of them may fail.
    #[cold]
    fn one_by_one(
        &self,
        error: &KernelError,
        inputs: &[Option<&Array>],
        out: &mut Array,
    ) -> Result<(), Error> {
        let result = match &self.product {
            None => self.run_parts(inputs, out),
            Some(product) => {
                let value = product.part.run(inputs, &[], out);
                value.and_then(|value| {
                    let chain: SmallVec<[_; 8]> = once(Some(&value))
                        .chain(inputs[2..].iter().copied())
                        .collect();
                    self.run_parts(&chain, out)
                })
            }
        };
        match result? {
            Some(value) if self.reads.iter().any(Read::is_row) => {
                *out = value;
                Ok(())
            }
            _ => {
                let location = self.parts.first().map(|part| part.location.clone());
                let location = location.unwrap_or_else(Location::unknown);
                Err(Error::run(error.to_string(), location))
            }
        }
    }

    /// The value of the last op.
    fn run_parts(&self, inputs: &[Option<&Array>], out: &Array) -> Result<Option<Array>, Error> {
        let read = |read: &Read| read.part.run(inputs, &[], out);
        let reads = self.reads.iter().map(read);
        let reads: Vec<Array> = reads.collect::<Result<_, Error>>()?;
        let mut inputs: SmallVec<[Option<&Array>; 8]> = inputs.into();
        for (read, value) in self.reads.iter().zip(&reads) {
            inputs[read.input] = Some(value);
        }
        let mut values: Vec<Array> = Vec::new();
        for part in &self.parts {
            values.push(part.run(&inputs, &values, out)?);
        }
        Ok(values.pop())
    }
}

impl Part {
    /// The value of the op alone, after those of the steps before it.
    fn run(&self, inputs: &[Option<&Array>], steps: &[Array], out: &Array) -> Result<Array, Error> {
        let operand = |operand: &Operand| match *operand {
            Operand::Input(n) => inputs[n].unwrap_or(out),
            Operand::Step(n) => &steps[n],
        };
        let operands: SmallVec<[&Array; 3]> = self.operands.iter().map(operand).collect();
        let mut value = Array::default();
        let result = (self.op.kernel)(&operands, &self.attrs, &mut value);
        result.map_err(|error| {
            let types = operands.iter().map(|array| TensorType::of_array(array));
            Error::run(self.op.failure(&error, types), self.location.clone())
        })?;
        Ok(value)
    }
}

impl fmt::Display for Fused {
    /// The names of the ops: `mul+add`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let product = self.product.iter().map(|product| &product.part);
        let reads = self.reads.iter().map(|read| &read.part);
        let names: Vec<&str> = product
            .chain(reads)
            .chain(&self.parts)
            .map(|part| part.op.name)
            .collect();
        f.write_str(&names.join("+"))
    }
}
