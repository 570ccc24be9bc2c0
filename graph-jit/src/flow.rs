//! Where the blocks of the code begin, and which branches become a choice between two values.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use graph_kernels::codegen::WordSource;
use graph_kernels::{DType, ElementOp, WordStep};

/// The control flow of a program.
pub struct Flow {
    /// The steps at which blocks begin, and the end.
    pub leaders: BTreeSet<usize>,
    /// For the conditional jump of such a branch, the branch.
    pub choices: BTreeMap<usize, Choice>,
}

/// A branch whose two ways are short and can't fail: both are computed, and a condition chooses. A wrong guess of the CPU at a jump costs
/// as much as some ten instructions.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The steps if the condition holds.
    pub then: Range<usize>,
    /// The steps if it doesn't.
    pub otherwise: Range<usize>,
    /// Where both ways meet.
    pub end: usize,
}

/// How many steps a way of a choice has at most.
const SHORT: usize = 3;

impl Flow {
    /// The flow of a program that is entered at its beginning and at the step `entry`.
    pub fn of(source: &WordSource, entry: usize) -> Flow {
        let steps = &source.steps;
        let mut arrivals = vec![0usize; steps.len() + 1];
        let mut leaders = BTreeSet::from([0, entry, steps.len()]);
        for (at, step) in steps.iter().enumerate() {
            let targets = step.targets();
            leaders.extend(targets);
            if !targets.is_empty() {
                leaders.insert(at + 1);
            }
            targets.iter().for_each(|target| arrivals[*target] += 1);
        }
        arrivals[entry] += 1;
        let mut choices = BTreeMap::new();
        for at in 0..steps.len() {
            if let Some(choice) = Choice::at(source, at, &arrivals) {
                leaders.retain(|leader| *leader <= at || *leader >= choice.end);
                choices.insert(at, choice);
            }
        }
        Flow { leaders, choices }
    }
}

/// The target of a conditional jump with two ways.
fn decides(step: &WordStep) -> Option<usize> {
    match step {
        WordStep::Unless { target, .. } | WordStep::UnlessHolds { target, .. } => Some(*target),
        _ => None,
    }
}

/// The conditional jump that an unconditional jump back leads to. In its place, the jump back can decide itself, so that an iteration has
/// one jump less.
pub fn decision_at(steps: &[WordStep], at: usize) -> Option<usize> {
    match &steps[at] {
        WordStep::Jump(target) if *target <= at => {
            decides(steps.get(*target)?)?;
            Some(*target)
        }
        _ => None,
    }
}

impl Choice {
    /// The choice that begins with a conditional jump. `arrivals` counts the jumps to each step.
    fn at(source: &WordSource, at: usize, arrivals: &[usize]) -> Option<Choice> {
        let steps = &source.steps;
        let target = decides(&steps[at]).filter(|target| *target > at + 1)?;
        let choice = match steps[target - 1] {
            WordStep::Jump(end) if end > target => Choice {
                then: at + 1..target - 1,
                otherwise: target..end,
                end,
            },
            _ => Choice {
                then: at + 1..target,
                otherwise: target..target,
                end: target,
            },
        };
        let ways = [&choice.then, &choice.otherwise];
        let short = ways.iter().all(|way| way.len() <= SHORT);
        // Only the conditional jump leads into the ways.
        let closed = (at + 1..choice.end).all(|n| arrivals[n] == usize::from(n == target));
        let cheap = short
            && ways
                .iter()
                .flat_map(|way| &steps[(*way).clone()])
                .all(|step| is_cheap(source, step));
        (closed && cheap).then_some(choice)
    }
}

/// True if a step takes a few cycles and can't fail.
fn is_cheap(source: &WordSource, step: &WordStep) -> bool {
    let WordStep::Apply {
        op,
        dtype,
        operands,
        ..
    } = step
    else {
        return matches!(step, WordStep::Move { .. });
    };
    let calculated = matches!(dtype, DType::I32 | DType::I64 | DType::F32 | DType::F64);
    match op {
        ElementOp::Add | ElementOp::Sub | ElementOp::Mul | ElementOp::Neg => calculated,
        ElementOp::Div | ElementOp::FloorDiv => {
            let constant = operands.get(1).and_then(|register| {
                let mut constants = source.constants.iter();
                constants.find(|(constant, _)| constant == register)
            });
            // No negative number is a power of two that is small.
            let small = |word: u64| word.is_power_of_two() && word < 1 << 31;
            matches!(dtype, DType::I32 | DType::I64) && constant.is_some_and(|(_, w)| small(*w))
        }
        _ => false,
    }
}
