//! The jumps of a loop's body as one chain with masks: lanes that go different ways run the same steps, and a step changes only the lanes that
//! are at it. A loop inside runs as long as any lane wants to; lanes that are done keep their values. Values stay in registers from the first
//! jump to the last, and no lane waits in memory.
//!
//! The steps are walked through once, in their order, and recorded. A jump forward takes lanes away up to its target. What a step writes is
//! chosen by the mask of its lanes, but only where other lanes need the old value. A loop is recorded as one that runs at least once, so its
//! test, which stands at its beginning, is recorded before the loop and again at its end: then no lane is wasted for a last round without work.

use std::ops::Range;

use smallvec::SmallVec;

use super::steps::{ACTIVE, Apply, Body, HOLDS, LaneStep, Slot};
use crate::codegen::{ChainInput, ChainSource, LaneOp, LaneType};
use crate::formula::{RecordedLoop, input, number, push, record, step};
use crate::words::live::Set;

/// The steps from the first jump to the last, if nothing in between reads or writes memory, and some jump leads back.
pub(super) fn region(steps: &[LaneStep]) -> Option<Range<usize>> {
    let jumps = |step: &LaneStep| step.target().is_some();
    let targets = steps.iter().filter_map(LaneStep::target);
    let first = steps.iter().position(jumps)?.min(targets.clone().min()?);
    let last = steps.iter().rposition(jumps)? + 1;
    let region = first..last.max(targets.max()?);
    let mut within = steps[region.clone()].iter();
    let is_recorded = within.all(|step| {
        matches!(
            step,
            LaneStep::Apply(_)
                | LaneStep::Copy { .. }
                | LaneStep::Swap(..)
                | LaneStep::Jump(_)
                | LaneStep::Unless { .. }
        )
    });
    let mut numbered = region.clone().zip(&steps[region.clone()]);
    let repeats = numbered.any(|(at, step)| step.target().is_some_and(|target| target <= at));
    (is_recorded && repeats).then_some(region)
}

/// The slots that the steps of a region read or write, and those that they write.
pub(super) fn slots(steps: &[LaneStep]) -> [Set; 2] {
    let mut sets = [Set::default(); 2];
    let [all, written] = &mut sets;
    for step in steps {
        let applied = match step {
            LaneStep::Apply(apply) => Some(apply),
            LaneStep::Unless { test, .. } => test.as_ref(),
            _ => None,
        };
        if let Some(apply) = applied {
            apply.operands().iter().for_each(|slot| all.insert(*slot));
            written.insert(apply.to);
        }
        match step {
            LaneStep::Copy { to, from } => {
                all.insert(*from);
                written.insert(*to);
            }
            LaneStep::Swap(a, b) => [a, b].iter().for_each(|slot| written.insert(**slot)),
            LaneStep::Unless { condition, .. } => all.insert(*condition),
            _ => {}
        }
    }
    all.add(written);
    sets
}

/// What the code of a region is made of; `None` if a function can't be recorded, or a jump leads where masks don't.
pub(super) fn source(
    body: &Body,
    region: &Range<usize>,
    inputs: &[Slot],
    forms: &[ChainInput],
    results: &[Slot],
) -> Option<ChainSource> {
    let dtype = |slot: &Slot| body.slots[usize::from(*slot)];
    let program = record(|| {
        let all = number(LaneType::Mask, 1);
        let mut walk = Walk {
            body,
            inputs,
            values: vec![None; body.slots.len()],
            lanes: all,
            waiting: Vec::new(),
            loops: Vec::new(),
            whole: Some(all),
            stay: Vec::new(),
        };
        walk.steps(region.clone(), None)?;
        let results = results.iter();
        results.map(|slot| walk.value(*slot)).collect()
    })?;
    Some(ChainSource {
        program,
        inputs: forms.into(),
        dtypes: inputs.iter().map(dtype).collect(),
        results: results.iter().map(dtype).collect(),
    })
}

/// The walk through the steps of a region. Masks and values are the numbers of recorded steps.
struct Walk<'a> {
    body: &'a Body,
    /// The slots that have values before the region.
    inputs: &'a [Slot],
    /// The values of slots.
    values: Vec<Option<usize>>,
    /// The lanes that are at the current step.
    lanes: usize,
    /// The lanes that have jumped forward, with their targets.
    waiting: Vec<(usize, usize)>,
    /// The loops that are being walked through.
    loops: Vec<Open>,
    /// The lanes that all are together as soon as none of the innermost loop waits; `None` if some may have left the loop or gone to its
    /// beginning meanwhile.
    whole: Option<usize>,
    /// The steps at which lanes are that no mask is kept for.
    stay: Vec<usize>,
}

/// A loop that is being walked through.
struct Open {
    head: usize,
    /// Where its lanes go when they leave it.
    exit: usize,
    /// The lanes that begin another iteration.
    back: usize,
}

impl Walk<'_> {
    /// Walks through some steps: all, or the body of the loop that begins at `inside`.
    fn steps(&mut self, range: Range<usize>, inside: Option<usize>) -> Option<()> {
        let mut at = range.start;
        while at < range.end {
            self.meet(at);
            let last = (at..range.end)
                .rev()
                .find(|n| self.body.steps[*n].target() == Some(at));
            match last.filter(|_| inside != Some(at)) {
                Some(last) => {
                    self.repeat(at, last)?;
                    at = last + 1;
                }
                None => {
                    self.step(at)?;
                    at += 1;
                }
            }
        }
        // Lanes that wait for the step behind a loop go on with those that leave it.
        Some(())
    }

    /// The lanes that wait for a step join those that are at it.
    fn meet(&mut self, at: usize) {
        let Some(place) = self.waiting.iter().position(|(target, _)| *target == at) else {
            return;
        };
        let (_, others) = self.waiting.swap_remove(place);
        self.lanes = match self.whole {
            Some(whole) if !self.waits_within() => whole,
            _ => or(self.lanes, others),
        };
    }

    /// Whether lanes of the innermost loop wait.
    fn waits_within(&self) -> bool {
        let exit = self.loops.last().map_or(usize::MAX, |open| open.exit);
        self.waiting.iter().any(|(target, _)| *target < exit)
    }

    fn step(&mut self, at: usize) -> Option<()> {
        let body = self.body;
        let is_nobody_here = step(self.lanes).number() == Some(0);
        match &body.steps[at] {
            _ if is_nobody_here => {}
            LaneStep::Apply(apply) => {
                let value = self.apply(apply)?;
                self.assign(apply.to, value)?;
            }
            LaneStep::Copy { to, from } => {
                let value = self.value(*from)?;
                self.assign(*to, value)?;
            }
            LaneStep::Swap(a, b) => {
                let values = [self.value(*a)?, self.value(*b)?];
                self.assign(*a, values[1])?;
                self.assign(*b, values[0])?;
            }
            LaneStep::Jump(target) => {
                let lanes = std::mem::replace(&mut self.lanes, number(LaneType::Mask, 0));
                self.go(lanes, at, *target)?;
            }
            LaneStep::Unless {
                condition,
                test,
                target,
            } => {
                let holds = match test {
                    Some(test) => self.apply(test)?,
                    None => self.value(*condition)?,
                };
                let leave = and(self.lanes, not(holds));
                let are_together = self.whole.is_some() && self.lanes == self.whole?;
                self.lanes = and(self.lanes, holds);
                let within = self.loops.last().is_none_or(|open| *target < open.exit);
                self.go(leave, at, *target)?;
                if are_together && !within && *target > at {
                    self.whole = Some(self.lanes);
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Some lanes go from a step to another one.
    fn go(&mut self, lanes: usize, at: usize, target: usize) -> Option<()> {
        match self.loops.last_mut() {
            Some(open) if target == open.exit => self.whole = None,
            Some(open) if target <= at => {
                if target != open.head {
                    return None;
                }
                open.back = or(open.back, lanes);
                self.whole = None;
            }
            None if target <= at => return None,
            _ => match self.waiting.iter_mut().find(|(other, _)| *other == target) {
                Some((_, others)) => *others = or(*others, lanes),
                None => self.waiting.push((target, lanes)),
            },
        }
        Some(())
    }

    /// Walks through a loop, from its first step to the last one that jumps back.
    fn repeat(&mut self, head: usize, last: usize) -> Option<()> {
        let exit = self.exit(head, last)?;
        let test = self.test(head, last);
        let (entered, outer) = (self.lanes, self.whole);
        let none = number(LaneType::Mask, 0);
        self.stay.extend([head, exit]);
        self.loops.push(Open {
            head,
            exit,
            back: none,
        });
        self.whole = Some(entered);
        for at in head..test {
            self.step(at)?;
        }
        let slots = self.carried(head, last, test);
        let mut firsts = vec![self.lanes];
        for slot in &slots {
            firsts.push(match self.value(*slot) {
                Some(value) => value,
                // No lane reads it before it is written.
                None => number(self.ty(*slot)?, 0),
            });
        }
        let recorded = RecordedLoop::begin(&firsts);
        self.lanes = recorded.carried[0];
        self.whole = Some(self.lanes);
        for (slot, value) in slots.iter().zip(&recorded.carried[1..]) {
            self.values[usize::from(*slot)] = Some(*value);
        }
        self.steps(test..last + 1, Some(head))?;
        self.lanes = self.loops.last()?.back;
        self.whole = Some(self.lanes);
        for at in head..test {
            self.step(at)?;
        }
        let nexts = slots.iter().map(|slot| self.value(*slot));
        let nexts = nexts.collect::<Option<Vec<usize>>>()?;
        let again = self.lanes;
        recorded.end(Some(again), std::iter::once(again).chain(nexts));
        self.loops.pop();
        self.stay.truncate(self.stay.len() - 2);
        // All lanes that entered have gone to the exit.
        (self.lanes, self.whole) = (entered, outer);
        if exit > last + 1 {
            self.lanes = none;
            self.go(entered, last, exit)?;
        }
        Some(())
    }

    /// Where the lanes of a loop go that leave it, if it is one place, and nothing jumps into the loop.
    fn exit(&self, head: usize, last: usize) -> Option<usize> {
        let steps = self.body.steps.iter().enumerate();
        let is_inside = |at: usize| (head..=last).contains(&at);
        let mut exit = match self.body.steps[last] {
            LaneStep::Jump(_) => None,
            _ => Some(last + 1),
        };
        for (at, target) in steps.filter_map(|(at, step)| Some((at, step.target()?))) {
            match (is_inside(at), is_inside(target)) {
                (true, false) if target < head || exit.is_some_and(|exit| exit != target) => {
                    return None;
                }
                (true, false) => exit = Some(target),
                (false, true) if target != head || at > last => return None,
                _ => {}
            }
        }
        exit
    }

    /// The end of the test at the beginning of a loop: the steps in a row up to the last jump out of the loop. The beginning itself, if there is none.
    fn test(&self, head: usize, last: usize) -> usize {
        let steps = self.body.steps[head..last].iter().zip(head..);
        let is_target = |at: usize| {
            let mut steps = self.body.steps.iter();
            at > head && steps.any(|step| step.target() == Some(at))
        };
        let in_a_row = steps.take_while(|(step, at)| {
            let stays = step
                .target()
                .is_some_and(|target| (head..=last).contains(&target));
            !is_target(*at) && !stays && !matches!(step, LaneStep::Jump(_))
        });
        let jumps = in_a_row.filter(|(step, _)| step.target().is_some());
        jumps.last().map_or(head, |(_, at)| at + 1)
    }

    /// The slots that a loop carries: those that it writes, and that other iterations read, or lanes that are elsewhere, or steps behind it.
    fn carried(&self, head: usize, last: usize, begin: usize) -> SmallVec<[Slot; 8]> {
        let [_, written] = slots(&self.body.steps[head..=last]);
        let mut needed = self.needed();
        needed.add(&self.body.lives[begin]);
        let is_carried = |slot: &Slot| needed.contains(*slot) && ![ACTIVE, HOLDS].contains(slot);
        written.iter().filter(is_carried).collect()
    }

    /// The slots that lanes read that aren't at the current step.
    fn needed(&self) -> Set {
        let waiting = self.waiting.iter().map(|(target, _)| target);
        let mut needed = Set::default();
        for at in waiting.chain(&self.stay) {
            needed.add(&self.body.lives[*at]);
        }
        needed
    }

    fn ty(&self, slot: Slot) -> Option<LaneType> {
        LaneType::of(self.body.slots[usize::from(slot)])
    }

    /// The value of a slot; `None` if it has none yet.
    fn value(&mut self, slot: Slot) -> Option<usize> {
        let known = self.values[usize::from(slot)];
        if known.is_some() {
            return known;
        }
        let n = self.inputs.iter().position(|input| *input == slot)?;
        let value = input(n, self.ty(slot)?);
        self.values[usize::from(slot)] = Some(value);
        Some(value)
    }

    fn apply(&mut self, apply: &Apply) -> Option<usize> {
        let operands = apply.operands().iter().map(|slot| self.value(*slot));
        let operands = operands.collect::<Option<SmallVec<[usize; 3]>>>()?;
        let dtype = self.body.slots[usize::from(*apply.operands().last()?)];
        apply.op.record(dtype, &operands)
    }

    /// Gives a slot a value in the lanes that are here. The others keep theirs, if they read it.
    fn assign(&mut self, slot: Slot, value: usize) -> Option<()> {
        let before = match self.needed().contains(slot) {
            true => self.value(slot),
            false => None,
        };
        let value = match before {
            Some(before) => choose(self.lanes, value, before),
            None => value,
        };
        self.values[usize::from(slot)] = Some(value);
        Some(())
    }
}

fn and(a: usize, b: usize) -> usize {
    match [a, b].map(|mask| step(mask).number()) {
        [Some(1), _] => b,
        [_, Some(1)] => a,
        [Some(0), _] => a,
        [_, Some(0)] => b,
        _ if a == b => a,
        _ => push(LaneOp::And, LaneType::Mask, &[a, b]),
    }
}

fn or(a: usize, b: usize) -> usize {
    match [a, b].map(|mask| step(mask).number()) {
        [Some(0), _] => b,
        [_, Some(0)] => a,
        [Some(1), _] => a,
        [_, Some(1)] => b,
        _ if a == b => a,
        _ => push(LaneOp::Or, LaneType::Mask, &[a, b]),
    }
}

fn not(mask: usize) -> usize {
    let yes = number(LaneType::Mask, 1);
    push(LaneOp::Xor, LaneType::Mask, &[mask, yes])
}

/// `a` in the lanes of a mask, else `b`.
fn choose(mask: usize, a: usize, b: usize) -> usize {
    match step(mask).number() {
        Some(1) => a,
        Some(_) => b,
        None if a == b => a,
        None => push(LaneOp::Select, step(a).output(), &[mask, a, b]),
    }
}
