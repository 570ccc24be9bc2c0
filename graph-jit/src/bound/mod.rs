//! Machine code for bound loops over arrays: one function goes around the loop. It calculates the places of rows, exchanges and copies arrays, and
//! calls the code of chains, which the encoder of `chain` writes, and that of word programs.
//!
//! [`Parts`] are the functions that it calls, [`around`] makes the function by Cranelift, and [`code`] holds what is finished and calls it.

mod around;
mod check;
#[allow(unsafe_code, reason = "calls into machine code")]
mod code;

use graph_kernels::codegen::{LoopCode, LoopSource, LoopStep, MemoryTypes};
use graph_kernels::{BoundArray, DType};

use crate::Cranelift;
use crate::chain::{self, ChainFunction};

/// The most bytes that are copied by instructions of the loop itself; longer rows are left to the interpreter.
const COPIED: usize = 1 << 10;

/// The code of a loop; `None` if a step can't be compiled.
pub fn compile(cranelift: &Cranelift, source: &LoopSource) -> Option<Box<dyn LoopCode>> {
    let parts = check::fits(source).then(|| Parts::new(cranelift, source))??;
    let function = around::function(source, &parts, cranelift.isa.frontend_config())?;
    let code = code::Code::new(&*cranelift.isa, function, source, parts)?;
    Some(Box::new(code))
}

/// For each step, the function that it calls.
pub struct Parts {
    steps: Vec<Part>,
    /// The number of inputs of all chains that have one value for all elements. Each has a vector.
    vectors: usize,
}

pub enum Part {
    /// That of a chain, and its first vector.
    Chain(Box<ChainFunction>, usize),
    Words(Box<crate::code::Code>),
    /// A kernel, which gets its operands and its result as bytes.
    Function(Box<code::Called>),
    /// None: the step is written where it is.
    None,
}

impl Parts {
    fn new(cranelift: &Cranelift, source: &LoopSource) -> Option<Parts> {
        let mut vectors = 0;
        let part = |step: &LoopStep| match step {
            LoopStep::Chain(step) => {
                let function = chain::function(&step.source)?;
                let first = vectors;
                vectors += function.same().len();
                Some(Part::Chain(Box::new(function), first))
            }
            LoopStep::Words { program, .. } => {
                let code = cranelift.code(program, &MemoryTypes::default(), 0)?;
                Some(Part::Words(Box::new(code)))
            }
            LoopStep::Write { list, len, .. } => {
                let (dtype, _) = *source.changing.get(*list)?;
                (len * dtype.bytes() <= COPIED).then_some(Part::None)
            }
            LoopStep::Copy { to, .. } => {
                let (dtype, len) = *source.changing.get(*to)?;
                (len * dtype.bytes() <= COPIED).then_some(Part::None)
            }
            LoopStep::Row { from, to } => {
                let (dtype, _) = *source.changing.get(*to)?;
                let bytes = from.row.as_ref()?.len * dtype.bytes();
                (bytes <= COPIED).then_some(Part::None)
            }
            LoopStep::Function {
                function,
                operands,
                to,
            } => {
                let bytes = |array: BoundArray, len: usize| {
                    let (dtype, _) = self::array(source, array)?;
                    len.checked_mul(dtype.bytes())
                };
                let (_, len) = *source.changing.get(*to)?;
                let operands = operands.iter().map(|(input, len)| bytes(input.array, *len));
                let called = code::Called {
                    function: function.clone(),
                    operands: operands.collect::<Option<_>>()?,
                    result: bytes(BoundArray::Changing(*to), len)?,
                };
                (called.operands.len() <= chain::POINTERS).then(|| Part::Function(Box::new(called)))
            }
            LoopStep::Leave(_) | LoopStep::Swap(..) => Some(Part::None),
        };
        let steps = source.steps.iter().map(part).collect::<Option<_>>()?;
        Some(Parts { steps, vectors })
    }
}

/// The dtype of an array, and the number of its values.
fn array(source: &LoopSource, array: BoundArray) -> Option<(DType, usize)> {
    match array {
        BoundArray::Fixed(n) => source.fixed.get(n).copied(),
        BoundArray::Changing(n) => source.changing.get(n).copied(),
    }
}

/// The place of an array in the table: those that stay the same come first.
fn place(source: &LoopSource, array: BoundArray) -> usize {
    match array {
        BoundArray::Fixed(n) => n,
        BoundArray::Changing(n) => source.fixed.len() + n,
    }
}
