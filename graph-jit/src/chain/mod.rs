//! Machine code for chains of elementwise functions: one loop over vectors, in which all values between the inputs and the results are in
//! registers. It is for AVX2 with FMA, or for AVX-512; which one, the thread's level says. Both give the same bits.
//!
//! Cranelift has no vectors of 256 bits, so the instructions are encoded by `iced-x86`, of which only the encoder is built: two crates, which
//! take five seconds of CPU time. (`dynasm-rs` takes twenty-eight, and twenty crates, most of them for its macros; which instruction a step is, and in
//! which registers, is known when the code runs.) [`instructions`] says which instruction a step is, [`choose`] which steps need one,
//! [`registers`] where its operands are, [`side_by_side`] repeats the steps for two vectors, [`body`] puts all together with [`assembler`], and
//! [`code`] holds what is finished and calls it.
//!
//! A chain may have loops, in which lanes are masked: their ends are jumps of the code. Chains of `float64` may have `int32` beside
//! them ([`half`]). Steps that the CPU has no instruction for, and chains that mix sizes otherwise, stay with the interpreter.

mod assembler;
mod body;
mod choose;
#[allow(unsafe_code, reason = "calls into machine code")]
mod code;
mod half;
mod instructions;
mod registers;
mod side_by_side;

pub use code::{Code as ChainFunction, Vector, call_rest};
use graph_kernels::DType;
use graph_kernels::codegen::{ChainCode, ChainInput, ChainSource, LaneOp, LaneProgram, LaneType};
use graph_kernels::simd::{Level, level};
use instructions::Vectors;

/// The bytes of the largest vector.
pub const VECTOR: usize = 64;

/// The most inputs and results that have a value for each element: their pointers must fit into registers.
pub const POINTERS: usize = 11;

/// The code of a chain for this thread's level; `None` if it can't be compiled, or the level has no vectors for it.
pub fn compile(source: &ChainSource) -> Option<Box<dyn ChainCode>> {
    Some(Box::new(function(source)?))
}

/// Like [`compile`], for other code that calls it.
pub fn function(source: &ChainSource) -> Option<ChainFunction> {
    let vectors = vectors(level())?;
    let source = &half::widened(source)?;
    let layout = Layout::new(source, vectors)?;
    let function = |streams, at_once| body::function(source, &layout, streams, at_once).ok();
    let one = function(false, 1)?;
    // Two vectors at once, if all their values have registers.
    let two = function(false, 2).filter(|two| !two.spills);
    let at_once = if two.is_some() { 2 } else { 1 };
    let streams = if layout.streams {
        function(true, at_once)
    } else {
        None
    };
    code::Code::new(source, layout, [Some(one), two, streams])
}

/// The vectors of a level, if there is code for it.
fn vectors(level: Level) -> Option<Vectors> {
    match level {
        Level::Avx512 => Some(Vectors::Wide),
        Level::Avx2 => Some(Vectors::Narrow),
        Level::Portable | Level::Neon => None,
    }
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
    vectors: Vectors,
    /// The bytes of a number, and how many of them are in a vector.
    size: usize,
    lanes: usize,
    /// For each input, where it is.
    inputs: Vec<Source>,
    /// The number of inputs with a value for each element, whose pointers come first.
    each: usize,
    /// Where the number of iterations is among the vectors that are the same, if the call says it.
    times: Option<usize>,
    /// The widths of the results.
    results: Vec<Width>,
    /// Whether results may be stored past the caches: no input is read from them.
    streams: bool,
}

/// The memory of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    /// All bytes of a lane.
    Whole,
    /// The lower half of a lane.
    Half,
    /// A byte that is 0 or 1.
    Truth,
}

impl Width {
    /// The width of the values of a dtype in lanes of a size.
    fn of(dtype: DType, size: usize) -> Option<Width> {
        match dtype {
            DType::Bool => Some(Width::Truth),
            DType::I32 if size == 8 => Some(Width::Half),
            _ => (dtype.bytes() == size).then_some(Width::Whole),
        }
    }
}

/// Where an input is.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Behind this pointer.
    Pointer { at: usize, width: Width },
    /// In this vector of those that are the same in all of the loop.
    Vector(usize),
    /// Nothing reads it.
    None,
}

impl Layout {
    /// `None` if there are too many pointers, numbers of several sizes, or an input in a result that isn't there.
    fn new(source: &ChainSource, vectors: Vectors) -> Option<Layout> {
        let size = lane_bytes(&source.program)?;
        let widths = |dtypes: &[DType]| -> Option<Vec<Width>> {
            let mut widths = dtypes.iter();
            { &mut widths }
                .map(|dtype| Width::of(*dtype, size))
                .collect()
        };
        let (widths, results) = (widths(&source.dtypes)?, widths(&source.results)?);
        if source.dtypes.len() != source.inputs.len() || results.contains(&Width::Truth) {
            return None;
        }
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
                width: widths[n],
            }),
            ChainInput::Result(result) if *result >= source.results.len() => None,
            ChainInput::Result(result) => Some(Source::Pointer {
                at: each + result,
                width: results[*result],
            }),
            ChainInput::Same => Some(Source::Vector(vector.next()?)),
            ChainInput::Number(_) => Some(Source::None),
        });
        let inputs = inputs.collect::<Option<Vec<Source>>>()?;
        let mut steps = source.program.steps.iter();
        let counts = steps.any(|step| matches!(step.op, LaneOp::Times(_)));
        let layout = Layout {
            vectors,
            size,
            lanes: vectors.bytes() / size,
            times: if counts { vector.next() } else { None },
            inputs,
            each,
            streams: results.iter().all(|width| *width == Width::Whole)
                && !source
                    .inputs
                    .iter()
                    .any(|input| matches!(input, ChainInput::Result(_))),
            results,
        };
        // One register counts.
        let most = if counts { POINTERS - 2 } else { POINTERS };
        (each + source.results.len() <= most).then_some(layout)
    }
}

#[cfg(test)]
mod tests;
