//! Merges steps, so that fewer values are written to registers and read again: a step is calculated inside each step that reads it, if
//! there are one or two such steps and each has a combined instruction. Results have the same bits.

use smallvec::{SmallVec, smallvec};

use super::{Operand, Step, StepOp, Width, mapped, pairs};
use crate::element::ElementOp;
use crate::{DType, ReduceOp};

/// The work of one step, or of two or three merged ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Task {
    Step(StepOp),
    /// Two functions; the value of the first is the operand with this index of the second.
    Pair(ElementOp, ElementOp, usize),
    /// The second operand plus the difference of the first and the second operand times the third.
    Toward,
    /// The sum or the mean of a function's values.
    ReduceOf(ElementOp, ReduceOp),
}

/// A task and its operands; earlier values are counted by tasks.
#[derive(Clone)]
pub(super) struct Merged {
    pub task: Task,
    pub operands: SmallVec<[Operand; 3]>,
}

/// A step is merged into at most this many readers; each of them calculates it anew.
const READERS: usize = 2;

/// Steps as tasks.
pub(super) struct Tasks {
    pub all: SmallVec<[Merged; 4]>,
    /// The tasks of the results.
    pub results: SmallVec<[usize; 4]>,
    /// The task of each step; `None` if the step is calculated inside others.
    pub of_steps: SmallVec<[Option<usize>; 16]>,
}

/// Turns steps into tasks, and the steps of results into theirs. Invalid steps are left unmerged, so that building reports them.
pub(super) fn merged(inputs: &[(DType, Width)], steps: &[Step], results: &[usize]) -> Tasks {
    let results = SmallVec::from_slice(results);
    let as_is = |step: &Step| Merged {
        task: Task::Step(step.op),
        operands: step.operands.clone(),
    };
    let mut tasks: SmallVec<[Merged; 4]> = steps.iter().map(as_is).collect();
    let Some(types) = types(inputs, steps).filter(|_| steps.len() > 1) else {
        return Tasks {
            all: tasks,
            results,
            of_steps: (0..steps.len()).map(Some).collect(),
        };
    };
    let mut gone: SmallVec<[bool; 16]> = SmallVec::from_elem(false, tasks.len());
    for (k, readers) in readers(steps).iter().enumerate() {
        let (dtype, width) = types.of(Operand::Step(k));
        let most = match steps[k].op {
            StepOp::Element(op) if pairs::is_dear(op) => 1,
            _ => READERS,
        };
        let is_result = results.contains(&k);
        let is_late = readers.iter().any(|n| reads_old(&tasks[k], *n, &results));
        if is_result || is_late || width != Width::Row || !(1..=most).contains(&readers.len()) {
            continue;
        }
        let within = |n: &usize| tasks[*n].with(&tasks[k], k, dtype, &types);
        if let Some(with) = readers
            .iter()
            .map(within)
            .collect::<Option<SmallVec<[_; 2]>>>()
        {
            readers
                .iter()
                .zip(with)
                .for_each(|(n, with)| tasks[*n] = with);
            gone[k] = true;
        }
    }
    without(tasks, results, &gone)
}

/// True if a task, merged into the task `n`, would read an array whose place a result has taken before.
fn reads_old(task: &Merged, n: usize, results: &[usize]) -> bool {
    let is_gone = |operand: &Operand| match *operand {
        Operand::Input(k) => results.get(k).is_some_and(|result| *result < n),
        Operand::Step(_) => false,
    };
    results.len() > 1 && task.operands.iter().any(is_gone)
}

/// For each step, the steps that read its value. When a step is merged, these are also the tasks that read it, because the tasks that
/// were merged before read only earlier values.
fn readers(steps: &[Step]) -> SmallVec<[SmallVec<[usize; 2]>; 8]> {
    let mut readers: SmallVec<[SmallVec<[usize; 2]>; 8]> = smallvec![SmallVec::new(); steps.len()];
    for (n, step) in steps.iter().enumerate() {
        for operand in &step.operands {
            if let Operand::Step(k) = operand
                && readers[*k].last() != Some(&n)
            {
                readers[*k].push(n);
            }
        }
    }
    readers
}

impl Merged {
    /// This task with an earlier one, index `k`, calculated inside it, if there is an instruction for both.
    fn with(&self, earlier: &Merged, k: usize, dtype: DType, types: &Types) -> Option<Merged> {
        let mut reads = (0..self.operands.len()).filter(|n| self.operands[*n] == Operand::Step(k));
        let (Some(at), None) = (reads.next(), reads.next()) else {
            return None;
        };
        let first = match earlier.task {
            Task::Step(StepOp::Element(first)) => first,
            Task::Pair(ElementOp::Sub, ElementOp::Mul, _) => {
                let is_toward = self.task == Task::Step(ElementOp::Add.into())
                    && self.operands[1 - at] == earlier.operands[1]
                    && pairs::toward(dtype).is_some();
                return is_toward.then(|| Merged {
                    task: Task::Toward,
                    operands: earlier.operands.clone(),
                });
            }
            _ => return None,
        };
        let mut operands = earlier.operands.clone();
        let task = match self.task {
            // Not for 16-bit floats: they would be rounded less often.
            Task::Step(StepOp::Element(ElementOp::Square))
                if first == ElementOp::Sub && dtype.is_float() && !dtype.is_half() =>
            {
                Task::Step(ElementOp::SquaredDifference.into())
            }
            Task::Step(StepOp::Element(second)) => {
                pairs::pair(first, second, at, dtype)?;
                if operands.len() == 1 {
                    // A placeholder for the second operand, which a function of one operand doesn't read.
                    operands.push(operands[0]);
                }
                operands.push(self.operands[1 - at]);
                Task::Pair(first, second, at)
            }
            Task::Step(StepOp::Reduce(op)) => {
                let function = match first {
                    ElementOp::Square => ElementOp::Mul,
                    function => function,
                };
                mapped::sums(function, op, dtype)?;
                if first == ElementOp::Square {
                    operands.push(operands[0]);
                }
                Task::ReduceOf(function, op)
            }
            _ => return None,
        };
        let exchangeable = !matches!(task, Task::Pair(ElementOp::Sub, ..));
        if exchangeable && types.of(operands[0]).1 != Width::Row {
            // Instructions expect the operand with one value per row, or one for all rows, as the second one.
            operands.swap(0, 1);
        }
        Some(Merged { task, operands })
    }
}

/// The dtypes and widths of inputs and steps.
struct Types<'a> {
    inputs: &'a [(DType, Width)],
    steps: SmallVec<[(DType, Width); 8]>,
}

impl Types<'_> {
    fn of(&self, operand: Operand) -> (DType, Width) {
        match operand {
            Operand::Input(n) => self.inputs[n],
            Operand::Step(n) => self.steps[n],
        }
    }
}

/// `None` if a step isn't defined for its operands.
fn types<'a>(inputs: &'a [(DType, Width)], steps: &[Step]) -> Option<Types<'a>> {
    let steps_before = SmallVec::new();
    let mut types = Types {
        inputs,
        steps: steps_before,
    };
    for step in steps {
        let exists = |operand: &Operand| match *operand {
            Operand::Input(n) => n < inputs.len(),
            Operand::Step(n) => n < types.steps.len(),
        };
        if step.operands.is_empty() || !step.operands.iter().all(exists) {
            return None;
        }
        let operands = step.operands.iter().map(|operand| types.of(*operand));
        let operands: SmallVec<[_; 3]> = operands.collect();
        let value = match step.op {
            StepOp::Reduce(_) => (operands[0].0, Width::Column),
            StepOp::Element(op) => {
                let dtypes: SmallVec<[DType; 3]> =
                    operands.iter().map(|(dtype, _)| *dtype).collect();
                let widths = operands.iter().map(|(_, width)| *width);
                (op.output(&dtypes).ok()?, widths.max()?.max(Width::Column))
            }
        };
        types.steps.push(value);
    }
    Some(types)
}

/// The tasks without those that are gone, renumbered in all operands and results.
fn without(
    mut tasks: SmallVec<[Merged; 4]>,
    mut results: SmallVec<[usize; 4]>,
    gone: &[bool],
) -> Tasks {
    let stay_before = gone.iter().scan(0, |stay, gone| {
        *stay += usize::from(!gone);
        Some(*stay - usize::from(!gone))
    });
    let numbers: SmallVec<[usize; 16]> = stay_before.collect();
    for operand in tasks.iter_mut().flat_map(|task| &mut task.operands) {
        if let Operand::Step(n) = operand {
            *n = numbers[*n];
        }
    }
    results
        .iter_mut()
        .for_each(|result| *result = numbers[*result]);
    let mut number = 0;
    tasks.retain(|_| {
        number += 1;
        !gone[number - 1]
    });
    let of_steps = numbers.iter().zip(gone);
    Tasks {
        all: tasks,
        results,
        of_steps: of_steps
            .map(|(number, gone)| (!gone).then_some(*number))
            .collect(),
    }
}
