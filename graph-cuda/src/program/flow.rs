//! Loops and branches of a recorded run whose conditions only the GPU knows: they become conditional nodes. In a rehearsal, the host asks for the
//! conditions and runs the same work.
//!
//! The values that a loop changes, variables among them, get memory of their own before it; each iteration ends by copying the new values there. The
//! values that a branch changes get memory in the first branch, and both copy their values there.

use std::collections::BTreeSet;
use std::ops::Range;

use graph_ir::plan::{Instruction, ScopeKind, Slot, Source};
use graph_kernels::{DType, ElementOp};

use super::effects::Tells;
use super::journal::Journal;
use super::run::{Problem, Run};
use crate::driver::Fault;
use crate::kernels::{Step, Target, View};
use crate::value::{Tensor, Value};

/// Why a run isn't recorded that gives a variable another shape.
const RESHAPED: &str = "a variable whose shape changes in a loop or branch";

/// What control flow changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Changed {
    Slot(Slot),
    /// A variable, by its position.
    Variable(u32),
}

/// Where a jump on a condition leads.
enum Form {
    /// Out of a loop: the position of its condition, and of the jump back.
    Loop { head: usize, back: usize },
    /// To the second of two branches: where it begins, and where it ends.
    Branch { otherwise: usize, end: usize },
}

impl Run<'_> {
    /// Records what a jump on a condition chooses that only the GPU knows. Returns where the run goes on.
    pub(super) fn choose(&mut self, condition: Source, target: usize) -> Result<u32, Problem> {
        let at = self.at();
        let form = self.form(target)?;
        self.queue_waiting()?;
        let end = self.undecided(|run| match form {
            Form::Loop { head, back } => {
                run.repeat(condition, head..at, at + 1..back)?;
                Ok(target)
            }
            Form::Branch { otherwise, end } => {
                let choice = run.value(condition)?;
                let branches = [at + 1..otherwise - 1, otherwise..end];
                let written = run.written_in(&branches);
                let [then, otherwise] = branches;
                run.branch(&choice, then, &written, |run| run.run_range(otherwise))?;
                Ok(end)
            }
        })?;
        Ok(end as u32)
    }

    /// Records a loop or branch that only the GPU decides.
    fn undecided<T>(
        &mut self,
        record: impl FnOnce(&mut Self) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let prints = |run: &Self| run.journal().map_or(0, Journal::prints);
        let before = prints(self);
        self.undecided += 1;
        let result = record(self)?;
        self.undecided -= 1;
        let after = prints(self);
        if self.undecided == 0
            && before < after
            && let Some(kept) = &mut self.kept
        {
            kept.told.push(Tells::Entries(before..after));
        }
        Ok(result)
    }

    /// Records a jump to one of several branches, by an index that only the GPU knows. Returns where the run goes on.
    pub(super) fn choose_of(&mut self, index: Source, targets: &[u32]) -> Result<u32, Problem> {
        let starts: Vec<usize> = targets.iter().map(|target| *target as usize).collect();
        let jump_before = |start: &usize| match self.plan().instructions.get(start - 1) {
            Some(Instruction::Jump(end)) => Ok(*end as usize),
            _ => Err("this `match` can't be recorded".to_owned()),
        };
        let Some(second) = starts.get(1) else {
            return Ok(targets[0]);
        };
        let end = jump_before(second)?;
        let ends = starts[1..].iter().map(|start| start - 1).chain([end]);
        let branches: Vec<Range<usize>> = starts.iter().zip(ends).map(|(a, b)| *a..b).collect();
        if branches.iter().any(|branch| branch.start > branch.end) {
            return Err("this `match` can't be recorded".to_owned().into());
        }
        self.queue_waiting()?;
        let written = self.written_in(&branches);
        let index = self.value(index)?;
        self.undecided(|run| run.one_of(&index, 0, &branches, &written))?;
        Ok(end as u32)
    }

    /// Runs the branch with an index; `number` is the index of the first one. Any other index is that of the last one.
    fn one_of(
        &mut self,
        index: &Tensor,
        number: i32,
        branches: &[Range<usize>],
        written: &BTreeSet<Changed>,
    ) -> Result<(), Problem> {
        match branches {
            [] => Ok(()),
            [last] => self.run_range(last.clone()),
            [first, others @ ..] => {
                let is_first = self.equals(index, number)?;
                self.branch(&is_first, first.clone(), written, |run| {
                    run.one_of(index, number + 1, others, written)
                })
            }
        }
    }

    /// Whether an `int32` is this number.
    fn equals(&self, index: &Tensor, number: i32) -> Result<Tensor, Problem> {
        let room = self.kernels.room(DType::Bool, &[])?;
        let steps = vec![
            Step::Operand(0),
            Step::Constant(DType::I32, u64::from(number.cast_unsigned())),
            Step::Element(ElementOp::Equal, DType::I32, vec![0, 1]),
        ];
        let operands = [index.input(&[])?];
        let target = Target::Whole(&room);
        self.kernels
            .map(&target, &[], DType::Bool, steps, &operands)?;
        Ok(Value::computed(DType::Bool, &[], room))
    }

    fn form(&self, target: usize) -> Result<Form, Problem> {
        let (plan, at) = (self.plan(), self.at());
        let around = plan.scopes.iter().find(|scope| {
            let is_loop = matches!(scope.kind, ScopeKind::Loop(_));
            is_loop && scope.range.end == target && scope.range.contains(&at)
        });
        if let Some(scope) = around {
            let (head, back) = (scope.range.start, target - 1);
            return Ok(Form::Loop { head, back });
        }
        match plan.instructions.get(target - 1) {
            Some(Instruction::Jump(end)) if *end as usize >= target && target > at => {
                let (otherwise, end) = (target, *end as usize);
                Ok(Form::Branch { otherwise, end })
            }
            _ => Err("this jump can't be recorded".to_owned().into()),
        }
    }

    /// The slots and variables that some instructions write.
    fn written(&self, range: Range<usize>) -> BTreeSet<Changed> {
        let mut written = BTreeSet::new();
        for instruction in &self.plan().instructions[range] {
            match instruction {
                Instruction::Assign { variable, .. } | Instruction::Update { variable, .. } => {
                    written.insert(Changed::Variable(*variable));
                }
                Instruction::Updates(updates) => {
                    written.extend(updates.variables.iter().map(|v| Changed::Variable(*v)));
                }
                _ => {}
            }
            instruction.visit_written(|slot| {
                written.insert(Changed::Slot(slot));
            });
        }
        written
    }

    /// What some branches write.
    fn written_in(&self, branches: &[Range<usize>]) -> BTreeSet<Changed> {
        let each = branches.iter().cloned();
        each.flat_map(|branch| self.written(branch)).collect()
    }

    /// The present value of what control flow changes.
    fn present(&self, changed: Changed) -> Option<Tensor> {
        match changed {
            Changed::Slot(slot) => self.slot(slot),
            Changed::Variable(variable) => {
                let kept = self.kept.as_ref()?;
                kept.variables.get(variable as usize).cloned()
            }
        }
    }

    /// Gives it another value. A variable always has one.
    fn change(&mut self, changed: Changed, value: Option<Tensor>) {
        match (changed, value) {
            (Changed::Slot(slot), value) => self.put(slot, value),
            (Changed::Variable(variable), Some(value)) => self.keep(variable, value),
            (Changed::Variable(_), None) => {}
        }
    }

    /// A loop. Its condition, which `test` computes, was computed once already.
    fn repeat(
        &mut self,
        condition: Source,
        test: Range<usize>,
        body: Range<usize>,
    ) -> Result<(), Problem> {
        let first = self.value(condition)?;
        let around = test.start..body.end;
        let is_variable = |changed: &Changed| matches!(changed, Changed::Variable(_));
        // What the condition computes is computed anew each time, but what it writes to variables stays.
        let tested = self.written(test.clone());
        let mut changes = self.written(body.clone());
        changes.extend(tested.into_iter().filter(is_variable));
        let mut state: Vec<(Changed, Tensor)> = Vec::new();
        for changed in changes {
            if let Some(value) = self.present(changed) {
                state.push((changed, self.copied(&value)?));
            }
        }
        let variables = state.iter().filter(|(changed, _)| is_variable(changed));
        let variables: Vec<(Changed, Tensor)> = variables.cloned().collect();
        for (changed, value) in &state {
            self.change(*changed, Some(value.clone()));
        }
        if self.rehearses() {
            let mut goes_on = first;
            let fault = Fault::of_thread(self.kernels.gpu())?;
            // The truth value was waited for, so an assertion that failed before it shows.
            while truth(&goes_on)? && !fault.word().is_set() {
                self.run_and_keep(body.clone(), around.clone(), &state)?;
                self.run_and_keep(test.clone(), around.clone(), &variables)?;
                goes_on = self.value(condition)?;
            }
        } else {
            if let Some(kept) = &mut self.kept {
                kept.repeats = true;
            }
            let conditional = self.kernels.conditional()?;
            let handle = conditional.condition()?;
            let stops = self.stops()?;
            // SAFETY: the value is a truth value that is computed before, and the words belong to the recording.
            unsafe { conditional.set(handle, first.buffer()?.address(), stops) }?;
            conditional.repeat(handle, || {
                self.run_and_keep(body.clone(), around.clone(), &state)?;
                self.run_and_keep(test.clone(), around.clone(), &variables)?;
                let (again, stops) = (self.value(condition)?, self.stops()?);
                // SAFETY: as above.
                unsafe { conditional.set(handle, again.buffer()?.address(), stops) }?;
                Ok::<(), Problem>(())
            })?;
        }
        for written in self.written(around) {
            let kept = state.iter().find(|(changed, _)| *changed == written);
            self.change(written, kept.map(|(_, value)| value.clone()));
        }
        Ok(())
    }

    /// The addresses of the words that end a loop whatever its condition says, 0 for none: that of a wrong operand or a false assertion, behind which
    /// the loop might never end, and that of a journal without room.
    fn stops(&self) -> Result<[u64; 2], Problem> {
        let fault = Fault::of_thread(self.kernels.gpu())?.address();
        let full = self.journal().and_then(Journal::full_at);
        Ok([fault, full].map(Option::unwrap_or_default))
    }

    /// Whether an iteration of a loop, whose condition and body are at some positions, may read what the one before left in a slot.
    fn is_carried(&self, slot: Slot, around: Range<usize>) -> bool {
        let plan = self.plan();
        // What is written in a branch or loop inside is sure to be there only in the same one.
        let covers = |write: usize, read: usize| {
            let mut scopes = plan.scopes.iter();
            write < read && scopes.all(|s| !s.range.contains(&write) || s.range.contains(&read))
        };
        let (mut writes, mut is_carried) = (Vec::new(), false);
        for at in around {
            let instruction = &plan.instructions[at];
            instruction.visit_read(|source| {
                let reads = source == Source::Computed(slot);
                is_carried |= reads && !writes.iter().any(|write| covers(*write, at));
            });
            instruction.visit_written(|written| {
                if written == slot {
                    writes.push(at);
                }
            });
        }
        is_carried
    }

    /// Runs the body or the condition of the loop at some positions, then gives the state its new values.
    fn run_and_keep(
        &mut self,
        range: Range<usize>,
        around: Range<usize>,
        state: &[(Changed, Tensor)],
    ) -> Result<(), Problem> {
        self.run_range(range)?;
        let mut new: Vec<(&Tensor, Tensor)> = Vec::new();
        for (changed, place) in state {
            let has_type =
                |value: &Tensor| value.dtype == place.dtype && value.shape == place.shape;
            let Some(value) = self.present(*changed).filter(has_type) else {
                match changed {
                    Changed::Variable(_) => return Err(RESHAPED.to_owned().into()),
                    Changed::Slot(slot) if self.is_carried(*slot, around.clone()) => {
                        return Err("a value whose shape changes in a loop".to_owned().into());
                    }
                    // Another value used the slot; nobody reads the old one.
                    Changed::Slot(_) => continue,
                }
            };
            let same = value.buffer()?.address() == place.buffer()?.address();
            if same {
                continue;
            }
            // A value that lies in the place of another one would be overwritten.
            let moved = state.iter().any(|(_, other)| is_same(other, &value));
            let value = if moved { self.copied(&value)? } else { value };
            new.push((place, value));
        }
        for (place, value) in new {
            self.copy_to(&value, place)?;
        }
        for (changed, place) in state {
            self.change(*changed, Some(place.clone()));
        }
        Ok(())
    }

    /// Two branches, which write what is `written`.
    fn branch(
        &mut self,
        choice: &Tensor,
        then: Range<usize>,
        written: &BTreeSet<Changed>,
        otherwise: impl FnOnce(&mut Self) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let before: Vec<(Changed, Option<Tensor>)> = written
            .iter()
            .map(|changed| (*changed, self.present(*changed)))
            .collect();
        if self.rehearses() {
            match truth(choice)? {
                true => self.run_range(then)?,
                false => otherwise(self)?,
            }
            // What is known on the host differs between the branches.
            for changed in written {
                if let Some(value) = self.present(*changed) {
                    let value = self.copied(&value)?;
                    self.change(*changed, Some(value));
                }
            }
            return Ok(());
        }
        let conditional = self.kernels.conditional()?;
        let handle = conditional.condition()?;
        // SAFETY: the value is a truth value that is computed before.
        unsafe { conditional.set(handle, choice.buffer()?.address(), [0; 2]) }?;
        let mut merged: Vec<(Changed, Option<Tensor>)> = Vec::new();
        // Both closures use the run, one after the other.
        let run = std::cell::RefCell::new(&mut *self);
        conditional.choose(
            handle,
            || {
                let mut run = run.borrow_mut();
                run.run_range(then)?;
                let mut results = Vec::new();
                for changed in written {
                    let value = run.present(*changed);
                    let place = value.map(|value| run.copied(&value)).transpose()?;
                    results.push((*changed, place));
                }
                for (changed, value) in &before {
                    run.change(*changed, value.clone());
                }
                Ok::<_, Problem>(results)
            },
            |results| {
                let mut run = run.borrow_mut();
                otherwise(&mut run)?;
                for (changed, place) in results {
                    let place = match (place, run.present(changed)) {
                        (Some(place), Some(value))
                            if place.dtype == value.dtype && place.shape == value.shape =>
                        {
                            run.copy_to(&value, &place)?;
                            Some(place)
                        }
                        _ if matches!(changed, Changed::Variable(_)) => {
                            return Err(RESHAPED.to_owned().into());
                        }
                        // Nobody reads a value that only one branch has.
                        _ => None,
                    };
                    merged.push((changed, place));
                }
                Ok(())
            },
        )?;
        for (changed, value) in merged {
            self.change(changed, value);
        }
        Ok(())
    }

    /// A copy of a value in memory of its own, which only the GPU knows.
    fn copied(&self, value: &Tensor) -> Result<Tensor, Problem> {
        let room = self.kernels.room(value.dtype, &value.shape)?;
        let copy = Value::computed(value.dtype, &value.shape, room);
        self.copy_to(value, &copy)?;
        Ok(copy)
    }

    /// Copies a value to the memory of another one of its type. A number that the host knows becomes a parameter of the kernel.
    fn copy_to(&self, value: &Tensor, place: &Tensor) -> Result<(), Problem> {
        let input = value.input_by(View::of(&value.shape))?;
        let target = Target::Whole(place.buffer()?);
        let steps = vec![Step::Operand(0)];
        let copied = self
            .kernels
            .map(&target, &value.shape, value.dtype, steps, &[input]);
        Ok(copied?)
    }
}

fn is_same(a: &Tensor, b: &Tensor) -> bool {
    match (a.buffer(), b.buffer()) {
        (Ok(a), Ok(b)) => a.address() == b.address(),
        _ => false,
    }
}

/// A truth value, for which a rehearsal may wait.
fn truth(value: &Tensor) -> Result<bool, Problem> {
    // By another handle: what a rehearsal learns isn't known when the work is recorded.
    let value = match value.known() {
        Some(_) => value.clone(),
        None => value.on_gpu_only()?,
    };
    let array = value.fetch_now().map_err(Problem::Error)?;
    match array.values::<bool>() {
        Some([truth]) => Ok(*truth),
        _ => Err("a condition isn't a truth value".to_owned().into()),
    }
}
