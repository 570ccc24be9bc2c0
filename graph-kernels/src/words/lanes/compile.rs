//! From the steps of a loop's body to steps over lanes, one for one.

use super::chains::Chains;
use super::find::Loop;
use super::masked::region;
use super::steps::{ACTIVE, Address, Apply, Body, HOLDS, LaneStep, Number, Slot};
use super::types::{Types, types, varying};
use crate::DType;
use crate::element::function::Entry;
use crate::element::{ElementOp, WordFunction};
use crate::words::codegen::WordSource;
use crate::words::live::Set;
use crate::words::{Register, Rows, WordStep};

impl Body {
    /// `None` if a step has no form over lanes.
    pub fn of(source: &WordSource, lives: &[Set], found: &Loop) -> Option<Body> {
        let mut body = Body::compiled(source, lives, found, false)?;
        body.chains = Chains::of(&mut body, None);
        if let Some(region) = region(&body.steps).filter(|_| !body.together) {
            let mut masked = Body::compiled(source, lives, found, true)?;
            masked.chains = Chains::of(&mut masked, Some(&region));
            let has_code = masked.chains.has_masked();
            body.masked = has_code.then(|| Box::new(masked));
        }
        Some(body)
    }

    /// The steps, without chains. `in_order` says that lanes have iterations one after the other, though they go different ways.
    fn compiled(source: &WordSource, lives: &[Set], found: &Loop, in_order: bool) -> Option<Body> {
        let steps = &source.steps[found.head + 1..found.back];
        let types = types(steps, found)?;
        let varying = varying(steps, found);
        let mut compiler = Compiler {
            found,
            in_order: in_order || varying.together,
            varying: varying.registers,
            types,
            slots: vec![DType::Bool; 2],
            places: Vec::new(),
            scratch: Vec::new(),
            read: Set::default(),
            memory: Vec::new(),
            at: 0,
        };
        let counter = compiler.lanes(found.counter, found.dtype)?;
        // Twice: at first it isn't known yet which words are also read as lanes.
        compiler.steps(steps, lives)?;
        let compiled = compiler.steps(steps, lives)?;
        let places = compiler.places.iter();
        let invariant = places
            .clone()
            .filter(|(register, ..)| !found.written.contains(*register));
        let slots_of = |live: &Set| {
            let of = places
                .clone()
                .filter(|(register, ..)| live.contains(*register));
            of.map(|(.., slot)| *slot).collect()
        };
        Some(Body {
            steps: compiled,
            lives: lives[found.head + 1..=found.back]
                .iter()
                .map(slots_of)
                .collect(),
            counter,
            spread: invariant
                .map(|(register, _, slot)| (*register, *slot))
                .collect(),
            together: varying.together,
            slots: compiler.slots,
            memory: compiler.memory,
            beside: Vec::new(),
            chains: Chains::default(),
            masked: None,
        })
    }
}

struct Compiler<'a> {
    found: &'a Loop,
    /// True if each lane has the iteration after that of the lane before it.
    in_order: bool,
    varying: Set,
    types: Types,
    slots: Vec<DType>,
    /// The slot of each register at a dtype.
    places: Vec<(Register, DType, Slot)>,
    /// The slots for results that can't be written to their places yet.
    scratch: Vec<Slot>,
    /// The registers that are the same in all lanes, and also read as lanes.
    read: Set,
    memory: Vec<(Rows, DType)>,
    /// The step of the program that is being compiled.
    at: usize,
}

impl Compiler<'_> {
    fn slot(&mut self, dtype: DType) -> Option<Slot> {
        self.slots.push(dtype);
        Slot::try_from(self.slots.len() - 1).ok()
    }

    /// The slot of a register as lanes.
    fn lanes(&mut self, register: Register, dtype: DType) -> Option<Slot> {
        let known = |(r, d, _): &&(Register, DType, Slot)| (*r, *d) == (register, dtype);
        if let Some((.., slot)) = self.places.iter().find(known) {
            return Some(*slot);
        }
        if self.found.written.contains(register) && self.ty(register) != Some(dtype) {
            return None;
        }
        if !self.varying.contains(register) {
            self.read.insert(register);
        }
        let slot = self.slot(dtype)?;
        self.places.push((register, dtype, slot));
        Some(slot)
    }

    fn scratch(&mut self, dtype: DType) -> Option<Slot> {
        let known = |slot: &&Slot| self.slots[usize::from(**slot)] == dtype;
        if let Some(slot) = self.scratch.iter().find(known) {
            return Some(*slot);
        }
        let slot = self.slot(dtype)?;
        self.scratch.push(slot);
        Some(slot)
    }

    fn ty(&self, register: Register) -> Option<DType> {
        self.types[usize::from(register)]
    }

    fn varies(&self, step: &WordStep) -> bool {
        let mut registers = step.reads().into_iter().chain(step.writes());
        registers.any(|register| self.varying.contains(register))
    }

    /// The slot that a word is also written to.
    fn spread(&mut self, register: Register) -> Option<Option<Slot>> {
        match self.read.contains(register) {
            true => self.lanes(register, self.ty(register)?).map(Some),
            false => Some(None),
        }
    }

    fn steps(&mut self, steps: &[WordStep], lives: &[Set]) -> Option<Vec<LaneStep>> {
        self.memory.clear();
        let mut compiled = Vec::with_capacity(steps.len());
        for (step, at) in steps.iter().zip(self.found.head + 1..) {
            self.at = at;
            compiled.push(self.step(step, &lives[at + 1])?);
        }
        Some(compiled)
    }

    fn step(&mut self, step: &WordStep, live: &Set) -> Option<LaneStep> {
        let varies = self.varies(step);
        Some(match step {
            WordStep::Apply {
                op,
                dtype,
                operands,
                to,
            } if varies => {
                let entry = op.entry(op.signature(*dtype)?.0).ok()?;
                let to = self.lanes(*to, entry.output)?;
                LaneStep::Apply(self.apply(*op, entry, operands, to)?)
            }
            WordStep::Apply {
                op,
                dtype,
                operands,
                to,
            } => LaneStep::Word {
                function: total(*op, *dtype)?,
                operands: std::array::from_fn(|n| operands.get(n).copied().unwrap_or(0)),
                to: *to,
                spread: self.spread(*to)?,
            },
            WordStep::Move { to, from } if varies => {
                let dtype = self.ty(*to)?;
                LaneStep::Copy {
                    to: self.lanes(*to, dtype)?,
                    from: self.lanes(*from, dtype)?,
                }
            }
            WordStep::Move { to, from } => LaneStep::MoveWord {
                to: *to,
                from: *from,
                spread: self.spread(*to)?,
            },
            WordStep::Swap(a, b) if varies => {
                let dtype = self.ty(*a)?;
                let [to, from] = [self.lanes(*a, dtype)?, self.lanes(*b, dtype)?];
                match (live.contains(*a), live.contains(*b)) {
                    (_, false) => LaneStep::Copy { to, from },
                    (false, _) => LaneStep::Copy { to: from, from: to },
                    _ => LaneStep::Swap(to, from),
                }
            }
            WordStep::Swap(a, b) if [a, b].iter().any(|r| self.read.contains(**r)) => return None,
            WordStep::Swap(a, b) => LaneStep::SwapWords(*a, *b),
            WordStep::Read { .. } | WordStep::ReadAt { .. } => self.read(step, varies)?,
            WordStep::Write {
                list,
                index,
                dtype,
                from,
                grows,
            } => {
                let address = Address {
                    index: self.number(*index, *dtype)?,
                    element: Number::Fixed(0),
                };
                self.write(*list, address, from, *grows)?
            }
            WordStep::WriteAt {
                list,
                element,
                index,
                dtype,
                from,
                grows,
            } => {
                let address = Address {
                    index: self.number(*index, *dtype)?,
                    element: self.number(*element, DType::I32)?,
                };
                self.write(*list, address, &[*from], *grows)?
            }
            WordStep::Jump(target) => LaneStep::Jump(self.target(*target)),
            WordStep::Unless { condition, target } if varies => LaneStep::Unless {
                condition: self.lanes(*condition, DType::Bool)?,
                test: None,
                target: self.target(*target),
            },
            WordStep::Unless { condition, target } => LaneStep::UnlessWord {
                function: None,
                operands: [*condition; 2],
                target: self.target(*target),
            },
            WordStep::UnlessHolds {
                op,
                dtype,
                operands,
                target,
            } if varies => {
                let entry = op.entry(op.signature(*dtype)?.0).ok()?;
                LaneStep::Unless {
                    condition: HOLDS,
                    test: Some(self.apply(*op, entry, operands, HOLDS)?),
                    target: self.target(*target),
                }
            }
            WordStep::UnlessHolds {
                op,
                dtype,
                operands,
                target,
            } => LaneStep::UnlessWord {
                function: Some(total(*op, *dtype)?),
                operands: *operands,
                target: self.target(*target),
            },
            WordStep::Assert(condition) if varies => {
                LaneStep::Assert(self.lanes(*condition, DType::Bool)?)
            }
            WordStep::Assert(condition) => LaneStep::AssertWord(*condition),
            WordStep::MulAdd { .. } | WordStep::Switch { .. } => return None,
        })
    }

    /// A function that never fails, because it is also calculated in lanes that aren't at the step.
    fn apply(
        &mut self,
        op: ElementOp,
        entry: &'static Entry,
        operands: &[Register],
        to: Slot,
    ) -> Option<Apply> {
        if !entry.is_total || operands.len() != entry.operands.len() {
            return None;
        }
        let mut slots = [ACTIVE; 3];
        for ((slot, register), dtype) in slots.iter_mut().zip(operands).zip(entry.operands) {
            *slot = self.lanes(*register, *dtype)?;
        }
        Some(Apply {
            op,
            function: entry.block,
            operands: slots,
            to,
            scratch: self.scratch(entry.output)?,
            over_operand: slots[..operands.len()].contains(&to),
        })
    }

    fn read(&mut self, step: &WordStep, varies: bool) -> Option<LaneStep> {
        let (from, address, to) = match step {
            WordStep::Read {
                from,
                element,
                index,
                dtype,
                to,
            } => {
                let index = self.number(*index, *dtype)?;
                let element = Number::Fixed((*element).into());
                (*from, Address { index, element }, *to)
            }
            WordStep::ReadAt {
                from,
                element,
                index,
                dtype,
                to,
            } => {
                let index = self.number(*index, *dtype)?;
                let element = self.number(*element, DType::I32)?;
                (*from, Address { index, element }, *to)
            }
            _ => return None,
        };
        self.memory.push((from, self.ty(to)?));
        Some(match varies {
            true => LaneStep::Read {
                from,
                address,
                to: self.lanes(to, self.ty(to)?)?,
            },
            false => LaneStep::ReadWord {
                from,
                address,
                to,
                spread: self.spread(to)?,
            },
        })
    }

    fn write(
        &mut self,
        list: u8,
        address: Address,
        from: &[Register],
        grows: bool,
    ) -> Option<LaneStep> {
        // The dtype of a register that the loop doesn't write isn't known.
        let known = from.iter().find(|r| self.found.written.contains(**r))?;
        let dtype = self.ty(*known)?;
        self.memory.push((Rows::List(list), dtype));
        let from = from.iter().map(|register| self.lanes(*register, dtype));
        Some(LaneStep::Write {
            list,
            address,
            from: from.collect::<Option<_>>()?,
            grows,
        })
    }

    fn number(&mut self, register: Register, dtype: DType) -> Option<Number> {
        Some(match self.varying.contains(register) {
            _ if register == self.found.counter && self.in_order && self.at < self.found.counts => {
                Number::Iteration
            }
            true => Number::Lanes(self.lanes(register, dtype)?),
            false => Number::Word(register, dtype == DType::I64),
        })
    }

    fn target(&self, target: usize) -> usize {
        target - self.found.head - 1
    }
}

/// A function of words that never fails.
fn total(op: ElementOp, dtype: DType) -> Option<WordFunction> {
    op.word_function(dtype).filter(|_| op.is_total(dtype))
}
