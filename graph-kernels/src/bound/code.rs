//! Bound loops as machine code. A loop counts its iterations. After some thousand of them its steps are written down for a [`Codegen`]
//! ([`LoopSource`]), which may make one function of them: it goes around the loop, calls the code of chains and of word programs, and keeps the
//! places of all arrays in a table. A loop that is counting goes on in the code at its next iteration.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::functions::ProductThen;
use super::steps::{Step, WriteStep};
use super::{BoundEnd, BoundLoop, MOST, Order};
use crate::block::Block;
use crate::bound_arrays::{BoundArray, BoundBlocks};
use crate::codegen::{Codegen, LoopCode, LoopInput, LoopRow, LoopSource, LoopStep};
use crate::words::codegen::codegen;
use crate::{Array, DType, Registers};

/// How many jumps back of a word program take as long as an iteration of a short loop.
const JUMPS: u64 = 8;

/// What the runs of a bound loop share.
#[derive(Debug, Default)]
pub(super) struct Hot {
    /// The iterations of all runs that have ended.
    iterations: AtomicU64,
    /// True as soon as a run has begun to compile, so that the others don't wait for it.
    claimed: AtomicBool,
    /// The code; `None` inside if there can't be any.
    code: OnceLock<Option<Box<dyn LoopCode>>>,
}

impl Hot {
    /// How many iterations the interpreter runs before there is code; `None` if there won't be any.
    pub fn budget(&self) -> Option<u64> {
        let (_, jumps) = codegen()?;
        match self.code.get() {
            Some(None) => None,
            Some(Some(_)) => Some(0),
            None => Some((jumps / JUMPS).saturating_sub(self.iterations.load(Ordering::Relaxed))),
        }
    }

    /// Counts the iterations of a run that has ended.
    pub fn count(&self, iterations: u64) {
        self.iterations.fetch_add(iterations, Ordering::Relaxed);
    }

    pub fn has_code(&self) -> bool {
        self.code.get().is_some_and(Option::is_some)
    }

    /// `None` if there is no code, or if another thread is making it.
    pub fn code(&self, source: impl FnOnce() -> Option<LoopSource>) -> Option<&dyn LoopCode> {
        let (codegen, _) = codegen()?;
        if self.code.get().is_none() && !self.claimed.swap(true, Ordering::Relaxed) {
            // Nobody else sets it.
            let _ = self.code.set(compile(codegen, source));
        }
        self.code.get()?.as_deref()
    }
}

#[cold]
fn compile(
    codegen: &dyn Codegen,
    source: impl FnOnce() -> Option<LoopSource>,
) -> Option<Box<dyn LoopCode>> {
    codegen.bound_loop(&source()?)
}

impl BoundLoop {
    /// Runs iterations by machine code, from the first step on. `None` if there is no code for them; nothing is done then.
    pub(super) fn run_code(
        &self,
        steps: &[Step<'_>],
        (fixed, changing): (&[&Array], &[(DType, usize)]),
        blocks: &mut BoundBlocks<'_>,
        order: &mut Order,
        registers: &mut Registers,
    ) -> Option<BoundEnd> {
        let code = self.hot.code(|| self.source(steps, fixed, changing))?;
        let unchanged: SmallVec<[&[u8]; MOST]> =
            blocks.fixed.iter().map(|block| block.bytes()).collect();
        // Not all bytes are truth values, so code gets copies of these.
        let truths = blocks
            .changing
            .iter()
            .map(|block| Truths::of(block.as_block()));
        let mut truths: SmallVec<[Option<Truths>; MOST]> = truths.collect();
        let bytes = blocks.changing.iter_mut().zip(&mut truths);
        let bytes = bytes.map(|(block, truths)| match truths {
            Some(truths) => Some(truths.0.as_mut_slice()),
            None => block.bytes_mut(),
        });
        let mut bytes: SmallVec<[&mut [u8]; MOST]> = bytes.collect::<Option<_>>()?;
        let places = |bytes: &[&mut [u8]]| -> Order {
            let begins = bytes.iter().map(|bytes| bytes.as_ptr().addr());
            begins.collect()
        };
        let mut before = places(&bytes);
        let end = code.run(&unchanged, &mut bytes, registers)?;
        let after = places(&bytes);
        drop(bytes);
        for (block, truths) in blocks.changing.iter_mut().zip(&truths) {
            let truths = truths.iter().flat_map(|truths| &truths.0).enumerate();
            truths.for_each(|(n, truth)| block.put_word(n, u64::from(*truth)));
        }
        // The code has exchanged the slices, and here the blocks follow.
        for (n, place) in after.iter().enumerate() {
            let from = (n..before.len()).find(|from| before[*from] == *place);
            if let Some(from) = from.filter(|from| *from != n) {
                before.swap(n, from);
                blocks.changing.swap(n, from);
                order.swap(n, from);
            }
        }
        Some(end)
    }

    /// What code is made of, for steps that are bound to arrays. `None` if a step has no code.
    fn source(
        &self,
        steps: &[Step<'_>],
        fixed: &[&Array],
        changing: &[(DType, usize)],
    ) -> Option<LoopSource> {
        let source = |step: &Step<'_>| match step {
            Step::Chain(chain, to) => chain.source(*to).map(LoopStep::Chain),
            Step::Product(step) => {
                let len = |array| match array {
                    BoundArray::Fixed(n) => fixed[n].len(),
                    BoundArray::Changing(n) => changing[n].1,
                };
                let whole = |array: BoundArray| (whole(array), len(array));
                let mut operands = step.operands.map(whole).to_vec();
                if let Some(chain) = &step.chain {
                    operands.extend(chain.operands(len)?);
                }
                let dtype = changing[step.to].0;
                Some(LoopStep::Function {
                    function: Arc::new(ProductThen {
                        product: step.product,
                        dtype,
                        program: step.program.cloned(),
                    }),
                    operands,
                    to: step.to,
                })
            }
            Step::Reduce { rows, from, to } => Some(LoopStep::Function {
                function: Arc::new(*rows),
                operands: vec![(whole(*from), rows.len * changing[*to].1)],
                to: *to,
            }),
            Step::Row(step) => Some(LoopStep::Row {
                from: LoopInput {
                    array: step.from,
                    first: 0,
                    row: Some(LoopRow {
                        positions: step.positions.clone(),
                        len: step.len,
                        from_the_end: true,
                    }),
                },
                to: step.to,
            }),
            Step::Write(WriteStep {
                list,
                at,
                row,
                rows,
                len,
            }) => Some(LoopStep::Write {
                list: *list,
                at: *at,
                row: *row,
                rows: *rows,
                len: *len,
            }),
            Step::Words(words) => {
                let program = Arc::clone(words.program.source()?);
                let alone = words.arrays.is_empty();
                alone.then(|| LoopStep::Words {
                    program,
                    inputs: words.inputs.clone(),
                    outputs: words.outputs.clone(),
                    leaves_unless: words.leaves_unless,
                })
            }
            Step::Leave(condition) => Some(LoopStep::Leave(*condition)),
            Step::Swap(a, b) => Some(LoopStep::Swap(*a, *b)),
            Step::Copy { to, from } => Some(LoopStep::Copy {
                to: *to,
                from: *from,
            }),
        };
        Some(LoopSource {
            steps: steps.iter().map(source).collect::<Option<_>>()?,
            fixed: fixed
                .iter()
                .map(|array| (array.dtype(), array.len()))
                .collect(),
            changing: changing.to_vec(),
            condition: self.condition,
        })
    }
}

/// Copies of a few truth values as bytes.
struct Truths(SmallVec<[u8; 8]>);

impl Truths {
    fn of(block: Block<'_>) -> Option<Truths> {
        match block {
            Block::Bool(values) if values.len() <= 8 => Some(Truths(
                values.iter().map(|truth| u8::from(*truth)).collect(),
            )),
            _ => None,
        }
    }
}

/// A whole array as an input.
fn whole(array: BoundArray) -> LoopInput {
    LoopInput {
        array,
        first: 0,
        row: None,
    }
}
