//! From steps to instructions: each step's function is looked up by dtype, and values get registers, which are reused when a value is no
//! longer needed.

use std::sync::Arc;

use smallvec::SmallVec;

use super::compiled::Compiled;
use super::merge::{Merged, Task, Tasks, merged};
use super::pairs::PairFunction;
use super::reduced::conversion;
use super::tail::Tail;
use super::{
    Instruction, Operand, Program, Step, StepOp, ValueLocation, Width, Work, change, mapped, pairs,
};
use crate::dispatch::undefined;
use crate::{DType, KernelError};

/// The program whose results are the values of some steps; a single result is that of the last step.
pub(super) fn program(
    inputs: SmallVec<[(DType, Width); 4]>,
    steps: &[Step],
    results: &[usize],
) -> Result<Program, KernelError> {
    let tasks = merged(&inputs, steps, results);
    let (mut program, Built { values, starts }) = built(inputs, &tasks)?;
    program.compiled = Compiled::new(&program.inputs, steps, results);
    if program.by_rows && results.len() == 1 {
        program.tail = Tail::new(&program.inputs, steps, &tasks, &values, &starts).map(Arc::new);
    }
    Ok(program)
}

/// As [`program`], for a program that runs once: it doesn't become machine code.
pub(super) fn once(
    inputs: SmallVec<[(DType, Width); 4]>,
    steps: &[Step],
    results: &[usize],
) -> Result<Program, KernelError> {
    let (program, _) = built(inputs.clone(), &merged(&inputs, steps, results))?;
    Ok(program)
}

/// What is known about the tasks of a program.
struct Built {
    values: SmallVec<[Value; 4]>,
    /// The number of instructions before each task.
    starts: SmallVec<[usize; 4]>,
}

fn built(
    inputs: SmallVec<[(DType, Width); 4]>,
    tasks: &Tasks,
) -> Result<(Program, Built), KernelError> {
    let Tasks { all, results, .. } = tasks;
    let mut builder = Builder {
        inputs: &inputs,
        results,
        values: SmallVec::new(),
        starts: SmallVec::new(),
        last_use: last_use(all),
        read_at_places: SmallVec::from_elem(false, inputs.len()),
        registers: Registers::default(),
        instructions: SmallVec::new(),
        cost: 0,
    };
    for (n, task) in all.iter().enumerate() {
        builder.starts.push(builder.instructions.len());
        builder.task(task, n)?;
    }
    let Builder {
        values,
        starts,
        read_at_places,
        mut registers,
        instructions,
        cost,
        ..
    } = builder;
    let output = match (values.last(), &inputs[..]) {
        (Some(last), _) if last.width == Width::Row => last.dtype,
        (None, [(dtype, _), ..]) => *dtype,
        _ => {
            let text = "the last step of a program must have one value per element";
            return Err(KernelError::Value(text.to_owned()));
        }
    };
    let reduces = |instruction: &Instruction| {
        matches!(instruction.work, Work::Reduce(..) | Work::ReduceOf(..))
    };
    let is_column = |(_, width): &(DType, Width)| *width == Width::Column;
    let own = inputs.iter().zip(read_at_places);
    let own = own.map(|((dtype, width), at_places)| match width {
        Width::Uniform if !at_places => registers.add(*dtype, Width::Column),
        _ => registers.add(*dtype, *width),
    });
    let input_registers = own.collect();
    let read_last = (0..inputs.len()).map(|n| {
        let result = ValueLocation::Output(if results.len() > 1 { n } else { 0 });
        let mut instructions = instructions.iter();
        let writes = instructions.find(|instruction| instruction.output == result);
        writes.is_some_and(|writes| writes.operands.contains(&ValueLocation::Input(n)))
    });
    let read_last = read_last.collect();
    let program = Program {
        by_rows: instructions.iter().any(reduces) || inputs.iter().any(is_column),
        inputs,
        input_registers,
        read_last,
        registers: registers.all,
        instructions,
        output,
        results: results.len(),
        reduction: None,
        known: None,
        reads_parts: false,
        rows: SmallVec::new(),
        rolls: SmallVec::new(),
        sums: SmallVec::new(),
        cost,
        compiled: None,
        tail: None,
    };
    Ok((program, Built { values, starts }))
}

/// What is known about an earlier task's value.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub dtype: DType,
    pub width: Width,
    pub place: ValueLocation,
}

struct Builder<'a> {
    inputs: &'a [(DType, Width)],
    /// The tasks of the results.
    results: &'a [usize],
    values: SmallVec<[Value; 4]>,
    starts: SmallVec<[usize; 4]>,
    /// For each task, the last task that reads its value; the task itself if none does.
    last_use: SmallVec<[usize; 4]>,
    /// For each input, whether it is read as one value per element.
    read_at_places: SmallVec<[bool; 4]>,
    registers: Registers,
    instructions: SmallVec<[Instruction; 2]>,
    cost: usize,
}

fn last_use(tasks: &[Merged]) -> SmallVec<[usize; 4]> {
    let mut last_use: SmallVec<[usize; 4]> = (0..tasks.len()).collect();
    for (n, task) in tasks.iter().enumerate() {
        for operand in &task.operands {
            if let Operand::Step(k) = operand
                && *k < n
            {
                last_use[*k] = n;
            }
        }
    }
    last_use
}

impl Builder<'_> {
    fn value(&self, operand: Operand) -> Result<Value, KernelError> {
        let value = match operand {
            Operand::Input(n) => self.inputs.get(n).map(|(dtype, width)| Value {
                dtype: *dtype,
                width: *width,
                place: ValueLocation::Input(n),
            }),
            Operand::Step(n) => self.values.get(n).copied(),
        };
        value.ok_or_else(|| KernelError::Value(format!("there is no {operand:?} in the program")))
    }

    /// Adds the instructions of task `n`. Its result gets a register before those of its operands are freed, because an instruction must
    /// not read the register that it writes.
    fn task(&mut self, step: &Merged, n: usize) -> Result<(), KernelError> {
        let operands = step.operands.iter().map(|operand| self.value(*operand));
        let mut operands: SmallVec<[Value; 3]> = operands.collect::<Result<_, _>>()?;
        let (mut work, dtype, cost) = work(step.task, &operands)?;
        if let Some((function, others)) = self.in_place(step, n, dtype) {
            let others = others.iter().map(|operand| self.value(*operand));
            operands = others.collect::<Result<_, _>>()?;
            let is_one = operands
                .get(1)
                .is_some_and(|value| value.width != Width::Row);
            work = Work::Change(function, is_one);
        }
        let read = operands.iter().enumerate();
        let read = read.map(|(n, operand)| self.as_read(*operand, work, n));
        let read: SmallVec<[Value; 3]> = read.collect::<Result<_, _>>()?;
        let output = match self.results.iter().position(|result| *result == n) {
            Some(result) => ValueLocation::Output(result),
            None => ValueLocation::Register(self.registers.take(dtype, work.writes())),
        };
        self.instructions.push(Instruction {
            work,
            operands: read.iter().map(|operand| operand.place).collect(),
            output,
        });
        self.cost += cost;
        self.values.push(Value {
            dtype,
            width: work.writes(),
            place: output,
        });
        for (read, operand) in read.iter().zip(&operands) {
            if read.place != operand.place {
                self.give(read.place);
            }
        }
        // Each register that is read for the last time here is freed once; also the result's own register, if it is never read.
        let read = step.operands.iter().enumerate();
        let first = read.filter(|(at, operand)| !step.operands[..*at].contains(operand));
        let read = first.filter_map(|(_, operand)| match operand {
            Operand::Step(k) => Some(*k),
            Operand::Input(_) => None,
        });
        for k in read.chain([n]) {
            if self.last_use[k] == n {
                self.give(self.values[k].place);
            }
        }
        Ok(())
    }

    /// The function that changes an array in place, and its other operands, if task `n` gives that array's new value.
    fn in_place(
        &self,
        step: &Merged,
        n: usize,
        dtype: DType,
    ) -> Option<(PairFunction, SmallVec<[Operand; 3]>)> {
        let result = self.results.iter().position(|result| *result == n)?;
        let own = Operand::Input(result);
        let several = self.results.len() > 1;
        several.then(|| change::in_place(step.task, &step.operands, own, dtype))?
    }

    /// Operand `n` in the form that an instruction reads: converted to the dtype in which values are reduced, or spread to one value per
    /// element if it has one per row.
    fn as_read(&mut self, value: Value, work: Work, n: usize) -> Result<Value, KernelError> {
        if let Work::Reduce(reducer) = work {
            return Ok(match conversion(value.dtype, reducer.takes)? {
                Some(convert) => {
                    let work = Work::Element(convert, value.width);
                    self.in_register(work, value, reducer.takes)
                }
                None => value,
            });
        }
        Ok(match (value.width, value.place) {
            (Width::Column, _) if work.takes_rows(n) => {
                self.in_register(Work::Spread, value, value.dtype)
            }
            (_, ValueLocation::Input(input)) => {
                self.read_at_places[input] |= work.takes_rows(n);
                value
            }
            _ => value,
        })
    }

    /// Adds an instruction with one operand, and returns its result.
    fn in_register(&mut self, work: Work, operand: Value, dtype: DType) -> Value {
        let place = ValueLocation::Register(self.registers.take(dtype, work.writes()));
        self.instructions.push(Instruction {
            work,
            operands: [operand.place].into_iter().collect(),
            output: place,
        });
        self.cost += 1;
        Value {
            dtype,
            width: work.writes(),
            place,
        }
    }

    fn give(&mut self, place: ValueLocation) {
        if let ValueLocation::Register(register) = place {
            self.registers.give(register);
        }
    }
}

/// The work of a task, the dtype of its result, and roughly the nanoseconds that 16 values take.
fn work(task: Task, operands: &[Value]) -> Result<(Work, DType, usize), KernelError> {
    let is_column = |n: usize| {
        operands
            .get(n)
            .is_some_and(|value| value.width != Width::Row)
    };
    let dtype = operands.first().map_or(DType::Bool, |value| value.dtype);
    let of_pair = |pair: Option<PairFunction>| {
        let pair = pair.ok_or_else(|| undefined("pair", dtype))?;
        let columns = [is_column(1), is_column(2)];
        Ok((Work::Pair(pair, columns), dtype, 3))
    };
    let op = match task {
        Task::Step(op) => op,
        Task::Pair(first, second, at) => return of_pair(pairs::pair(first, second, at, dtype)),
        Task::Toward => return of_pair(pairs::toward(dtype)),
        Task::ReduceOf(function, op) => {
            let sums = mapped::sums(function, op, dtype);
            let sums = sums.ok_or_else(|| undefined(op.name(), dtype))?;
            let reducer = op.reducer(dtype)?;
            return Ok((Work::ReduceOf(sums, reducer, is_column(1)), dtype, 2));
        }
    };
    match (op, operands) {
        (StepOp::Element(op), _) => {
            let dtypes: SmallVec<[DType; 3]> = operands.iter().map(|value| value.dtype).collect();
            let entry = op.entry(&dtypes)?;
            let widths = operands.iter().map(|operand| operand.width);
            let width = widths.max().unwrap_or(Width::Row).max(Width::Column);
            let cost = match width {
                Width::Row => entry.cost,
                _ => 0,
            };
            Ok((Work::Element(entry.block, width), entry.output, cost))
        }
        (StepOp::Reduce(op), [row]) if row.width == Width::Row => {
            Ok((Work::Reduce(op.reducer(row.dtype)?), row.dtype, 2))
        }
        (StepOp::Reduce(op), _) => {
            let text = format!(
                "`{}` takes an operand with one value per element",
                op.name()
            );
            Err(KernelError::Value(text))
        }
    }
}

/// The registers of a program, and which of them are in use.
#[derive(Default)]
struct Registers {
    all: SmallVec<[(DType, Width); 8]>,
    free: SmallVec<[usize; 8]>,
}

impl Registers {
    /// A register for values of a width, new or free.
    fn take(&mut self, dtype: DType, width: Width) -> usize {
        let fits = |free: &usize| self.all[*free] == (dtype, width.in_registers());
        match self.free.iter().position(fits) {
            Some(at) => self.free.swap_remove(at),
            None => self.add(dtype, width),
        }
    }

    /// A new register.
    fn add(&mut self, dtype: DType, width: Width) -> usize {
        self.all.push((dtype, width.in_registers()));
        self.all.len() - 1
    }

    fn give(&mut self, register: usize) {
        self.free.push(register);
    }
}
