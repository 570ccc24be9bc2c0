//! Chains as machine code. A program whose functions all can be recorded ([`formula`](crate::formula)) counts the time that its runs take.
//! When that is as long as compiling takes, it becomes machine code, if there is a [`Codegen`]. The code calculates a range of all results
//! at once, with the values in between in registers; what is read from memory, and where, is as for the interpreter.
//!
//! Code is made for one way to read the inputs. Runs that read them in another way stay with the interpreter.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::blocks::Run;
use super::layout::Layout;
use super::run::Chain;
use super::source::Form;
use super::{Program, Step, StepOp, Width};
use crate::block::{Block, BlockMut};
use crate::bound_arrays::BoundArray;
use crate::codegen::{ChainCode, ChainInput, ChainSource, Codegen};
use crate::words::chain::{chain_source, dtypes, record_steps};
use crate::words::codegen::codegen;
use crate::{DType, simd, stream};

/// As much time as the interpreter of word programs takes for a jump back, in nanoseconds: so one number says when loops and when chains
/// are compiled.
const JUMP: u64 = 20;

/// What a run takes besides calculating, in nanoseconds.
const CALL: u64 = 50;

/// The part of a program that its runs share.
#[derive(Debug)]
pub(super) struct Compiled {
    inputs: SmallVec<[DType; 4]>,
    steps: Vec<Step>,
    results: SmallVec<[usize; 4]>,
    /// Whether some result is a truth value, which code doesn't write.
    writes_truth: bool,
    /// The bytes of a value of the last result.
    size: usize,
    /// Whether some function isn't defined for all integers. Then numbers among the inputs are known to the code.
    pub fails: bool,
    /// The time that all runs took, in nanoseconds.
    time: AtomicU64,
    /// True as soon as a run has begun to compile, so that the others don't wait for it.
    claimed: AtomicBool,
    /// The code; `None` inside if there can't be any.
    code: OnceLock<Option<Made>>,
}

/// Code, and how it reads the inputs.
#[derive(Debug)]
struct Made {
    inputs: Forms,
    code: Box<dyn ChainCode>,
}

type Forms = SmallVec<[ChainInput; 8]>;

impl Compiled {
    /// What the runs of a program of these steps share. `None` if it never becomes machine code: rows are reduced by the interpreter, and there are
    /// types without code.
    pub fn new(
        inputs: &[(DType, Width)],
        steps: &[Step],
        results: &[usize],
    ) -> Option<Arc<Compiled>> {
        if steps.is_empty() || inputs.iter().any(|(_, width)| *width == Width::Column) {
            return None;
        }
        let inputs: SmallVec<[DType; 4]> = inputs.iter().map(|(dtype, _)| *dtype).collect();
        let values = dtypes(&inputs, steps)?;
        let mut steps_with = steps.iter().zip(&values);
        let fails = steps_with.any(|(step, dtype)| match step.op {
            StepOp::Element(op) => !op.is_total(*dtype) && *dtype == DType::I32,
            StepOp::Reduce(_) => false,
        });
        Some(Arc::new(Compiled {
            inputs,
            steps: steps.to_vec(),
            results: results.into(),
            writes_truth: results.iter().any(|n| values[*n] == DType::Bool),
            size: values.last().map_or(0, |dtype| dtype.bytes()),
            fails,
            time: AtomicU64::new(0),
            claimed: AtomicBool::new(false),
            code: OnceLock::new(),
        }))
    }

    pub fn has_code(&self) -> bool {
        self.code.get().is_some_and(Option::is_some)
    }

    /// Records the steps for inputs that are the values of recorded steps, of these dtypes: the value of the only result.
    fn record(&self, dtypes: &[DType], inputs: &[usize]) -> Option<usize> {
        let fits = dtypes == &self.inputs[..];
        match record_steps(inputs, &self.inputs, &self.steps, &self.results)?[..] {
            [value] if fits => Some(value),
            _ => None,
        }
    }

    /// The code for a run that the interpreter would take some nanoseconds for, if there is code and the program has run for long enough. A
    /// single function calculates as fast in a kernel, but code can store its result past the caches.
    pub fn code(
        &self,
        layout: &Layout,
        values: &[Option<Block>],
        nanoseconds: usize,
    ) -> Option<&dyn ChainCode> {
        if self.is_single() && !self.streams(layout, values) {
            return None;
        }
        self.code_of(values.len(), |n| self.form(n, layout, values), nanoseconds)
    }

    /// As [`code`](Self::code), for as many inputs, which are read in these ways.
    pub fn code_of(
        &self,
        inputs: usize,
        form: impl Fn(usize) -> ChainInput,
        nanoseconds: usize,
    ) -> Option<&dyn ChainCode> {
        let (codegen, jumps) = codegen()?;
        if !simd::level().fuses() || self.writes_truth {
            return None;
        }
        let made = match self.code.get() {
            Some(made) => made.as_ref(),
            None => {
                let now = CALL + nanoseconds as u64;
                let before = self.time.fetch_add(now, Ordering::Relaxed);
                let due = before.saturating_add(now) >= jumps.saturating_mul(JUMP);
                due.then(|| self.compile(codegen, (0..inputs).map(&form).collect()))?
            }
        }?;
        let mut forms = made.inputs.iter().enumerate();
        let fits = made.inputs.len() == inputs && forms.all(|(n, made)| form(n) == *made);
        fits.then_some(&*made.code)
    }

    /// Whether it is a single function.
    pub fn is_single(&self) -> bool {
        self.steps.len() < 2
    }

    /// Whether the result is large and no memory of an input, and no input is repeated.
    fn streams(&self, layout: &Layout, values: &[Option<Block>]) -> bool {
        let len = layout.shape.iter().product();
        let goes_elsewhere = values.iter().all(Option::is_some);
        let repeats = |form: &Form| matches!(form, Form::Repeated(_));
        goes_elsewhere && !layout.forms.iter().any(repeats) && stream::is_worth_it(len, self.size)
    }

    /// The code, if there is some, for all runs that read the inputs as these are read, whatever the values are.
    pub fn code_for_all(
        &self,
        layout: &Layout,
        values: &[Option<Block>],
    ) -> Option<&dyn ChainCode> {
        match self.code.get() {
            Some(Some(_)) if !self.fails => self.code(layout, values, 0),
            _ => None,
        }
    }

    /// What code that is the same for all values is made of, where inputs are in these arrays, or in that of the result.
    fn source_for_all(
        &self,
        layout: &Layout,
        inputs: &[Option<BoundArray>],
    ) -> Option<ChainSource> {
        if self.fails || self.results.len() > 1 || self.inputs.len() != inputs.len() {
            return None;
        }
        let forms = inputs.iter().zip(&layout.forms);
        let forms = forms.map(|(input, form)| match (input, form) {
            (None, _) => ChainInput::Result(0),
            (Some(_), Form::Uniform) => ChainInput::Same,
            (Some(_), _) => ChainInput::Each,
        });
        let forms: Forms = forms.collect();
        chain_source(&self.inputs, &forms, &self.steps, &self.results)
    }

    /// `None` if there is no code, or if another thread is making it.
    #[cold]
    fn compile(&self, codegen: &dyn Codegen, inputs: Forms) -> Option<&Made> {
        if !self.claimed.swap(true, Ordering::Relaxed) {
            let source = chain_source(&self.inputs, &inputs, &self.steps, &self.results);
            let code = source.and_then(|source| codegen.chain(&source));
            // Nobody else sets it.
            let _ = self.code.set(code.map(|code| Made { inputs, code }));
        }
        self.code.get()?.as_ref()
    }

    /// How a run reads an input.
    fn form(&self, n: usize, layout: &Layout, values: &[Option<Block>]) -> ChainInput {
        match (&values[n], &layout.forms[n]) {
            (None, _) if self.results.len() > 1 => ChainInput::Result(n),
            (None, _) => ChainInput::Result(0),
            (Some(Block::I32(value)), Form::Uniform) if self.fails => {
                ChainInput::Number(value.first().copied().unwrap_or_default())
            }
            (Some(_), Form::Uniform) => ChainInput::Same,
            (Some(_), _) => ChainInput::Each,
        }
    }
}

impl Program {
    /// Records an elementwise program whose inputs are the values of recorded steps, of these dtypes: the step of its value, and the dtype. `None` if
    /// it does more, or if that can't be recorded.
    pub(crate) fn record(&self, dtypes: &[DType], inputs: &[usize]) -> Option<(usize, DType)> {
        let is_plain = self.reduction.is_none() && self.rows.is_empty() && !self.reads_parts;
        let compiled = self.compiled.as_ref().filter(|_| is_plain)?;
        Some((compiled.record(dtypes, inputs)?, self.output))
    }

    /// True if the program has become machine code, or what it does behind its last reduction.
    pub fn has_code(&self) -> bool {
        let compiled = self.compiled.as_ref();
        compiled.is_some_and(|compiled| compiled.has_code())
            || self.tail.as_ref().is_some_and(|tail| tail.has_code())
    }

    /// See [`Compiled::source_for_all`].
    pub(super) fn source_for_all(
        &self,
        layout: &Layout,
        inputs: &[Option<BoundArray>],
    ) -> Option<ChainSource> {
        self.compiled.as_ref()?.source_for_all(layout, inputs)
    }

    /// See [`Compiled::code_for_all`].
    pub(super) fn code_for_all(
        &self,
        layout: &Layout,
        values: &[Option<Block>],
    ) -> Option<&dyn ChainCode> {
        self.compiled.as_ref()?.code_for_all(layout, values)
    }
}

impl Chain<'_> {
    /// Calculates values by machine code that reads all inputs where they lie, without blocks and their registers: a small chain in a loop
    /// takes hardly longer than its code. Returns false, and changes nothing, if an input has to be repeated first, or the code refuses.
    #[inline]
    pub fn run_directly(
        &self,
        code: &dyn ChainCode,
        start: usize,
        outs: &mut [BlockMut],
        streams: bool,
    ) -> bool {
        let len = outs.first().map_or(0, BlockMut::len);
        if len == 0 {
            return true;
        }
        let mut inputs = Inputs::new();
        for (values, form) in self.values.iter().zip(self.forms()) {
            inputs.push(match (values, form) {
                (None, _) => &[],
                (Some(values), Form::Uniform) => values.bytes(),
                (Some(values), Form::Whole) => values.range(start, len).bytes(),
                (Some(values), Form::Repeated(form)) => match form.direct(start, len) {
                    Some(start) => values.range(start, len).bytes(),
                    None => return false,
                },
                (Some(values), Form::Rolled(form)) => match form.direct(start, len) {
                    Some(start) => values.range(start, len).bytes(),
                    None => return false,
                },
            });
        }
        call(code, len, &inputs, outs, streams)
    }
}

impl Run<'_> {
    /// Whether an input is repeated along some axes or rolled, so that code gets it block by block.
    pub fn repeats(&self) -> bool {
        let mut forms = self.forms.iter();
        forms.any(|form| matches!(form, Form::Repeated(_) | Form::Rolled(_)))
    }

    /// Calculates a block by machine code. Returns false if it refuses, and nothing is changed.
    pub fn run_code(&self, code: &dyn ChainCode, len: usize, outs: &mut [BlockMut]) -> bool {
        let mut inputs = Inputs::new();
        for (n, read) in self.inputs.iter().enumerate() {
            inputs.push(match (&self.values[n], &self.forms[n], read.start) {
                (None, ..) => &[],
                (Some(values), Form::Uniform, _) => values.bytes(),
                (Some(values), _, Some(start)) => values.range(start, len).bytes(),
                (Some(_), _, None) => {
                    let register = &self.registers[self.program.input_registers[n]];
                    register.as_block().range(0, len).bytes()
                }
            });
        }
        call(code, len, &inputs, outs, self.streams)
    }
}

/// The bytes of the inputs of code.
pub(super) type Inputs<'a> = SmallVec<[&'a [u8]; 8]>;

/// Calls code; false if it refuses, or there is a result of a type that code doesn't write.
pub(super) fn call(
    code: &dyn ChainCode,
    len: usize,
    inputs: &[&[u8]],
    outs: &mut [BlockMut],
    streams: bool,
) -> bool {
    if let [out] = outs {
        let bytes = out.bytes_mut();
        return bytes.is_some_and(|bytes| code.run(len, inputs, &mut [bytes], streams));
    }
    let outs = outs.iter_mut().map(BlockMut::bytes_mut);
    let outs: Option<SmallVec<[&mut [u8]; 4]>> = outs.collect();
    outs.is_some_and(|mut outs| code.run(len, inputs, &mut outs, streams))
}
