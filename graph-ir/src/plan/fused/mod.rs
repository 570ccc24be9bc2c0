//! Fused instructions: a chain of elementwise ops, perhaps with reductions of rows and a reduction of the last op's value. A chain
//! becomes a block program, which is built together with the plan. A product before the chain is part of the instruction if the
//! result can overwrite its values.

mod chain;
mod product;

use std::fmt;
use std::iter::once;
use std::sync::Arc;

use graph_kernels::{Array, KernelError, Operand, Packed, Program};
use smallvec::SmallVec;

use crate::error::{Error, Location};
use crate::graph::TensorType;
use crate::ops::{self, Attrs, OpDef};
pub(super) use chain::Chain;
use product::Product;

/// A chain of elementwise ops that is ready to run.
#[derive(Debug)]
pub struct Fused {
    /// The product before the chain; its two operands are the first two inputs of the instruction.
    product: Option<Product>,
    program: Arc<Program>,
    /// Inputs of which the program reads only a part, with the slice or row that it reads, or that it reads rolled.
    reads: Vec<Read>,
    /// The ops of the chain, to report which op failed.
    parts: Vec<ChainOp>,
    /// The ops whose values are the results: the last one, or the new values of several variables.
    results: SmallVec<[usize; 4]>,
    /// True if the result can overwrite an operand of its type: no value makes an op fail, and there is no reduction.
    overwrites: bool,
}

/// One op of a chain, the reduction included.
#[derive(Debug)]
pub struct ChainOp {
    /// The op.
    pub op: &'static OpDef,
    /// Its attributes.
    pub attrs: Attrs,
    /// Its operands: inputs of the chain, and values of ops before it.
    pub operands: SmallVec<[Operand; 3]>,
    /// The user's line.
    pub location: Location,
}

/// A part of an input, which the program reads without a copy.
#[derive(Debug)]
pub struct Read {
    /// The input.
    pub input: usize,
    /// The op that would copy the part.
    pub part: ChainOp,
}

impl Read {
    /// Whether further inputs say where: the positions of a row, or the shift of a rolled input.
    fn has_positions(&self) -> bool {
        *self.part.op != ops::STRIDED_SLICE
    }
}

/// How a chain is computed, for devices other than the CPU.
impl Fused {
    /// The product of the first two inputs, a matrix product or a convolution. Its value is the first input of the chain, whose others follow.
    pub fn product(&self) -> Option<&ChainOp> {
        self.product.as_ref().map(|product| &product.part)
    }

    /// The chain's program, behind the product if there is one.
    pub(super) fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// True if the chain has become machine code.
    pub fn has_code(&self) -> bool {
        self.program.has_code()
    }

    /// The inputs of which only a part is read.
    pub fn reads(&self) -> &[Read] {
        &self.reads
    }

    /// The ops of the chain, in order.
    pub fn parts(&self) -> &[ChainOp] {
        &self.parts
    }

    /// The ops whose values are the results, as positions in [`parts`](Self::parts): the last op, or in [`Updates`](super::Updates) one for each
    /// variable.
    pub fn results(&self) -> &[usize] {
        &self.results
    }
}

impl Fused {
    /// True if the chain can be calculated in place on `array`, which is the input that is `None`: no value makes it fail, and all other
    /// operands broadcast to the array's shape.
    pub(crate) fn works_in_place(&self, array: &Array, inputs: &[Option<&Array>]) -> bool {
        let fits = |x: &&Array| {
            let axes = x.shape().iter().rev().zip(array.shape().iter().rev());
            x.rank() <= array.rank() && axes.into_iter().all(|(n, m)| n == m || *n == 1)
        };
        self.overwrites
            && self.program.output() == array.dtype()
            && inputs.iter().flatten().all(fits)
    }

    /// Runs the chain. An input that is `None` is the value in `out`. The inputs are unchanged afterwards. `packed` is the second operand of the
    /// product, if that is a constant.
    ///
    /// # Errors
    /// If an op fails: its message and line.
    pub fn run(
        &self,
        inputs: &mut [Option<&Array>],
        packed: Option<&Packed>,
        out: &mut Array,
    ) -> Result<(), Error> {
        let result = match &self.product {
            None => self.program.run(inputs, out),
            Some(product) => product.run(&self.program, inputs, packed, out),
        };
        result.or_else(|error| self.one_by_one(&error, inputs, out))
    }

    /// Changes the arrays of several variables, where the chain was made for that. `inputs` are the operands behind them.
    ///
    /// # Errors
    /// If the shapes don't fit. Then nothing is changed.
    pub(crate) fn update(&self, arrays: &mut [&mut Array], inputs: &[&Array]) -> Result<(), Error> {
        let done = self.program.update(arrays, inputs);
        done.map_err(|error| {
            let location = self.parts.first().map(|part| part.location.clone());
            Error::run(
                error.to_string(),
                location.unwrap_or_else(Location::unknown),
            )
        })
    }

    /// Runs the chain op by op to find the op that failed. This is possible because the inputs are still unchanged. If a row has no memory,
    /// such as a list element that was never written, the block program fails and the ops by themselves may succeed: then their value is the result.
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
            Some(value) if self.reads.iter().any(Read::has_positions) => {
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

impl ChainOp {
    /// The value of this op, given the values of the steps before it.
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
