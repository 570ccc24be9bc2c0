//! Runs of a program: the elements are cut into ranges, which threads take, and a range into blocks (`blocks`).

use smallvec::SmallVec;

use super::failure::Failure;
use super::layout::Layout;
use super::reduced;
use super::source::Form;
use super::sums::Sums;
use super::tail::TailCode;
use super::workspace::Workspace;
use super::{BLOCK, PartFunction, Program};
use crate::array::same_shape;
use crate::block::{Block, BlockMut};
use crate::codegen::ChainCode;
use crate::element::ElementError;
use crate::{Array, KernelError, simd};

/// The number of values that a thread takes at once.
pub(super) const RANGE: usize = 32 * BLOCK;

pub(super) fn program(
    program: &Program,
    given: &[Option<&Array>],
    out: &mut Array,
) -> Result<(), KernelError> {
    program.check_no_sums()?;
    let found;
    let layout = match &program.known {
        Some(known) if known.is_for(program, given, out) => &known.layout,
        _ => {
            found = layout(program, given, out)?;
            &found
        }
    };
    let rolled;
    let layout = match &program.rolls[..] {
        [] => layout,
        _ => {
            rolled = program.rolled(layout, given)?;
            &rolled
        }
    };
    if given.iter().any(Option::is_none) && !keeps(program, out, layout) {
        // The output can't be overwritten while it is still read. After an error it is unchanged.
        program.check_rows(&filled(given, out))?;
        let previous = std::mem::take(out);
        return self::program(program, &filled(given, &previous), out);
    }
    let mut values = SmallVec::new();
    add_values(&mut values, program, given);
    program.take_rows(given, &mut values)?;
    let chain = Chain::new(program, layout, &values);
    match &program.reduction {
        Some(reduction) => reduced::run(&chain, reduction, &layout.shape, out),
        None => chain.write(&layout.shape, out),
    }
}

/// The arrays, with `array` in place of those that are `None`.
fn filled<'a>(given: &[Option<&'a Array>], array: &'a Array) -> SmallVec<[Option<&'a Array>; 8]> {
    given.iter().map(|x| x.or(Some(array))).collect()
}

/// See [`Program::in_parts`].
pub(super) fn in_parts(
    program: &Program,
    given: &[Option<&Array>],
    out: &mut Array,
    work: impl FnOnce(&mut Array, Sums, Option<&PartFunction>) -> Result<(), KernelError>,
) -> Option<Result<(), KernelError>> {
    let found;
    let layout = match &program.known {
        Some(known) if known.is_for(program, given, out) => &known.layout,
        _ => {
            found = layout(program, given, out).ok()?;
            &found
        }
    };
    // Programs by rows are excluded, because a part may begin within a row.
    if !keeps(program, out, layout) || program.by_rows || !program.rolls.is_empty() {
        return None;
    }
    let mut values = SmallVec::new();
    add_values(&mut values, program, given);
    program.take_rows(given, &mut values).ok()?;
    let chain = Chain::new(program, layout, &values);
    Some(chain.in_parts(|sums, part| work(out, sums, part)))
}

/// True if the result has the shape and the dtype of the current output.
pub(super) fn keeps(program: &Program, out: &Array, layout: &Layout) -> bool {
    let fits = same_shape(out.shape(), &layout.shape) && out.dtype() == program.output;
    fits && program.reduction.is_none()
}

/// Adds the values of the inputs, or `None` for those that the output holds. Written in place: returning them through memory would stall
/// on store forwarding.
fn add_values<'a>(
    values: &mut SmallVec<[Option<Block<'a>>; 8]>,
    program: &Program,
    given: &[Option<&'a Array>],
) {
    for input in &given[..program.inputs.len()] {
        values.push(match input {
            Some(input) => Block::of(input.buffer()),
            None => None,
        });
    }
}

/// The layout of the inputs.
///
/// # Errors
/// If they don't fit the program, or don't broadcast.
fn layout(program: &Program, given: &[Option<&Array>], out: &Array) -> Result<Layout, KernelError> {
    let inputs = given.iter().take(program.inputs.len());
    let arrays = inputs.map(|input| input.unwrap_or(out));
    let shapes = arrays.clone().enumerate();
    let shapes = shapes.map(|(n, array)| program.shape_read(n, array));
    if program.reads_parts {
        let shapes: Vec<_> = shapes.collect();
        return Err(KernelError::Shape(format!(
            "a program for parts of arrays doesn't accept inputs of the shapes {shapes:?}"
        )));
    }
    let mut each = arrays.clone().zip(shapes.clone()).zip(&program.inputs);
    let fit = each.all(|((x, shape), (dtype, width))| x.dtype() == *dtype && width.fits(shape));
    if fit && given.len() == program.arity() {
        return Layout::new(program, shapes);
    }
    let dtypes: Vec<_> = arrays.map(Array::dtype).collect();
    Err(KernelError::DType(format!(
        "a program of inputs {:?} doesn't run on {dtypes:?}",
        program.inputs
    )))
}

/// A program and the inputs of one run.
pub(super) struct Chain<'a> {
    pub program: &'a Program,
    pub(super) layout: &'a Layout,
    /// The values of each input; `None` for inputs that the output holds.
    pub values: &'a [Option<Block<'a>>],
    /// What runs in the interpreter's place.
    pub code: Option<&'a dyn ChainCode>,
    /// What runs in the place of the instructions behind the last reduction.
    pub tail: Option<TailCode<'a>>,
}

impl<'a> Chain<'a> {
    pub fn new(
        program: &'a Program,
        layout: &'a Layout,
        values: &'a [Option<Block<'a>>],
    ) -> Chain<'a> {
        let mut chain = Chain {
            program,
            layout,
            values,
            code: None,
            tail: None,
        };
        // The values of a reduction aren't stored.
        let is_stored = program.reduction.is_none();
        let compiled = program.compiled.as_ref();
        if let Some(compiled) = compiled.filter(|compiled| is_stored || !compiled.is_single()) {
            let nanoseconds = chain.nanoseconds(layout.shape.iter().product());
            chain.code = compiled.code(layout, values, nanoseconds);
        }
        if let Some(tail) = &program.tail {
            let nanoseconds = chain.nanoseconds(layout.shape.iter().product());
            chain.tail = tail.code(layout, values, nanoseconds);
        }
        chain
    }

    /// Runs in place behind `work`, which gets what [`Program::in_parts`] says.
    #[inline(always)]
    pub fn in_parts(
        &self,
        work: impl FnOnce(Sums, Option<&PartFunction>) -> Result<(), KernelError>,
    ) -> Result<(), KernelError> {
        let failure = Failure::default();
        let part = |start, values: &mut BlockMut| failure.note(start, self.range(start, values));
        let does_more = !self.program.instructions.is_empty();
        let sums = Sums::of(self.program, self.values);
        let done = work(sums, does_more.then_some(&part));
        done.and_then(|()| failure.result())
    }

    /// Writes the values of all elements.
    pub fn write(&self, shape: &[usize], out: &mut Array) -> Result<(), KernelError> {
        let dtype = self.program.output;
        if shape.iter().product::<usize>() <= RANGE {
            // There is only one range, so it runs on this thread.
            out.reset(dtype, shape)?;
            let len = out.len();
            let values = BlockMut::of(out.buffer_mut(), len);
            return Ok(values.map_or(Ok(()), |mut values| self.range(0, &mut values))?);
        }
        let failure = Failure::default();
        let level = simd::level();
        let len = shape.iter().product();
        let nanoseconds = self.nanoseconds(len);
        let streams = self.streams(len, out);
        let block = self.block();
        let range = (RANGE / block).max(1) * block;
        out.try_fill_chunks(dtype, shape, range, nanoseconds, |start, mut chunk| {
            // The level is supported: it is the caller's.
            let result = simd::with_level(level, || match (streams, self.code) {
                (true, None) => self.streamed_range(start, &mut chunk),
                _ => self.ranges(start, std::slice::from_mut(&mut chunk), streams),
            });
            failure.note(start, result.unwrap_or(Ok(())));
        })?;
        failure.result()
    }

    /// How each input is read.
    pub fn forms(&self) -> &'a [Form] {
        &self.layout.forms
    }

    /// The most values in a block, a number of whole rows.
    pub fn block(&self) -> usize {
        match self.layout.row {
            Some(row) => (BLOCK / row).max(1) * row,
            None => BLOCK,
        }
    }

    /// The nanoseconds that one thread takes for some values.
    pub fn nanoseconds(&self, len: usize) -> usize {
        len / 16 * self.program.cost
    }

    /// The number of registers that a run needs. Those of the inputs come last, and an input that is read directly from its array needs
    /// none.
    pub(super) fn registers(&self) -> usize {
        let lies_there = |n: &usize| match &self.values[*n] {
            Some(_) => matches!(self.layout.forms[*n], Form::Whole),
            None => !self.program.read_last[*n],
        };
        let inputs = (0..self.values.len()).rev();
        self.program.registers.len() - inputs.take_while(lies_there).count()
    }

    /// Writes the values from `start` on.
    fn range(&self, start: usize, out: &mut BlockMut) -> Result<(), ElementError> {
        self.ranges(start, std::slice::from_mut(out), false)
    }

    /// Writes the values of all results from `start` on: as many of each. `streams` asks code for stores past the caches.
    pub fn ranges(
        &self,
        start: usize,
        outs: &mut [BlockMut],
        streams: bool,
    ) -> Result<(), ElementError> {
        if let Some(code) = self.code
            && self.run_directly(code, start, outs, streams)
        {
            return Ok(());
        }
        let len = outs.first().map_or(0, BlockMut::len);
        Workspace::with(|workspace| {
            self.with_run(workspace, len, |run| {
                run.streams = streams;
                run.values(start, outs)
            })
        })
    }
}
