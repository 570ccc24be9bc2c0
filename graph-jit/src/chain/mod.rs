//! Machine code for chains of elementwise functions: one loop over vectors, in which all values between the inputs and the results are in
//! registers. It is for AVX2 with FMA. A CPU with AVX-512 runs it with the same bits; but its kernels have vectors of twice the size, so
//! chains of long formulas stay with these.
//!
//! Cranelift has no vectors of 256 bits, so the instructions are encoded by `iced-x86`, of which only the encoder is built (one crate, some
//! five seconds; an assembler with macros takes thrice that, and names registers when it is compiled and not when it runs). [`instructions`] says which
//! instruction a step is, [`choose`] which steps need one, [`registers`] where its operands are, [`body`] puts both together with [`assembler`], and [`code`] holds what is finished and calls it.
//!
//! Steps that the CPU has no instruction for, and chains that mix sizes of numbers, stay with the interpreter.

mod assembler;
mod body;
mod choose;
#[allow(unsafe_code, reason = "calls into machine code")]
mod code;
mod instructions;
mod registers;

use graph_kernels::DType;
use graph_kernels::codegen::{ChainCode, ChainInput, ChainSource, LaneOp, LaneProgram, LaneType};
use graph_kernels::simd::{Level, level};

/// The bytes of a vector.
const VECTOR: usize = 32;

/// The most inputs and results that aren't the same value at all places: as many pointers fit into registers.
const POINTERS: usize = 11;

/// With AVX-512, chains with more steps for each function, on average, aren't compiled. Arithmetic has one or two, an exponential thirty.
const LONG: usize = 4;

/// The code of a chain; `None` if it can't be compiled, or doesn't pay at this thread's level.
pub fn compile(source: &ChainSource) -> Option<Box<dyn ChainCode>> {
    let pays = match level() {
        Level::Avx512 => source.program.steps.len() <= LONG * source.functions,
        level => level == Level::Avx2,
    };
    let size = lane_bytes(&source.program).filter(|_| pays)?;
    let layout = Layout::new(source, size)?;
    let function = |streams| body::function(source, &layout, streams).ok();
    let plain = function(false)?;
    let streams = if layout.streams { function(true) } else { None };
    let code = code::Code::new(source, layout, plain, streams)?;
    Some(Box::new(code))
}

/// The bytes of the numbers of a program; `None` if there are several sizes.
fn lane_bytes(program: &LaneProgram) -> Option<usize> {
    let mut sizes = program.steps.iter().filter_map(|step| match step.ty {
        LaneType::F32 | LaneType::I32 => Some(4),
        LaneType::F64 | LaneType::I64 => Some(8),
        LaneType::Mask => None,
    });
    let first = sizes.next()?;
    sizes.all(|size| size == first).then_some(first)
}

/// Where a function finds its inputs and results.
#[derive(Debug)]
struct Layout {
    /// The bytes of a number, and how many of them are in a vector.
    size: usize,
    lanes: usize,
    /// For each input, where it is.
    inputs: Vec<Source>,
    /// The number of inputs with one value per place, whose pointers come first.
    each: usize,
    /// Whether results may be stored past the caches: no input is read from them.
    streams: bool,
}

/// Where an input is.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Behind this pointer. Of truth values there is a byte per place.
    Pointer { at: usize, truth: bool },
    /// In this vector of those that are the same in all of the loop.
    Vector(usize),
    /// Nothing reads it.
    None,
}

impl Layout {
    /// `None` if there are too many pointers.
    fn new(source: &ChainSource, size: usize) -> Option<Layout> {
        let read = |n: usize| {
            let mut steps = source.program.steps.iter();
            steps.any(|step| step.op == LaneOp::Input(n))
        };
        let inputs = source.inputs.iter().enumerate();
        let is_each = |(n, input): (usize, &ChainInput)| read(n) && *input == ChainInput::Each;
        let each = inputs
            .clone()
            .filter(|(n, input)| is_each((*n, *input)))
            .count();
        let (mut pointer, mut vector) = (0..each, 0..);
        let inputs = inputs.map(|(n, input)| match input {
            _ if !read(n) => Some(Source::None),
            ChainInput::Each => Some(Source::Pointer {
                at: pointer.next()?,
                truth: source.dtypes[n] == DType::Bool,
            }),
            ChainInput::Result(result) => Some(Source::Pointer {
                at: each + result,
                truth: false,
            }),
            ChainInput::Same => Some(Source::Vector(vector.next()?)),
            ChainInput::Number(_) => Some(Source::None),
        });
        let layout = Layout {
            size,
            lanes: VECTOR / size,
            inputs: inputs.collect::<Option<_>>()?,
            each,
            streams: !source
                .inputs
                .iter()
                .any(|input| matches!(input, ChainInput::Result(_))),
        };
        (each + source.results.len() <= POINTERS).then_some(layout)
    }
}
