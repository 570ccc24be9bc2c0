//! The record of the formulas that run on this thread.

use std::cell::RefCell;
use std::collections::HashMap;

use smallvec::SmallVec;

use super::compact::compact;
use super::steps::{LaneOp, LaneProgram, LaneStep, LaneType};

/// More steps aren't worth the time to compile them.
const STEPS: usize = 4096;

/// What formulas have recorded.
#[derive(Default)]
struct Recorder {
    steps: Vec<LaneStep>,
    /// For each step, whether it has the same value whatever the inputs are.
    is_known: Vec<bool>,
    /// The numbers of the steps: a step that is there is recorded once.
    known: HashMap<LaneStep, usize>,
    /// The outcomes of the comparisons that the current run of a formula has asked for: first those that were set for it.
    outcomes: Vec<(usize, bool)>,
    /// The numbers of loops and of the values that they carry.
    loops: usize,
    carried: usize,
    /// True if something can't be recorded.
    fails: bool,
}

thread_local! {
    static RECORDER: RefCell<Recorder> = RefCell::default();
}

/// Records what `formulas` does, whose results are the numbers of steps. `None` if that can't be recorded.
pub(crate) fn record(formulas: impl FnOnce() -> Option<Vec<usize>>) -> Option<LaneProgram> {
    RECORDER.take();
    let results = formulas();
    let recorder = RECORDER.take();
    let fits = !recorder.fails && recorder.steps.len() <= STEPS;
    let results = results.filter(|_| fits)?;
    let steps = recorder.steps;
    Some(compact(&LaneProgram { steps, results }))
}

/// Records a step, and gives its number.
pub(crate) fn push(op: LaneOp, ty: LaneType, operands: &[usize]) -> usize {
    let step = LaneStep {
        op,
        ty,
        operands: SmallVec::from_slice(operands),
    };
    RECORDER.with_borrow_mut(|recorder| {
        if let Some(n) = recorder.known.get(&step) {
            return *n;
        }
        let mut operands = step.operands.iter();
        let is_known = match op {
            LaneOp::Input(_) | LaneOp::Carried(_) => false,
            _ => operands.all(|n| recorder.is_known[*n]),
        };
        recorder.is_known.push(is_known);
        recorder.steps.push(step.clone());
        recorder.known.insert(step, recorder.steps.len() - 1);
        recorder.steps.len() - 1
    })
}

/// The values of an input.
pub(crate) fn input(n: usize, ty: LaneType) -> usize {
    push(LaneOp::Input(n), ty, &[])
}

/// The same number in all lanes.
pub(crate) fn number(ty: LaneType, bits: u64) -> usize {
    push(LaneOp::Number(bits), ty, &[])
}

/// A loop that is being recorded: what is recorded before its end is repeated.
pub(crate) struct RecordedLoop {
    number: usize,
    /// The steps of the values that it carries.
    pub carried: Vec<usize>,
}

impl RecordedLoop {
    /// Begins a loop that carries values, which are the values of these steps at first.
    pub fn begin(firsts: &[usize]) -> RecordedLoop {
        let number = RECORDER.with_borrow_mut(|recorder| {
            recorder.loops += 1;
            recorder.loops
        });
        push(LaneOp::Loop(number), LaneType::Mask, &[]);
        let carried = firsts.iter().map(|first| {
            let number = RECORDER.with_borrow_mut(|recorder| {
                recorder.carried += 1;
                recorder.carried
            });
            push(LaneOp::Carried(number), step(*first).output(), &[*first])
        });
        RecordedLoop {
            number,
            carried: carried.collect(),
        }
    }

    /// Ends the loop, which runs again where a mask is true, or without one as often as the call says, with these values in the place of those
    /// that it carries. Behind it, the steps of the loop have the values of the last iteration.
    pub fn end(self, again: Option<usize>, nexts: impl IntoIterator<Item = usize>) {
        let op = match again {
            Some(_) => LaneOp::Repeat(self.number),
            None => LaneOp::Times(self.number),
        };
        let operands: Vec<usize> = again.into_iter().chain(nexts).collect();
        push(op, LaneType::Mask, &operands);
    }
}

/// The step with a number.
pub(crate) fn step(n: usize) -> LaneStep {
    RECORDER.with_borrow(|recorder| recorder.steps[n].clone())
}

/// Whether a step has the same value whatever the inputs are.
pub(super) fn is_known(n: usize) -> bool {
    RECORDER.with_borrow(|recorder| recorder.is_known[n])
}

/// Notes that a function can't be recorded.
pub(crate) fn unknown() {
    RECORDER.with_borrow_mut(|recorder| recorder.fails = true);
}

/// Whether something can't be recorded.
pub(super) fn fails() -> bool {
    RECORDER.with_borrow(|recorder| recorder.fails)
}

/// Begins a run of a formula in which the first comparisons have these outcomes.
pub(super) fn begin(outcomes: &[(usize, bool)]) {
    RECORDER.with_borrow_mut(|recorder| {
        recorder.outcomes = outcomes.to_vec();
    });
}

/// The outcomes of the comparisons of the run that ends.
pub(super) fn end() -> Vec<(usize, bool)> {
    RECORDER.with_borrow_mut(|recorder| std::mem::take(&mut recorder.outcomes))
}

/// The outcome of a mask in this run of the formula. A mask that isn't known is true the first time, and has the same outcome in all of the run.
pub(super) fn outcome(mask: usize) -> bool {
    RECORDER.with_borrow_mut(|recorder| {
        if let LaneOp::Number(bits) = recorder.steps[mask].op {
            return bits & 1 == 1;
        }
        let seen = recorder.outcomes.iter().find(|(seen, _)| *seen == mask);
        if let Some((_, outcome)) = seen {
            return *outcome;
        }
        recorder.outcomes.push((mask, true));
        true
    })
}
