//! The steps that matter: what is known is calculated ahead, what stands there twice is kept once, and what no result needs is dropped.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::evaluate::evaluate;
use super::steps::{LaneOp, LaneProgram, LaneStep, LaneType};

/// A program with the same results and fewer steps.
pub(super) fn compact(program: &LaneProgram) -> LaneProgram {
    let mut to = Compact::default();
    let mut numbers = Vec::with_capacity(program.steps.len());
    for step in &program.steps {
        let operands = step.operands.iter().map(|n| numbers[*n]).collect();
        let number = to.add(step.op, step.ty, operands);
        numbers.push(number);
    }
    let results: Vec<usize> = program.results.iter().map(|n| numbers[*n]).collect();
    needed(&to.steps, &results)
}

/// The steps that results need, numbered anew. A loop is needed, and of the values that it carries those that are read.
fn needed(steps: &[LaneStep], results: &[usize]) -> LaneProgram {
    let nexts = nexts(steps);
    let mut is_needed = vec![false; steps.len()];
    results.iter().for_each(|n| is_needed[*n] = true);
    let is_border =
        |step: &LaneStep| matches!(step.op, LaneOp::Loop(_)) || step.end_of_loop().is_some();
    let borders = is_needed.iter_mut().zip(steps);
    borders.for_each(|(is_needed, step)| *is_needed |= is_border(step));
    loop {
        let before = is_needed.clone();
        for n in (0..steps.len()).rev() {
            if !is_needed[n] {
                continue;
            }
            let operands = match steps[n].end_of_loop() {
                Some((again, _)) => &steps[n].operands[..again.iter().len()],
                None => &steps[n].operands[..],
            };
            operands.iter().for_each(|k| is_needed[*k] = true);
            if let Some(next) = nexts[n] {
                is_needed[next] = true;
            }
        }
        if is_needed == before {
            break;
        }
    }
    let mut numbers = vec![0; steps.len()];
    let mut kept = Vec::new();
    // For each loop that is open, which of the values that it carries are kept.
    let mut carried: Vec<Vec<bool>> = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        match (step.op, carried.last_mut()) {
            (LaneOp::Loop(_), _) => carried.push(Vec::new()),
            (LaneOp::Carried(_), Some(carried)) => carried.push(is_needed[n]),
            _ => {}
        }
        if !is_needed[n] {
            continue;
        }
        numbers[n] = kept.len();
        let mut step = step.clone();
        if let Some((again, _)) = step.end_of_loop() {
            let kept = carried.pop().unwrap_or_default();
            let mut is_kept = again.map(|_| true).into_iter().chain(kept);
            step.operands.retain(|_| is_kept.next() == Some(true));
        }
        step.operands.iter_mut().for_each(|k| *k = numbers[*k]);
        kept.push(step);
    }
    LaneProgram {
        steps: kept,
        results: results.iter().map(|n| numbers[*n]).collect(),
    }
}

/// For each value that a loop carries, the step with its value in the next iteration.
fn nexts(steps: &[LaneStep]) -> Vec<Option<usize>> {
    let mut nexts = vec![None; steps.len()];
    let mut carried: Vec<Vec<usize>> = Vec::new();
    for (n, step) in steps.iter().enumerate() {
        match (step.op, carried.last_mut()) {
            (LaneOp::Loop(_), _) => carried.push(Vec::new()),
            (LaneOp::Carried(_), Some(carried)) => carried.push(n),
            _ => {}
        }
        if let Some((_, values)) = step.end_of_loop() {
            let carried = carried.pop().unwrap_or_default().into_iter();
            carried
                .zip(values)
                .for_each(|(n, next)| nexts[n] = Some(*next));
        }
    }
    nexts
}

#[derive(Default)]
struct Compact {
    steps: Vec<LaneStep>,
    known: HashMap<LaneStep, usize>,
}

impl Compact {
    /// The number of a step that gives this value.
    fn add(&mut self, op: LaneOp, ty: LaneType, operands: SmallVec<[usize; 3]>) -> usize {
        let numbers = operands.iter().map(|n| self.steps[*n].number());
        let numbers: Option<SmallVec<[u64; 3]>> = numbers.collect();
        let step = LaneStep { op, ty, operands };
        if let Some(bits) = numbers.and_then(|numbers| evaluate(&step, &numbers)) {
            return self.insert(LaneStep {
                op: LaneOp::Number(bits),
                ty: step.output(),
                operands: SmallVec::new(),
            });
        }
        match (op, ty) {
            (LaneOp::Select, _) => self.select(step),
            (LaneOp::Xor, LaneType::Mask) => self.inverted_twice(step),
            _ => self.insert(step),
        }
    }

    fn insert(&mut self, step: LaneStep) -> usize {
        if let Some(n) = self.known.get(&step) {
            return *n;
        }
        self.steps.push(step.clone());
        self.known.insert(step, self.steps.len() - 1);
        self.steps.len() - 1
    }

    fn mask(&mut self, op: LaneOp, operands: &[usize]) -> usize {
        self.add(op, LaneType::Mask, SmallVec::from_slice(operands))
    }

    fn not(&mut self, mask: usize) -> usize {
        let yes = self.mask(LaneOp::Number(1), &[]);
        self.mask(LaneOp::Xor, &[mask, yes])
    }

    /// The mask of which a mask is the opposite.
    fn opposite(&self, mask: usize) -> Option<usize> {
        let step = &self.steps[mask];
        let [of, yes] = step.operands[..] else {
            return None;
        };
        let inverts = (step.op, step.ty) == (LaneOp::Xor, LaneType::Mask);
        (inverts && self.steps[yes].number() == Some(1)).then_some(of)
    }

    /// `!!a` is `a`.
    fn inverted_twice(&mut self, step: LaneStep) -> usize {
        let inverts = self.steps[step.operands[1]].number() == Some(1);
        match self.opposite(step.operands[0]).filter(|_| inverts) {
            Some(mask) => mask,
            None => self.insert(step),
        }
    }

    /// A select that is none, or one of masks, which is done by operations on bits.
    fn select(&mut self, step: LaneStep) -> usize {
        let [mask, a, b] = step.operands[..] else {
            return self.insert(step);
        };
        match self.steps[mask].number() {
            Some(bits) => return if bits & 1 == 1 { a } else { b },
            None if a == b => return a,
            None => {}
        }
        if let Some(mask) = self.opposite(mask) {
            return self.add(LaneOp::Select, step.ty, SmallVec::from_slice(&[mask, b, a]));
        }
        if step.ty != LaneType::Mask {
            return self.insert(step);
        }
        let known = |n: usize| self.steps[n].number().map(|bits| bits & 1 == 1);
        match (known(a), known(b)) {
            (Some(true), Some(false)) => mask,
            (Some(false), Some(true)) => self.not(mask),
            (Some(true), _) => self.mask(LaneOp::Or, &[mask, b]),
            (_, Some(false)) => self.mask(LaneOp::And, &[mask, a]),
            (Some(false), _) => {
                let other = self.not(mask);
                self.mask(LaneOp::And, &[other, b])
            }
            (_, Some(true)) => {
                let other = self.not(mask);
                self.mask(LaneOp::Or, &[other, a])
            }
            (None, None) => {
                let first = self.mask(LaneOp::And, &[mask, a]);
                let other = self.not(mask);
                let second = self.mask(LaneOp::And, &[other, b]);
                self.mask(LaneOp::Or, &[first, second])
            }
        }
    }
}
