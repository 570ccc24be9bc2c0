//! From steps to instructions: the function of each step is looked up for its dtype, and values get registers that are
//! used again once nobody needs the value.

use smallvec::SmallVec;

use super::super::Entry;
use super::{Instruction, Operand, Place, Program, Register, Step};
use crate::{DType, KernelError};

pub(super) fn program(inputs: &[DType], steps: &[Step]) -> Result<Program, KernelError> {
    let mut registers = Registers::default();
    let input_registers = inputs.iter().map(|dtype| registers.take(*dtype)).collect();
    let mut builder = Builder {
        inputs,
        values: SmallVec::new(),
        last_use: last_use(steps),
        registers,
    };
    let mut instructions = SmallVec::new();
    let mut cost = 0;
    for (n, step) in steps.iter().enumerate() {
        let entry = builder.entry(step)?;
        cost += entry.cost;
        instructions.push(builder.instruction(entry, step, n));
    }
    let Some(last) = builder.values.last() else {
        return Err(KernelError::Value("a program has a step".to_owned()));
    };
    Ok(Program {
        inputs: inputs.into(),
        input_registers,
        instructions,
        output: last.dtype,
        reduction: None,
        cost,
    })
}

/// What is known of an earlier step's value.
struct Value {
    dtype: DType,
    place: Place,
}

struct Builder<'a> {
    inputs: &'a [DType],
    values: SmallVec<[Value; 4]>,
    /// For each step the last one that reads its value, itself if none does.
    last_use: SmallVec<[usize; 4]>,
    registers: Registers,
}

fn last_use(steps: &[Step]) -> SmallVec<[usize; 4]> {
    let mut last_use: SmallVec<[usize; 4]> = (0..steps.len()).collect();
    for (n, step) in steps.iter().enumerate() {
        for operand in &step.operands {
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
    /// The function of a step for its operands' dtypes.
    fn entry(&self, step: &Step) -> Result<&'static Entry, KernelError> {
        let dtypes: SmallVec<[DType; 3]> = step
            .operands
            .iter()
            .map(|operand| self.dtype(*operand))
            .collect::<Result<_, _>>()?;
        step.op.entry(&dtypes)
    }

    fn dtype(&self, operand: Operand) -> Result<DType, KernelError> {
        let dtype = match operand {
            Operand::Input(n) => self.inputs.get(n).copied(),
            Operand::Step(n) => self.values.get(n).map(|value| value.dtype),
        };
        dtype.ok_or_else(|| KernelError::Value(format!("there is no {operand:?} in the program")))
    }

    fn place(&self, operand: Operand) -> Place {
        match operand {
            Operand::Input(n) => Place::Input(n),
            Operand::Step(n) => self.values[n].place,
        }
    }

    /// The instruction of step `n`. Its result gets a register before those of its operands are free, because an instruction
    /// doesn't read what it writes.
    fn instruction(&mut self, entry: &'static Entry, step: &Step, n: usize) -> Instruction {
        let operands = step.operands.iter().map(|o| self.place(*o)).collect();
        let output = if n + 1 == self.last_use.len() {
            Place::Output
        } else {
            Place::Register(self.registers.take(entry.output))
        };
        self.values.push(Value {
            dtype: entry.output,
            place: output,
        });
        // Read for the last time here, each once; or never read at all.
        let read = step.operands.iter().enumerate();
        let first = read.filter(|(at, operand)| !step.operands[..*at].contains(operand));
        let read = first.filter_map(|(_, operand)| match operand {
            Operand::Step(k) => Some(*k),
            Operand::Input(_) => None,
        });
        for k in read.chain([n]).filter(|k| self.last_use[*k] == n) {
            if let Place::Register(register) = self.values[k].place {
                self.registers.give(register);
            }
        }
        Instruction {
            function: entry.block,
            operands,
            output,
        }
    }
}

/// Which registers are in use.
#[derive(Default)]
struct Registers {
    free: SmallVec<[Register; 8]>,
    used: [usize; DType::ALL.len()],
}

impl Registers {
    fn take(&mut self, dtype: DType) -> Register {
        if let Some(at) = self.free.iter().position(|free| free.dtype == dtype) {
            return self.free.swap_remove(at);
        }
        let index = self.used[dtype as usize];
        self.used[dtype as usize] += 1;
        Register { dtype, index }
    }

    fn give(&mut self, register: Register) {
        self.free.push(register);
    }
}
