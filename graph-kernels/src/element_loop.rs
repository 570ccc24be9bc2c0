//! Loops over arrays whose every iteration is elementwise: the same functions of values at the same place, in each iteration. Iterations of one
//! place don't depend on other places, so the loops are exchanged: all iterations of some places run before those of the next ones. As machine
//! code that is one pass over the arrays with a loop inside, in which the values of a place stay in registers from the first iteration to the
//! last, where each iteration by itself would read and write whole arrays.
//!
//! Scalars, such as a counter, and the condition run ahead, for all iterations: they depend on no array, and no array depends on them. So it is
//! known how often the loop runs. Without machine code the loop isn't exchanged.

use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use crate::array::same_shape;
use crate::block::{Block, BlockMut};
use crate::bound_arrays::BoundArray;
use crate::codegen::{ChainCode, ChainInput, ChainSource, Codegen};
use crate::formula::{LaneType, RecordedLoop, input, record};
use crate::words::codegen::codegen;
use crate::{Array, BoundEnd, BoundLoop, BoundStep, DType, Program, Registers, simd};

/// The least number of values of an array for which the loops are exchanged.
const LEAST: usize = 64;

/// As much work as the interpreter of words does for a jump back: a function on this many values.
const JUMP: usize = 64;

/// A step on arrays.
#[derive(Clone, Debug)]
enum ElementStep {
    Chain {
        program: Arc<Program>,
        inputs: Vec<BoundArray>,
        to: usize,
    },
    Swap(usize, usize),
    Copy {
        to: usize,
        from: BoundArray,
    },
}

/// A loop whose iterations are elementwise.
#[derive(Debug)]
pub struct ElementLoop {
    steps: Vec<ElementStep>,
    scalars: BoundLoop,
    /// The changing arrays whose values are read in the next iteration, or behind the loop.
    kept: Vec<usize>,
    /// The code; `None` inside if there can't be any.
    code: OnceLock<Option<Made>>,
}

/// Code, and the arrays that it is for.
#[derive(Debug)]
struct Made {
    /// The inputs, in order.
    inputs: Vec<BoundArray>,
    forms: Vec<(ChainInput, DType)>,
    results: Vec<DType>,
    code: Box<dyn ChainCode>,
}

impl ElementLoop {
    /// A bound loop with its loops exchanged. `behind` are the changing arrays that are read behind it. `None` if iterations do more than elementwise
    /// functions and scalars, if these depend on each other, or if an iteration may end the loop before its last step.
    pub fn of(bound: &BoundLoop, behind: &[usize]) -> Option<ElementLoop> {
        let arrays = arrays(bound.steps());
        let is_array = |n: &usize| arrays.contains(n);
        let (mut steps, mut scalars) = (Vec::new(), Vec::new());
        for (at, step) in bound.steps().iter().enumerate() {
            match step {
                BoundStep::Chain {
                    program,
                    inputs,
                    to,
                } => {
                    if !program.is_elementwise() {
                        return None;
                    }
                    let itself = BoundArray::Changing(*to);
                    let inputs = inputs.iter().map(|input| input.unwrap_or(itself));
                    steps.push(ElementStep::Chain {
                        program: program.clone(),
                        inputs: inputs.collect(),
                        to: *to,
                    });
                }
                BoundStep::Swap(a, b) if is_array(a) => steps.push(ElementStep::Swap(*a, *b)),
                BoundStep::Copy { to, from } if is_array(to) => {
                    let (to, from) = (*to, *from);
                    steps.push(ElementStep::Copy { to, from });
                }
                BoundStep::Swap(..) | BoundStep::Copy { .. } => scalars.push(step.clone()),
                BoundStep::Words(words) => {
                    let is_last = at + 1 == bound.steps().len();
                    let mut inputs = words.inputs.iter();
                    let reads = inputs
                        .any(|(array, ..)| matches!(array, BoundArray::Changing(n) if is_array(n)));
                    let writes = words.outputs.iter().any(|output| is_array(&output.to));
                    if reads || writes || (words.leaves_unless.is_some() && !is_last) {
                        return None;
                    }
                    scalars.push(step.clone());
                }
                _ => return None,
            }
        }
        let decides = scalars
            .iter()
            .any(|step| matches!(step, BoundStep::Words(_)));
        if !decides || matches!(bound.condition(), Some(BoundArray::Changing(n)) if is_array(&n)) {
            return None;
        }
        let mut kept: Vec<usize> = behind.iter().copied().filter(is_array).collect();
        // What is read before it is written comes from the iteration before.
        let mut known: Vec<usize> = Vec::new();
        for step in &steps {
            for array in step.reads() {
                match array {
                    BoundArray::Changing(n) if !is_array(&n) => return None,
                    BoundArray::Changing(n) if !known.contains(&n) => kept.push(n),
                    _ => {}
                }
            }
            known.extend(step.writes());
        }
        kept.sort_unstable();
        kept.dedup();
        Some(ElementLoop {
            steps,
            scalars: BoundLoop::new(scalars, bound.condition()),
            kept,
            code: OnceLock::new(),
        })
    }

    /// Runs all iterations, from the beginning of one. `None` if that isn't done, and nothing is changed then.
    pub fn run(
        &self,
        fixed: &[&Array],
        changing: &mut [&mut Array],
        registers: &mut Registers,
    ) -> Option<BoundEnd> {
        let (codegen, after) = codegen()?;
        let len = self.len(fixed, changing).filter(|len| *len >= LEAST)?;
        if !simd::level().fuses() || matches!(self.code.get(), Some(None)) {
            return None;
        }
        let written = written(&self.steps);
        let is_scalar = |n: &usize| !written.contains(n);
        let scalars = (0..changing.len()).filter(is_scalar);
        let before: SmallVec<[(usize, Array); 4]> =
            scalars.map(|n| (n, changing[n].clone())).collect();
        let end = self.scalars.run(fixed, changing, registers)?;
        let times = end.iterations.saturating_add(1);
        let work = (len as u64).saturating_mul(times) * self.steps.len() as u64 / JUMP as u64;
        let is_due = self.code.get().is_some() || work >= after;
        let done = end.stopped.is_none()
            && is_due
            && self.run_code(codegen, (len, times), fixed, changing) == Some(true);
        if !done {
            for (n, array) in before {
                *changing[n] = array;
            }
        }
        done.then_some(end)
    }

    /// The number of values of the arrays, if all have one shape, or are numbers that stay the same.
    fn len(&self, fixed: &[&Array], changing: &[&mut Array]) -> Option<usize> {
        let first = &*changing[*written(&self.steps).first()?];
        let fits = |array: BoundArray| match array {
            BoundArray::Fixed(n) => {
                fixed[n].len() == 1 || same_shape(fixed[n].shape(), first.shape())
            }
            BoundArray::Changing(n) => same_shape(changing[n].shape(), first.shape()),
        };
        let mut steps = self.steps.iter();
        let all_fit = steps.all(|step| {
            let writes = step.writes().into_iter().map(BoundArray::Changing);
            step.reads().into_iter().chain(writes).all(fits)
        });
        all_fit.then_some(first.len())
    }

    fn run_code(
        &self,
        codegen: &dyn Codegen,
        (len, times): (usize, u64),
        fixed: &[&Array],
        changing: &mut [&mut Array],
    ) -> Option<bool> {
        let made = self
            .code
            .get_or_init(|| self.make(codegen, len, fixed, changing));
        let made = made.as_ref()?;
        let mut inputs: SmallVec<[&[u8]; 8]> = SmallVec::new();
        for (array, form) in made.inputs.iter().zip(&made.forms) {
            if self.form(*array, len, fixed, changing) != *form {
                return None;
            }
            inputs.push(match array {
                BoundArray::Fixed(n) => Block::of(fixed[*n].buffer())?.bytes(),
                BoundArray::Changing(_) => &[],
            });
        }
        let mut results: SmallVec<[BlockMut; 4]> = SmallVec::new();
        let mut kept = self.kept.iter().zip(&made.results).peekable();
        for (n, array) in changing.iter_mut().enumerate() {
            if let Some((_, dtype)) = kept.next_if(|(kept, _)| **kept == n) {
                if array.dtype() != *dtype {
                    return None;
                }
                results.push(BlockMut::of(array.buffer_mut(), len)?);
            }
        }
        let results = results.iter_mut().map(BlockMut::bytes_mut);
        let mut results = results.collect::<Option<SmallVec<[&mut [u8]; 4]>>>()?;
        Some(made.code.run_times(times, len, &inputs, &mut results))
    }

    /// How code reads an array, and its dtype.
    fn form(
        &self,
        array: BoundArray,
        len: usize,
        fixed: &[&Array],
        changing: &[&mut Array],
    ) -> (ChainInput, DType) {
        match array {
            BoundArray::Fixed(n) if fixed[n].len() == 1 && len != 1 => {
                (ChainInput::Same, fixed[n].dtype())
            }
            BoundArray::Fixed(n) => (ChainInput::Each, fixed[n].dtype()),
            BoundArray::Changing(n) => {
                let result = self.kept.iter().position(|kept| *kept == n);
                (ChainInput::Result(result.unwrap_or(0)), changing[n].dtype())
            }
        }
    }

    fn make(
        &self,
        codegen: &dyn Codegen,
        len: usize,
        fixed: &[&Array],
        changing: &[&mut Array],
    ) -> Option<Made> {
        let kept = self.kept.iter().map(|n| BoundArray::Changing(*n));
        let mut inputs: Vec<BoundArray> = kept.collect();
        for array in self.steps.iter().flat_map(ElementStep::reads) {
            if matches!(array, BoundArray::Fixed(_)) && !inputs.contains(&array) {
                inputs.push(array);
            }
        }
        let forms = inputs.iter();
        let forms: Vec<_> = forms
            .map(|array| self.form(*array, len, fixed, changing))
            .collect();
        let results: Vec<DType> = self.kept.iter().map(|n| changing[*n].dtype()).collect();
        let is_written = |dtype: &DType| matches!(dtype, DType::F32 | DType::F64 | DType::I32);
        if results.is_empty() || !results.iter().all(is_written) {
            return None;
        }
        let program = record(|| {
            let mut walk = Walk {
                fixed: Vec::new(),
                changing: vec![None; changing.len()],
            };
            for (n, (array, (_, dtype))) in inputs.iter().zip(&forms).enumerate() {
                let value = (input(n, LaneType::of(*dtype)?), *dtype);
                match array {
                    BoundArray::Fixed(at) => walk.fixed.push((*at, value)),
                    BoundArray::Changing(at) => walk.changing[*at] = Some(value),
                }
            }
            let firsts = self.kept.iter().map(|n| walk.changing[*n]);
            let firsts = firsts.collect::<Option<Vec<Value>>>()?;
            let steps: Vec<usize> = firsts.iter().map(|(step, _)| *step).collect();
            let recorded = RecordedLoop::begin(&steps);
            let carried = self.kept.iter().zip(&recorded.carried).zip(&firsts);
            for ((n, step), (_, dtype)) in carried {
                walk.changing[*n] = Some((*step, *dtype));
            }
            for step in &self.steps {
                walk.step(step)?;
            }
            let nexts = self.kept.iter().map(|n| Some(walk.changing[*n]?.0));
            let nexts = nexts.collect::<Option<Vec<usize>>>()?;
            recorded.end(None, nexts.iter().copied());
            Some(nexts)
        })?;
        let code = codegen.chain(&ChainSource {
            program,
            inputs: forms.iter().map(|(form, _)| *form).collect(),
            dtypes: forms.iter().map(|(_, dtype)| *dtype).collect(),
            results: results.iter().copied().collect(),
        })?;
        Some(Made {
            inputs,
            forms,
            results,
            code,
        })
    }
}

/// The changing arrays that chains write, and those that they are exchanged with or copied to.
fn arrays(steps: &[BoundStep]) -> Vec<usize> {
    let mut arrays = Vec::new();
    loop {
        let before = arrays.len();
        for step in steps {
            let related: SmallVec<[usize; 2]> = match step {
                BoundStep::Chain { to, .. } => {
                    arrays.push(*to);
                    continue;
                }
                BoundStep::Swap(a, b) => [*a, *b].into_iter().collect(),
                BoundStep::Copy { to, from } => match from {
                    BoundArray::Changing(from) => [*to, *from].into_iter().collect(),
                    BoundArray::Fixed(_) => continue,
                },
                _ => continue,
            };
            if related.iter().any(|n| arrays.contains(n)) {
                arrays.extend(related);
            }
        }
        arrays.sort_unstable();
        arrays.dedup();
        if arrays.len() == before {
            return arrays;
        }
    }
}

/// The changing arrays that steps write.
fn written(steps: &[ElementStep]) -> SmallVec<[usize; 8]> {
    steps.iter().flat_map(ElementStep::writes).collect()
}

impl ElementStep {
    fn reads(&self) -> SmallVec<[BoundArray; 4]> {
        match self {
            ElementStep::Chain { inputs, .. } => inputs.iter().copied().collect(),
            ElementStep::Swap(a, b) => [*a, *b].map(BoundArray::Changing).into_iter().collect(),
            ElementStep::Copy { from, .. } => std::iter::once(*from).collect(),
        }
    }

    fn writes(&self) -> SmallVec<[usize; 2]> {
        match self {
            ElementStep::Chain { to, .. } | ElementStep::Copy { to, .. } => {
                std::iter::once(*to).collect()
            }
            ElementStep::Swap(a, b) => [*a, *b].into_iter().collect(),
        }
    }
}

/// A recorded step with the dtype of its value.
type Value = (usize, DType);

/// The walk through the steps of an iteration, which are recorded.
struct Walk {
    fixed: Vec<(usize, Value)>,
    /// The values of the changing arrays.
    changing: Vec<Option<Value>>,
}

impl Walk {
    fn get(&self, array: BoundArray) -> Option<Value> {
        match array {
            BoundArray::Fixed(n) => {
                let known = self.fixed.iter().find(|(at, _)| *at == n);
                known.map(|(_, value)| *value)
            }
            BoundArray::Changing(n) => self.changing[n],
        }
    }

    fn step(&mut self, step: &ElementStep) -> Option<()> {
        let values = step.reads().into_iter().map(|array| self.get(array));
        let values = values.collect::<Option<SmallVec<[Value; 4]>>>()?;
        let steps: SmallVec<[usize; 4]> = values.iter().map(|(step, _)| *step).collect();
        let dtypes: SmallVec<[DType; 4]> = values.iter().map(|(_, dtype)| *dtype).collect();
        match step {
            ElementStep::Chain { program, to, .. } => {
                let value = program.record(&dtypes, &steps)?;
                self.changing[*to] = Some(value);
            }
            ElementStep::Swap(a, b) => self.changing.swap(*a, *b),
            ElementStep::Copy { to, .. } => self.changing[*to] = values.first().copied(),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests;
