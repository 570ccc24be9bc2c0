//! Steps over lanes as machine code. Functions that follow each other are a chain: after enough iterations they become one loop over vectors,
//! in which the values between them stay in registers, where each function alone would read and write blocks. The code is made by the same
//! door as that of the chains over arrays, so the bits are those of the functions.
//!
//! What the steps behind a chain read, or another iteration, or lanes that wait elsewhere, is a result of the chain. Results are calculated
//! beside the old values, which may be operands, and take their places when the code is done.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use smallvec::SmallVec;

use super::masked;
use super::steps::{Body, LaneStep, Slot};
use crate::codegen::{ChainCode, ChainInput, Codegen};
use crate::step::{Operand, Step};
use crate::words::chain::chain_source;
use crate::words::codegen::codegen;
use crate::{DType, simd};

/// The least number of functions that are one chain.
const LEAST: usize = 2;

/// Functions that follow each other, and that nothing jumps into.
#[derive(Debug)]
pub(super) struct Chain {
    /// The steps of the body that it does.
    pub range: Range<usize>,
    /// The slots that are read.
    pub inputs: SmallVec<[Slot; 8]>,
    /// The slots that are written, and where their values are calculated.
    pub results: SmallVec<[(Slot, Slot); 4]>,
    /// How the inputs are read.
    forms: SmallVec<[ChainInput; 8]>,
    steps: Vec<Step>,
    /// The steps whose values are the results.
    values: SmallVec<[usize; 4]>,
    /// Whether it is jumps with the functions between them, and not `steps`.
    is_masked: bool,
}

/// The chains of a body, and their code, which its runs share.
#[derive(Debug, Default)]
pub(super) struct Chains {
    chains: Vec<Chain>,
    /// The iterations of all runs.
    iterations: AtomicU64,
    /// True as soon as a run has begun to compile, so that the others don't wait for it.
    claimed: AtomicBool,
    codes: OnceLock<Codes>,
}

/// The code of the chains of a body.
#[derive(Debug, Default)]
pub(super) struct Codes {
    /// For each step of the body, the number of the chain that begins there.
    begins: Vec<Option<u8>>,
    codes: Vec<(usize, Box<dyn ChainCode>)>,
}

impl Codes {
    pub fn has_some(&self) -> bool {
        !self.codes.is_empty()
    }
}

impl Chains {
    /// Finds the chains of a body, for which it gets more slots. A region with jumps, if one is given, is a chain.
    pub fn of(body: &mut Body, region: Option<&Range<usize>>) -> Chains {
        let targets: Vec<usize> = body.steps.iter().filter_map(LaneStep::target).collect();
        let (mut chains, mut at) = (Vec::new(), 0);
        while at < body.steps.len() {
            if let Some(region) = region.filter(|region| region.start == at) {
                chains.extend(Chain::masked(body, region.clone()));
                at = region.end;
                continue;
            }
            let found = longest(body, at, &targets);
            let found = { (at + LEAST..=found).rev() }.find_map(|end| Chain::of(body, at..end));
            at = found.as_ref().map_or(at + 1, |chain| chain.range.end);
            chains.extend(found);
        }
        Chains {
            chains,
            ..Chains::default()
        }
    }

    /// True if a chain contains jumps.
    pub fn has_masked(&self) -> bool {
        self.chains.iter().any(|chain| chain.is_masked)
    }

    pub fn has_code(&self) -> bool {
        self.codes.get().is_some_and(Codes::has_some)
    }

    /// The code for a run of some iterations, if there is some, and there have been enough iterations.
    pub fn codes(&self, body: &Body, iterations: u64) -> Option<&Codes> {
        let (codegen, after) = codegen()?;
        if self.chains.is_empty() || !simd::level().fuses() {
            return None;
        }
        if let Some(codes) = self.codes.get() {
            return Some(codes);
        }
        let before = self.iterations.fetch_add(iterations, Ordering::Relaxed);
        let due = before.saturating_add(iterations) >= after;
        if due && !self.claimed.swap(true, Ordering::Relaxed) {
            // Nobody else sets it.
            let _ = self.codes.set(self.compile(body, codegen));
        }
        self.codes.get()
    }

    /// The code of all chains of the body that can have some. Without code for its jumps a body has none.
    #[cold]
    pub fn compile(&self, body: &Body, codegen: &dyn Codegen) -> Codes {
        let steps = self.chains.last().map_or(0, |chain| chain.range.end);
        let mut codes = Codes {
            begins: vec![None; steps],
            codes: Vec::new(),
        };
        for (n, chain) in self.chains.iter().enumerate() {
            let number = u8::try_from(codes.codes.len()).ok();
            if let Some(number) = number
                && let Some(code) = chain.compile(body, codegen)
            {
                codes.begins[chain.range.start] = Some(number);
                codes.codes.push((n, code));
            } else if chain.is_masked {
                return Codes::default();
            }
        }
        codes
    }

    /// The chain that begins at a step, and its code.
    #[inline(always)]
    pub fn at<'a>(
        &'a self,
        codes: &'a Codes,
        step: usize,
    ) -> Option<(&'a Chain, &'a dyn ChainCode)> {
        let number = (*codes.begins.get(step)?)?;
        let (chain, code) = &codes.codes[usize::from(number)];
        Some((&self.chains[*chain], &**code))
    }
}

/// The end of the steps from `at` on that one chain may do: functions of numbers of one size, and moves of their values.
fn longest(body: &Body, at: usize, targets: &[usize]) -> usize {
    let mut size = None;
    let mut end = at;
    for step in &body.steps[at..] {
        let is_entered = end > at && targets.contains(&end);
        let slots: SmallVec<[Slot; 4]> = match step {
            LaneStep::Apply(apply) => apply.operands().iter().copied().chain([apply.to]).collect(),
            LaneStep::Copy { to, from } | LaneStep::Swap(to, from) => {
                [*to, *from].into_iter().collect()
            }
            _ => break,
        };
        let mut dtypes = slots.iter().map(|slot| body.slots[usize::from(*slot)]);
        let fits = dtypes.all(|dtype| match dtype {
            DType::Bool => true,
            _ => *size.get_or_insert(dtype.bytes()) == dtype.bytes(),
        });
        if is_entered || !fits {
            break;
        }
        end += 1;
    }
    end
}

impl Chain {
    /// The chain of some steps; `None` if they aren't one, or if it has a result that code doesn't write.
    fn of(body: &mut Body, range: Range<usize>) -> Option<Chain> {
        let mut chain = Chain {
            range: range.clone(),
            inputs: SmallVec::new(),
            results: SmallVec::new(),
            forms: SmallVec::new(),
            steps: Vec::new(),
            values: SmallVec::new(),
            is_masked: false,
        };
        let mut places = Places::new();
        for step in &body.steps[range.clone()] {
            match step {
                LaneStep::Apply(apply) => {
                    let operands = apply.operands().iter();
                    let operands = operands.map(|slot| chain.operand(body, &mut places, *slot));
                    let step = Step {
                        op: apply.op.into(),
                        operands: operands.collect(),
                    };
                    put(&mut places, apply.to, Operand::Step(chain.steps.len()));
                    chain.steps.push(step);
                }
                LaneStep::Copy { to, from } => {
                    let value = chain.operand(body, &mut places, *from);
                    put(&mut places, *to, value);
                }
                LaneStep::Swap(a, b) => {
                    let values = [*a, *b].map(|slot| chain.operand(body, &mut places, slot));
                    put(&mut places, *a, values[1]);
                    put(&mut places, *b, values[0]);
                }
                _ => return None,
            }
        }
        let live = body.lives.get(range.end)?;
        for (slot, value) in places {
            let dtype = body.slots[usize::from(slot)];
            match value {
                _ if !live.contains(slot) => {}
                Operand::Input(n) if chain.inputs[n] == slot => {}
                Operand::Step(n) if is_written(dtype) && !chain.values.contains(&n) => {
                    chain.values.push(n);
                    chain.results.push((slot, slot));
                }
                _ => return None,
            }
        }
        if chain.steps.len() < LEAST || chain.values.is_empty() {
            return None;
        }
        for n in 0..chain.results.len() {
            let (slot, _) = chain.results[n];
            chain.results[n].1 = body.beside(slot, &chain.results[..n])?;
        }
        Some(chain)
    }

    /// The chain of jumps and of the functions between them; `None` if it has a result that code doesn't write.
    fn masked(body: &mut Body, range: Range<usize>) -> Option<Chain> {
        let [all, written] = masked::slots(&body.steps[range.clone()]);
        let [before, behind] = [body.lives.get(range.start)?, body.lives.get(range.end)?];
        let inputs: SmallVec<[Slot; 8]> =
            all.iter().filter(|slot| before.contains(*slot)).collect();
        let written = written.iter().filter(|slot| behind.contains(*slot));
        let written: SmallVec<[Slot; 4]> = written.collect();
        let is_written = |slot: &Slot| is_written(body.slots[usize::from(*slot)]);
        if written.is_empty() || !written.iter().all(is_written) {
            return None;
        }
        let forms = inputs.iter().map(|slot| form(body, *slot)).collect();
        let mut results = SmallVec::new();
        for slot in written {
            let beside = body.beside(slot, &results)?;
            results.push((slot, beside));
        }
        Some(Chain {
            range,
            inputs,
            results,
            forms,
            steps: Vec::new(),
            values: SmallVec::new(),
            is_masked: true,
        })
    }

    /// Where the steps find the value of a slot.
    fn operand(&mut self, body: &Body, places: &mut Places, slot: Slot) -> Operand {
        if let Some((_, known)) = places.iter().find(|(other, _)| *other == slot) {
            return *known;
        }
        let value = Operand::Input(self.inputs.len());
        self.inputs.push(slot);
        self.forms.push(form(body, slot));
        places.push((slot, value));
        value
    }

    fn compile(&self, body: &Body, codegen: &dyn Codegen) -> Option<Box<dyn ChainCode>> {
        if self.is_masked {
            let results: SmallVec<[Slot; 4]> = self.results.iter().map(|(slot, _)| *slot).collect();
            let (inputs, forms) = (&self.inputs, &self.forms);
            let source = masked::source(body, &self.range, inputs, forms, &results)?;
            return codegen.chain(&source);
        }
        let inputs = self.inputs.iter();
        let inputs: SmallVec<[DType; 8]> =
            inputs.map(|slot| body.slots[usize::from(*slot)]).collect();
        codegen.chain(&chain_source(
            &inputs,
            &self.forms,
            &self.steps,
            &self.values,
        )?)
    }
}

/// The values of slots.
type Places = SmallVec<[(Slot, Operand); 16]>;

fn put(places: &mut Places, slot: Slot, value: Operand) {
    match places.iter_mut().find(|(other, _)| *other == slot) {
        Some((_, known)) => *known = value,
        None => places.push((slot, value)),
    }
}

/// How code reads a slot.
fn form(body: &Body, slot: Slot) -> ChainInput {
    match body.spread.iter().any(|(_, same)| *same == slot) {
        true => ChainInput::Same,
        false => ChainInput::Each,
    }
}

/// Whether code of chains writes values of a dtype.
fn is_written(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F64 | DType::I32)
}

impl Body {
    /// A slot of the dtype of another one, which is none of some that are in use, and that no step reads or writes.
    fn beside(&mut self, slot: Slot, used: &[(Slot, Slot)]) -> Option<Slot> {
        let dtype = self.slots[usize::from(slot)];
        let mut free = self.beside.iter().copied();
        let is_free = |other: &Slot| {
            let is_used = used.iter().any(|(_, beside)| beside == other);
            !is_used && self.slots[usize::from(*other)] == dtype
        };
        if let Some(free) = free.find(is_free) {
            return Some(free);
        }
        self.slots.push(dtype);
        let new = Slot::try_from(self.slots.len() - 1).ok()?;
        self.beside.push(new);
        Some(new)
    }
}
